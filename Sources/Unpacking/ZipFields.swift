/// The numbers of a record of a zip file, the lowest byte first.
struct ZipFields {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Returns the number of so many bytes at an offset, all of which exist.
  private func number(at offset: Int, bytes size: Int) -> UInt64 {
    let start = bytes.startIndex + offset
    return bytes[start..<(start + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func two(at offset: Int) -> Int { Int(number(at: offset, bytes: 2)) }

  func four(at offset: Int) -> Int { Int(number(at: offset, bytes: 4)) }

  /// Returns a number of eight bytes; `nil` if it exceeds the size of any file.
  func eight(at offset: Int) -> Int? { Int(exactly: number(at: offset, bytes: 8)) }

  /// Returns some of the bytes.
  func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
    let start = bytes.startIndex + offset
    return bytes[start..<(start + count)]
  }
}
