import Features
import Tiling

/// The accepted records of one buffer, as positions of their fields: scratch memory that a reader
/// reuses.
///
/// Owns its memory; valid until the buffer that it points into is filled again.
final class CSVRows {
  /// Maximum number of records in one batch; the fields of 4,096 rows stay in the second-level
  /// cache.
  private static let rowLimit = 4096
  private static let fieldLimit = 64 << 10

  let columnCount: Int
  let capacity: Int
  private(set) var count = 0
  /// The separators of the buffer that the rows point into.
  let separators = CSVSeparators()

  private let fields: UnsafeMutableBufferPointer<CSVField>
  private let lines: UnsafeMutableBufferPointer<Int>
  private let positions: UnsafeMutableBufferPointer<LngLat>
  private let kinds: UnsafeMutableBufferPointer<PropertyColumn.Kind>
  /// The begin and end of each row in the buffer, if they are requested.
  private var extents = ContiguousArray<RecordExtent>()
  /// Scratch memory, one for each row.
  let ends: UnsafeMutableBufferPointer<UInt32>
  private var arena = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// The geometries of the rows, where a column holds them; empty otherwise.
  var geometries = GeometryColumn()
  var geometryText: GeometryText
  /// The first pair of numbers that was read as a geometry.
  var firstPair: String?

  /// - Parameter order: the order of two numbers in a column of geometries.
  init(columnCount: Int, order: GeometryText.Order? = nil) {
    self.columnCount = columnCount
    geometryText = GeometryText(order: order)
    capacity = max(1, min(Self.rowLimit, Self.fieldLimit / columnCount))
    // All are trivial types and written before they are read, so the memory need not be cleared.
    fields = .allocate(capacity: capacity * columnCount)
    lines = .allocate(capacity: capacity)
    positions = .allocate(capacity: capacity)
    kinds = .allocate(capacity: capacity)
    ends = .allocate(capacity: capacity)
  }

  deinit {
    fields.deallocate()
    lines.deallocate()
    positions.deallocate()
    kinds.deallocate()
    ends.deallocate()
    arena.deallocate()
  }

  var isFull: Bool { count == capacity }

  /// The fields of the row that is being read; the next accepted row adopts them.
  var openRow: UnsafeMutableBufferPointer<CSVField> {
    let start = count &* columnCount
    return UnsafeMutableBufferPointer(rebasing: fields[start..<(start &+ columnCount)])
  }

  /// Keeps the open row. A position of `nil` means a record without geometry.
  func accept(line: Int, position: LngLat?) {
    lines[count] = line
    positions[count] = position ?? LngLat(longitude: .nan, latitude: .nan)
    count += 1
  }

  func removeAll() {
    count = 0
    geometries.removeAll()
    extents.removeAll(keepingCapacity: true)
  }

  // MARK: Extents

  /// Notes the extent in the buffer of the row that was accepted last.
  func locate(from begin: Int, to end: Int) {
    extents.append(RecordExtent(begin: begin, end: end))
  }

  /// Notes the extents of the rows accepted last, which follow one another from an index on and end
  /// at ``ends``.
  func locate(run: Int, from begin: Int) {
    var begin = begin
    for end in ends[..<run] {
      locate(from: begin, to: Int(end))
      begin = Int(end)
    }
  }

  /// Appends the extents of all rows in the file.
  ///
  /// - Parameter start: the position of the buffer in the file.
  func appendExtents(to batch: inout FeatureBatch, from start: Int) {
    batch.extents.append(
      contentsOf: extents.lazy.map {
        RecordExtent(begin: start + $0.begin, end: start + $0.end)
      })
  }

  // MARK: Runs of plain records

  /// The fields of the row `distance` rows after the open one.
  @inline(__always)
  func row(behind distance: Int) -> UnsafeMutableBufferPointer<CSVField> {
    let start = (count &+ distance) &* columnCount
    return UnsafeMutableBufferPointer(rebasing: fields[start..<(start &+ columnCount)])
  }

  /// Keeps open rows, one on each line, whose coordinates are spelled plainly.
  ///
  /// One loop over nothing but numbers: the processor works on several rows at a time.
  ///
  /// - Parameters:
  ///   - run: the number of rows whose fields are set.
  ///   - coordinates: the columns of the coordinates; `nil` for records without a geometry.
  ///   - line: the line of the first row.
  /// - Returns: the number of rows kept: those before the first whose coordinates are spelled
  ///   otherwise.
  func accept(
    run: Int, coordinates: (x: Int, y: Int)?, from buffer: UnsafeRawBufferPointer, line: Int
  ) -> Int {
    guard let bytes = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    var kept = 0
    while kept < run {
      let row = count &+ kept
      if let (x, y) = coordinates {
        let (first, second) = (fields[row &* columnCount &+ x], fields[row &* columnCount &+ y])
        // The buffer is padded by more than the reach.
        let longitude = PlainDecimal.prefix(bytes + Int(first.start))
        let latitude = PlainDecimal.prefix(bytes + Int(second.start))
        guard longitude.length > 0, longitude.length == first.count, latitude.length > 0,
          latitude.length == second.count
        else { break }
        positions[row] = LngLat(longitude: longitude.value, latitude: latitude.value)
      } else {
        positions[row] = LngLat(longitude: .nan, latitude: .nan)
      }
      lines[row] = line &+ kept
      kept &+= 1
    }
    count += kept
    return kept
  }

  /// Appends the lines and geometries of all rows.
  func appendRecords(to batch: inout FeatureBatch) {
    batch.lines.append(contentsOf: UnsafeBufferPointer(rebasing: lines[..<count]))
    if geometries.count == count {
      return batch.geometry.append(records: 0..<count, of: geometries)
    }
    var row = 0
    while row < count {
      let first = row
      while row < count, !positions[row].longitude.isNaN { row += 1 }
      batch.geometry.appendPoints(UnsafeBufferPointer(rebasing: positions[first..<row]))
      if row < count {
        batch.geometry.endRecord(.none)
        row += 1
      }
    }
  }

  /// Appends one column's fields of all rows.
  ///
  /// - Parameters:
  ///   - buffer: the buffer that the rows point into, followed by ``ByteSource/padding``.
  ///   - delimiter: the byte between fields that were joined.
  ///   - kind: the kind of a field.
  /// - Complexity: O(bytes of the column).
  func append(
    column: Int, from buffer: UnsafeRawBufferPointer, delimiter: UInt8,
    to target: inout PropertyColumn, as kind: (CSVField) -> PropertyColumn.Kind
  ) {
    reserveArena(buffer.count + ByteSource.padding)
    guard let source = buffer.baseAddress, let room = arena.baseAddress else { return }
    var end = 0
    var place = column
    for row in 0..<count {
      let field = fields[place]
      place &+= columnCount
      let kind = kind(field)
      kinds[row] = kind
      switch kind {
      case .text, .string:
        let from = source + Int(field.start)
        end &+=
          !field.isEscaped
          ? Self.copy(from, field.count, to: room + end)
          : field.isQuoted
            ? Self.copyUnescaped(from, field.count, to: room + end)
            : Self.copyJoined(from, field.count, to: room + end, delimiter: delimiter)
      case .missing, .null, .false, .true, .number, .json: break
      }
      ends[row] = UInt32(truncatingIfNeeded: end)
    }
    target.append(
      kinds: UnsafeBufferPointer(rebasing: kinds[..<count]),
      ends: UnsafeBufferPointer(rebasing: ends[..<count]),
      bytes: UnsafeRawBufferPointer(rebasing: arena[..<end]))
  }

  private func reserveArena(_ needed: Int) {
    guard arena.count < needed else { return }
    arena.deallocate()
    arena = .allocate(byteCount: 2 * needed, alignment: ByteSource.padding)
  }

  /// Copies a field; up to 32 bytes are copied as 32 whatever their number, since both buffers are
  /// padded.
  @inline(__always)
  private static func copy(
    _ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer
  ) -> Int {
    typealias Half = SIMD2<UInt64>
    let second = source.loadUnaligned(fromByteOffset: 16, as: Half.self)
    target.storeBytes(of: source.loadUnaligned(as: Half.self), as: Half.self)
    target.storeBytes(of: second, toByteOffset: 16, as: Half.self)
    if count > 32 { target.copyMemory(from: source, byteCount: count) }
    return count
  }

  /// Copies several fields without the quotes around them, and unescapes the doubled quotes within.
  private static func copyJoined(
    _ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer, delimiter: UInt8
  ) -> Int {
    let quote = UInt8(ascii: "\"")
    var written = 0
    var index = 0
    var isAtStart = true
    var isQuoted = false
    while index < count {
      let byte = source.load(fromByteOffset: index, as: UInt8.self)
      index += 1
      if byte == quote, isAtStart || isQuoted {
        let isDoubled =
          isQuoted && index < count && source.load(fromByteOffset: index, as: UInt8.self) == quote
        if !isDoubled {
          isQuoted.toggle()
          isAtStart = false
          continue
        }
        index += 1
      }
      if !isQuoted { isAtStart = byte == delimiter || isAtStart && (byte == 32 || byte == 9) }
      target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
      written += 1
    }
    return written
  }

  /// Copies a field and unescapes its doubled quotes.
  private static func copyUnescaped(
    _ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer
  ) -> Int {
    var written = 0
    var index = 0
    while index < count {
      let byte = source.load(fromByteOffset: index, as: UInt8.self)
      target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
      written += 1
      index += byte == UInt8(ascii: "\"") ? 2 : 1
    }
    return written
  }
}
