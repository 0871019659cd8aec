/// Bytes whose first few choose options, so that one corpus covers them all.
///
/// Texts of the corpus begin with printable letters for them: only the low bits count.
struct FuzzInput {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = Array(bytes)[...]
  }

  /// The next byte; 0 at the end.
  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// The next two bytes, the lower one first.
  mutating func word() -> Int { Int(byte()) | Int(byte()) << 8 }

  /// So many of the next bytes, or as many as there are.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(bytes.prefix(count))
    bytes = bytes.dropFirst(count)
    return taken
  }

  /// Whether all bytes are taken.
  var isEmpty: Bool { bytes.isEmpty }

  /// What is left.
  var rest: [UInt8] { Array(bytes) }
}

extension UInt8 {
  /// Whether a bit is set, 0 being the lowest.
  func has(bit: Int) -> Bool { self >> UInt8(bit) & 1 == 1 }
}
