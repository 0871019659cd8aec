import CScan

/// The delimiters, quotes and line ends of a whole buffer, found at once: most records then are a
/// run of positions, and need no search of their own.
///
/// Owns its memory; describes one state of a cursor's buffer, which ``prepare(_:)`` names.
final class CSVSeparators {
  /// The separators' indexes in the buffer, in ascending order.
  private var positions = UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)
  private var count = 0
  /// The first separator that has not been passed.
  private var next = 0
  /// Whether a block of 64 bytes has any above 127.
  private var highBlocks = UnsafeMutableBufferPointer<Bool>(start: nil, count: 0)
  private var hasHighBytes = false
  /// The fill that is described; 0 for none.
  private var fill = 0
  /// The records of this fill that were runs of positions, and the others.
  private var plain = 0
  private var others = 0
  /// The fills to read without positions, since records of the ones before needed more.
  private var pause = 0

  private static let pauseLength = 16
  /// The positions that one block may write beyond its separators.
  private static let slack = 64

  deinit {
    positions.deallocate()
    highBlocks.deallocate()
  }

  /// Forgets the buffer.
  func invalidate() { fill = 0 }

  /// Finds the separators of a cursor's buffer, unless they are known.
  ///
  /// - Returns: whether records are worth looking for here.
  /// - Complexity: O(bytes) for a buffer that was filled since.
  func prepare(_ cursor: CSVCursor) -> Bool {
    let buffer = cursor.buffer
    if fill != cursor.fills {
      fill = cursor.fills
      if others > plain { pause = Self.pauseLength }
      (plain, others, count, next) = (0, 0, 0, 0)
      pause = max(pause - 1, 0)
      if pause == 0 { find(buffer, from: cursor.index, cursor.scanner.delimiter) }
    }
    guard pause == 0 else { return false }
    advance(to: cursor.index)
    return true
  }

  private func find(_ buffer: UnsafeRawBufferPointer, from start: Int, _ delimiter: UInt8) {
    reserve(buffer.count)
    guard let bytes = buffer.baseAddress, let room = positions.baseAddress else { return }
    hasHighBytes = false
    var index = start & ~63
    while index < buffer.count {
      var high: UInt64 = 0
      let mask = cscan_separators(
        (bytes + index).assumingMemoryBound(to: UInt8.self), delimiter, &high)
      count &+= Int(
        cscan_positions(mask, UInt32(truncatingIfNeeded: index), room + count))
      highBlocks[index &>> 6] = high != 0
      if high != 0 { hasHighBytes = true }
      index &+= 64
    }
  }

  private func reserve(_ bytes: Int) {
    guard positions.count < bytes + Self.slack else { return }
    positions.deallocate()
    highBlocks.deallocate()
    positions = .allocate(capacity: bytes + Self.slack)
    highBlocks = .allocate(capacity: bytes / 64 + 1)
  }

  /// Passes the separators before an index.
  func advance(to index: Int) {
    while next < count, positions[next] < index { next += 1 }
  }

  /// Goes back to the record that begins at an index.
  func goBack(to index: Int) {
    while next > 0, positions[next - 1] >= index { next -= 1 }
  }

  /// Finds the fields of the record that begins at `start` if it is plain: as many fields as there
  /// is room for, with delimiters between them, none in quotes, and a line end in the buffer.
  ///
  /// - Returns: whether it is; otherwise nothing is known of it.
  @inline(__always)
  func scanPlain(
    _ buffer: UnsafeRawBufferPointer, from start: Int, _ scanner: CSVScanner,
    into fields: UnsafeMutableBufferPointer<CSVField>, extent: inout CSVScanner.Extent
  ) -> Bool {
    let columns = fields.count
    guard next &+ columns <= count else { return false }
    let ends = positions.baseAddress.unsafelyUnwrapped + next
    let last = Int(ends[columns &- 1])
    let byte = buffer[last]
    var behind = last &+ 1
    var passed = columns
    if byte == 13 {
      guard behind < buffer.count else { return false }
      if buffer[behind] == 10 {
        behind &+= 1
        passed &+= 1
      }
    } else if byte != 10 {
      others &+= 1
      return false
    }
    // A blank line is no record.
    guard last &- start <= scanner.plainLimit, columns > 1 || last > start else { return false }
    var fieldStart = start
    for index in 0..<(columns &- 1) {
      let end = Int(ends[index])
      guard buffer[end] == scanner.delimiter else {
        others &+= 1
        return false
      }
      fields[index] = scanner.trimmed(buffer, fieldStart, end)
      fieldStart = end &+ 1
    }
    fields[columns &- 1] = scanner.trimmed(buffer, fieldStart, last)
    guard columns > 1 || !fields[0].isEmpty else { return false }
    next &+= passed
    plain &+= 1
    extent.next = behind
    extent.fieldCount = columns
    extent.innerLines = 0
    extent.hasLineEnd = true
    extent.hasHighBytes = hasHighBytes && hasHighBytes(start..<behind)
    return true
  }

  private func hasHighBytes(_ record: Range<Int>) -> Bool {
    highBlocks[(record.lowerBound &>> 6)...((record.upperBound &- 1) &>> 6)].contains(true)
  }
}
