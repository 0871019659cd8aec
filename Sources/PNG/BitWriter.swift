/// Appends bits to raw memory as deflate wants them: each byte is filled from its lowest bit.
///
/// Every call stores 8 bytes, so the memory must reach 8 bytes beyond what is written.
struct BitWriter {
  /// The most bits that one call takes.
  static let maximumCount = 56

  /// Bytes that may be touched behind the last one written.
  static let slack = 8

  private var next: UnsafeMutableRawPointer

  /// The bits of the byte at `next`, fewer than 8 between calls.
  private var pending: UInt64
  private var pendingCount: UInt64

  /// Starts at `memory`, whose first byte begins with `count` < 8 bits given already.
  init(_ memory: UnsafeMutableRawPointer, pending: UInt8 = 0, count: Int = 0) {
    next = memory
    self.pending = UInt64(pending)
    pendingCount = UInt64(count)
  }

  /// Appends the `count` lowest bits of `bits`, whose higher bits are zero; `count` is 0 … 56.
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

  /// Appends `bitCount` bits out of whole words, whose bits beyond them are zero.
  @inline(__always)
  mutating func put(_ words: UnsafePointer<UInt64>, bitCount: Int) {
    let whole = bitCount &>> 6
    for index in 0..<whole {
      let word = words[index]
      next.storeBytes(of: (pending | word &<< pendingCount).littleEndian, as: UInt64.self)
      // Two shifts, since one by 64 − 0 would be none.
      pending = (word &>> 1) &>> (63 &- pendingCount)
      next += 8
    }
    let rest = UInt64(truncatingIfNeeded: bitCount & 63)
    if rest == 0 { return }
    let last = words[whole]
    put(last & 0xFFFF_FFFF, count: min(rest, 32))
    if rest > 32 { put(last &>> 32, count: rest &- 32) }
  }

  /// Fills the last byte with zeros and returns the address behind it.
  mutating func finish() -> UnsafeMutableRawPointer {
    if pendingCount > 0 { put(0, count: 8 &- pendingCount) }
    return next
  }
}

/// Up to 32 bits ready to be appended, the first in the lowest place.
struct CodedBits: Hashable, Sendable {
  var bits: UInt32 = 0
  var count: UInt32 = 0

  /// These bits, then `other`.
  func followed(by other: CodedBits) -> CodedBits {
    CodedBits(bits: bits | other.bits << count, count: count + other.count)
  }
}

/// A string of bits made once and appended often.
struct BitString: Sendable {
  /// 64 bits each, the first in the lowest place; the last is filled with zeros.
  let words: ContiguousArray<UInt64>
  let bitCount: Int

  /// Collects what `body` writes, at most `capacity` bits.
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
  /// How many bits have been written since the writer started at `start`.
  func bitCount(from start: UnsafeMutableRawPointer) -> Int {
    (UnsafeRawPointer(next) - UnsafeRawPointer(start)) * 8 + Int(pendingCount)
  }
}
