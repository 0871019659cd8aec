/// The values of one property for many records: a byte arena, the end of every value in it, and a
/// kind per row. Append-only.
///
/// Values are stored as in the file (text of a CSV field, bytes of a JSON string), so reading a
/// file only copies bytes; a value gets its type on access.
@usableFromInline
package struct PropertyColumn: Sendable {
  /// The kind of a row's bytes.
  @usableFromInline
  package enum Kind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// The record lacks the property; no bytes.
    case missing
    /// Explicit null; no bytes.
    case null
    case `false`
    case `true`
    /// Eight bytes, the native representation of a Double.
    case number
    /// UTF-8.
    case string
    /// UTF-8 of a field without a type of its own (CSV): a number where it follows the JSON number
    /// grammar, otherwise a string.
    case text
    /// UTF-8 of a JSON array or object.
    case json
  }

  /// The property's name.
  package let name: String

  /// The kind of each row.
  @usableFromInline
  package internal(set) var kinds: Column<Kind>

  /// The end of each row's bytes in ``bytes``; a row begins where the previous one ends.
  package internal(set) var ends: Column<UInt32>

  /// The bytes of all rows, one after the other.
  package internal(set) var bytes: Column<UInt8>

  /// Creates an empty column.
  ///
  /// - Parameter scratch: decides where its bytes lie; `nil` for memory.
  package init(name: String, in scratch: Scratch? = nil) {
    self.name = name
    kinds = Column(in: scratch)
    ends = Column(in: scratch)
    bytes = Column(in: scratch)
  }

  /// The number of rows.
  @inlinable
  package var count: Int { kinds.count }

  /// Maximum bytes of a column: offsets are 32 bits wide.
  package static let byteLimit = Int(UInt32.max)

  /// Appends a row. The caller must keep the column within ``byteLimit``.
  package mutating func append(_ kind: Kind, bytes value: UnsafeRawBufferPointer) {
    precondition(bytes.count + value.count <= Self.byteLimit)
    bytes.append(contentsOf: value)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    kinds.append(kind)
  }

  /// Appends a row without bytes: `missing`, `null`, `false` or `true`.
  package mutating func append(_ kind: Kind) {
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    kinds.append(kind)
  }

  /// Appends a number.
  package mutating func append(_ number: Double) {
    withUnsafeBytes(of: number) { append(.number, bytes: $0) }
  }

  /// Appends many rows at once: a kind and an end for each row, ends counted from the first byte of
  /// `value`. The caller must keep the column within ``byteLimit``.
  ///
  /// - Complexity: O(rows + bytes), as three copies.
  package mutating func append(
    kinds newKinds: UnsafeBufferPointer<Kind>, ends newEnds: UnsafeBufferPointer<UInt32>,
    bytes value: UnsafeRawBufferPointer
  ) {
    precondition(newKinds.count == newEnds.count && Int(newEnds.last ?? 0) == value.count)
    precondition(bytes.count + value.count <= Self.byteLimit)
    let base = UInt32(truncatingIfNeeded: bytes.count)
    if base == 0 {
      ends.append(contentsOf: newEnds)
    } else {
      ends.reserveCapacity(exponentially: ends.count + newEnds.count)
      for end in newEnds { ends.append(base &+ end) }
    }
    kinds.append(contentsOf: newKinds)
    bytes.append(contentsOf: value)
  }

  /// Appends all rows of another column. The caller must keep the column within ``byteLimit``.
  package mutating func append(contentsOf other: PropertyColumn) {
    other.kinds.withUnsafeBufferPointer { kinds in
      other.ends.withUnsafeBufferPointer { ends in
        other.bytes.withUnsafeBytes { append(kinds: kinds, ends: ends, bytes: $0) }
      }
    }
  }

  /// Appends `count` equal rows without bytes: `missing`, `null`, `false` or `true`.
  package mutating func append(_ kind: Kind, count: Int) {
    ends.append(repeating: UInt32(truncatingIfNeeded: bytes.count), count: count)
    kinds.append(repeating: kind, count: count)
  }

  /// Appends a row of another column.
  package mutating func append(_ row: Int, of other: PropertyColumn) {
    other.withBytes(row) { append(other.kinds[row], bytes: $0) }
  }

  /// Appends a run of rows of another column. The caller must keep the column within ``byteLimit``.
  ///
  /// - Complexity: O(rows + bytes), as three copies.
  package mutating func append(rows: Range<Int>, of other: PropertyColumn) {
    guard !rows.isEmpty else { return }
    let start = rows.lowerBound == 0 ? 0 : other.ends[rows.lowerBound - 1]
    let run = Int(start)..<Int(other.ends[rows.upperBound - 1])
    precondition(bytes.count + run.count <= Self.byteLimit)
    let base = UInt32(truncatingIfNeeded: bytes.count) &- start
    ends.append(ends: other.ends[rows], movedBy: base)
    kinds.append(contentsOf: other.kinds[rows])
    bytes.append(contentsOf: other.bytes[run])
  }

  /// Appends rows of another column in any order, each as often as it is listed; −1 is null. The
  /// caller must keep the column within ``byteLimit``.
  ///
  /// - Complexity: O(rows + bytes).
  package mutating func append(gathering rows: ContiguousArray<Int32>, of other: PropertyColumn) {
    ends.reserveCapacity(exponentially: ends.count + rows.count)
    kinds.reserveCapacity(exponentially: kinds.count + rows.count)
    other.bytes.withUnsafeBytes { values in
      for row in rows {
        guard row >= 0 else {
          append(.null)
          continue
        }
        let start = row == 0 ? 0 : Int(other.ends[Int(row) - 1])
        append(
          other.kinds[Int(row)],
          bytes: UnsafeRawBufferPointer(rebasing: values[start..<Int(other.ends[Int(row)])]))
      }
    }
  }

  /// Calls `body` with the bytes of a row.
  package func withBytes<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
  {
    let start = row == 0 ? 0 : Int(ends[row - 1])
    let end = Int(ends[row])
    return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  /// Reserves a multiple of the present number of rows and bytes.
  package mutating func reserveCapacity(factor: Double) {
    kinds.reserveCapacity(factor: factor)
    ends.reserveCapacity(factor: factor)
    bytes.reserveCapacity(factor: factor)
  }

  /// Makes room for a total number of rows and bytes.
  mutating func reserve(rows: Int, bytes: Int) {
    kinds.reserveCapacity(rows)
    ends.reserveCapacity(rows)
    self.bytes.reserveCapacity(bytes)
  }

  /// Removes all rows and keeps the memory.
  package mutating func removeAll() {
    kinds.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

extension Column<UInt32> {
  /// Appends the ends of runs to the existing ones; each moves by a distance.
  fileprivate mutating func append(ends: Slice<Column<UInt32>>, movedBy distance: UInt32) {
    let first = count
    append(contentsOf: ends)
    guard distance != 0 else { return }
    withUnsafeMutableBufferPointer { all in
      for index in first..<all.count { all[index] &+= distance }
    }
  }
}

extension Column {
  /// Reserves room while preserving growth by doubling.
  fileprivate mutating func reserveCapacity(exponentially count: Int) {
    if count > capacity { reserveCapacity(Swift.max(count, 2 * capacity)) }
  }

  /// Reserves a multiple of the present number of elements.
  mutating func reserveCapacity(factor: Double) {
    let wanted = Double(count) * factor
    if wanted > Double(capacity), wanted < 1e12 { reserveCapacity(Int(wanted)) }
  }
}
