/// The record of each row of a set in which a record may be several rows in succession: the points
/// of a multipoint, or the lines and polygons of a collection.
package struct RecordOwners: Sendable {
  /// The record of each row, ascending; `nil` while every record is one row.
  package private(set) var records: Column<UInt32>?

  /// The number of records.
  package private(set) var recordCount = 0

  private let scratch: Scratch?

  /// Creates owners of no rows.
  ///
  /// - Parameter scratch: decides where the column lies; `nil` for memory.
  package init(in scratch: Scratch? = nil) { self.scratch = scratch }

  /// Restores owners from a saved column; `nil` if it does not fit the number of rows.
  ///
  /// - Complexity: O(rows) if some records are several rows.
  package init?(
    records: Column<UInt32>?, recordCount: Int, rowCount: Int, in scratch: Scratch? = nil
  ) {
    guard (0...rowCount).contains(recordCount) else { return nil }
    if let records {
      guard records.count == rowCount, records.allSatisfy({ $0 < recordCount }) else { return nil }
    } else {
      guard recordCount == rowCount else { return nil }
    }
    self.records = records
    self.recordCount = recordCount
    self.scratch = scratch
  }

  /// Returns the number of the record that a row belongs to, from 0, ascending with the rows.
  package func record(of row: Int) -> Int {
    records.map { Int($0[row]) } ?? row
  }

  /// Returns all rows of the record that a row belongs to.
  ///
  /// - Complexity: O(log rows), O(1) while every record is one row.
  package func rows(sharingRecordOf row: Int) -> Range<Int> {
    guard let records else { return row..<(row + 1) }
    let record = records[row]
    let first = Self.firstRow(in: 0..<row) { records[$0] >= record }
    return first..<Self.firstRow(in: (row + 1)..<records.count) { records[$0] > record }
  }

  /// Appends rows.
  ///
  /// - Parameter rows: what each row is made from, ascending; consecutive equal ones are one record.
  /// - Complexity: O(rows).
  package mutating func append(_ rows: some RandomAccessCollection<Int>) {
    let distinct = Self.countDistinct(rows)
    if distinct < rows.count, records == nil {
      records = Column(0..<UInt32(recordCount), in: scratch)
    }
    if records != nil {
      var record = recordCount - 1
      var last: Int?
      for row in rows {
        if row != last { record += 1 }
        last = row
        records?.append(UInt32(record))
      }
    }
    recordCount += distinct
  }

  /// Reserves a multiple of the present number of rows.
  package mutating func reserveCapacity(factor: Double) {
    records?.reserveCapacity(factor: factor)
  }

  /// Returns the number of distinct values in an ascending sequence.
  static func countDistinct(_ rows: some RandomAccessCollection<Int>) -> Int {
    var count = 0
    var last: Int?
    for row in rows where row != last {
      count += 1
      last = row
    }
    return count
  }

  /// Returns the first row that passes a test which all later ones pass, too; the end if none does.
  private static func firstRow(in rows: Range<Int>, where passes: (Int) -> Bool) -> Int {
    var (low, high) = (rows.lowerBound, rows.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if passes(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
