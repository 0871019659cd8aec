import Features
import Ingest

/// A search for the rows of a batch whose keys a log names.
struct EditSearch {
  /// A row and the number of its key in the log.
  struct Hit {
    var row: Int
    var key: Int
  }

  private let log: EditLog
  /// The rows found, ascending, of the batch that was searched last.
  private(set) var hits = ContiguousArray<Hit>()

  init(_ log: EditLog) { self.log = log }

  /// Searches a batch.
  ///
  /// - Complexity: O(rows + bytes of the keys found); 3 ns per row that the log does not name.
  mutating func search(_ batch: FeatureBatch) {
    hits.removeAll(keepingCapacity: true)
    let column = log.key.flatMap { name in batch.columns.first { $0.name == name } }
    guard let column else { return search(batch.ids, otherwise: nil) }
    search(column, otherwise: batch.ids)
  }

  /// - Parameter otherwise: the keys of the rows that are null in the first column.
  private mutating func search(_ column: PropertyColumn, otherwise: PropertyColumn?) {
    let log = self.log
    var hits = self.hits
    self.hits = []
    log.filter.withTable { table in
      column.withRows { kinds, ends, bytes in
        var start = 0
        for row in 0..<kinds.count {
          let end = Int(ends[row])
          defer { start = end }
          switch kinds[row] {
          case .text, .string:
            let key = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            guard table.mayContain(key) else { continue }
            if let number = log.keys.number(of: key) { hits.append(Hit(row: row, key: number)) }
          case .missing, .null:
            guard let otherwise else { continue }
            if let number = log.number(of: otherwise, row, table) {
              hits.append(Hit(row: row, key: number))
            }
          case .number, .false, .true, .json:
            if let number = log.number(of: column, row, table) {
              hits.append(Hit(row: row, key: number))
            }
          }
        }
      }
    }
    self.hits = hits
  }
}

extension EditLog {
  /// Returns the number of a row's key, or `nil` where the log does not name it.
  fileprivate func number(
    of column: PropertyColumn, _ row: Int, _ table: KeyFilter.Table
  ) -> Int? {
    KeyText.withBytes(of: column, row) { table.mayContain($0) ? keys.number(of: $0) : nil } ?? nil
  }
}

extension PropertyColumn {
  /// Calls `body` with the kinds and ends of all rows and their bytes.
  fileprivate func withRows(
    _ body: (
      UnsafeBufferPointer<Kind>, UnsafeBufferPointer<UInt32>, UnsafeRawBufferPointer
    ) -> Void
  ) {
    kinds.withUnsafeBufferPointer { kinds in
      ends.withUnsafeBufferPointer { ends in
        bytes.withUnsafeBytes { body(kinds, ends, $0) }
      }
    }
  }
}
