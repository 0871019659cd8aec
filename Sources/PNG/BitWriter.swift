/// A writer of bits to raw memory in the order of deflate: each byte is filled from its lowest bit.
///
/// Every call stores 8 bytes, so the memory must reach 8 bytes beyond the end of the output.
struct BitWriter {
  /// Maximum number of bits per call.
  static let maximumCount = 56

  /// The number of bytes after the output that may be overwritten.
  static let slack = 8

  private var next: UnsafeMutableRawPointer

  /// The bits of the byte at `next`, fewer than 8 between calls.
  private var pending: UInt64
  private var pendingCount: UInt64

  /// Creates a writer at `memory`, whose first byte begins with `count` < 8 given bits.
  init(_ memory: UnsafeMutableRawPointer, pending: UInt8 = 0, count: Int = 0) {
    next = memory
    self.pending = UInt64(pending)
    pendingCount = UInt64(count)
  }

  /// Appends the `count` lowest bits of `bits`, whose other bits are zero; `count` is 0 … 56.
  @inline(__always)
  mutating func put(_ bits: UInt64, count: UInt64) {
    pending |= bits &<< pendingCount
    next.storeBytes(of: pending.littleEndian, as: UInt64.self)
    let total = pendingCount &+ count
    next += Int(truncatingIfNeeded: total &>> 3)
    pending = pending &>> (total & ~7)
    pendingCount = total & 7
  }

  @inline(__always)
  mutating func put(_ coded: CodedBits) {
    put(UInt64(coded.bits), count: UInt64(coded.count))
  }

  /// Appends a whole string, 8 bytes at a time.
  mutating func put(_ string: BitString) {
    string.words.withUnsafeBufferPointer { words in
      if let start = words.baseAddress { put(start, bitCount: string.bitCount) }
    }
  }

  /// Appends `bitCount` bits of whole words, whose other bits are zero.
  @inline(__always)
  mutating func put(_ words: UnsafePointer<UInt64>, bitCount: Int) {
    let whole = bitCount &>> 6
    for index in 0..<whole {
      let word = words[index]
      next.storeBytes(of: (pending | word &<< pendingCount).littleEndian, as: UInt64.self)
      // Two shifts, since a shift by 64 − 0 would have no effect.
      pending = (word &>> 1) &>> (63 &- pendingCount)
      next += 8
    }
    let rest = UInt64(truncatingIfNeeded: bitCount & 63)
    if rest == 0 { return }
    let last = words[whole]
    put(last & 0xFFFF_FFFF, count: min(rest, 32))
    if rest > 32 { put(last &>> 32, count: rest &- 32) }
  }

  /// Pads the last byte with zeros and returns the address after it.
  mutating func finish() -> UnsafeMutableRawPointer {
    if pendingCount > 0 { put(0, count: 8 &- pendingCount) }
    return next
  }
}

/// Up to 32 bits to append, the first in the lowest position.
struct CodedBits: Hashable, Sendable {
  var bits: UInt32 = 0
  var count: UInt32 = 0

  /// Returns these bits followed by `other`.
  func followed(by other: CodedBits) -> CodedBits {
    CodedBits(bits: bits | other.bits << count, count: count + other.count)
  }
}

/// A string of bits, created once and appended often.
struct BitString: Sendable {
  /// The words of 64 bits each, the first bit in the lowest position; the last is padded with
  /// zeros.
  let words: ContiguousArray<UInt64>
  let bitCount: Int

  /// Creates the string that `body` writes, at most `capacity` bits.
  init(capacity: Int, _ body: (inout BitWriter) -> Void) {
    let byteCount = capacity / 8 + 1 + BitWriter.slack
    var words = ContiguousArray<UInt64>()
    var bitCount = 0
    withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { memory in
      guard let start = memory.baseAddress else { return }
      var writer = BitWriter(start)
      body(&writer)
      bitCount = writer.bitCount(from: start)
      let end = writer.finish()
      for offset in stride(from: 0, to: end - start, by: 8) {
        var word: UInt64 = 0
        for byte in offset..<min(offset + 8, end - start) {
          word |= UInt64(memory[byte]) << UInt64((byte - offset) * 8)
        }
        words.append(word)
      }
    }
    self.words = words
    self.bitCount = bitCount
  }
}

extension BitWriter {
  /// Returns the number of bits written since the writer was created at `start`.
  func bitCount(from start: UnsafeMutableRawPointer) -> Int {
    (UnsafeRawPointer(next) - UnsafeRawPointer(start)) * 8 + Int(pendingCount)
  }
}
