import CScan

/// A finder of delimiters, quotes and line ends: a bit for each of 64 bytes, computed by vector
/// instructions and independent of where fields begin, so that the processor works on several
/// blocks at a time.
struct SeparatorFinder {
  /// Whether bytes above 127 were seen since ``beginRecord()``, or occur in the same block.
  var hasHighBytes: Bool { seen != 0 }

  private let delimiter: UInt8
  /// The index of the first byte of the block that ``mask`` describes; below 0 before there is one.
  private var base = -64
  /// The bytes of the block that separate.
  private var mask: UInt64 = 0
  /// The bytes above 127 of the block, and of all since the record began, or-ed together.
  private var block: UInt64 = 0
  private var seen: UInt64 = 0

  init(delimiter: UInt8) {
    self.delimiter = delimiter
  }

  @inline(__always)
  mutating func beginRecord() { seen = block }

  /// Returns the index of the first separator from a position on, or the buffer's end. Positions
  /// only rise, and the buffer stays the same for the life of the finder.
  ///
  /// - Parameter buffer: is followed by ``ByteSource/padding`` readable bytes.
  @inline(__always)
  mutating func next(_ buffer: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index < buffer.count {
      if index &- base >= 64 { load(buffer, block: index & ~63) }
      let left = mask & (UInt64.max &<< UInt64(truncatingIfNeeded: index))
      if left != 0 { return min(base &+ left.trailingZeroBitCount, buffer.count) }
      index = base &+ 64
    }
    return buffer.count
  }

  @inline(__always)
  private mutating func load(_ buffer: UnsafeRawBufferPointer, block start: Int) {
    let bytes = buffer.baseAddress.unsafelyUnwrapped + start
    base = start
    mask = cscan_separators(bytes.assumingMemoryBound(to: UInt8.self), delimiter, &block)
    seen |= block
  }
}
