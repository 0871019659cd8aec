import Platform
import SQLite

/// The differences between the data of keys in two archives.
package struct EntryChanges {
  /// The keys that both have, with different data.
  package private(set) var changed: Set<[UInt8]> = []

  /// Keys that only the new archive has.
  package private(set) var fresh: Set<[UInt8]> = []

  /// Keys that only the old archive has, ascending.
  package private(set) var dropped: [[UInt8]] = []

  /// Compares both tables as they are stored: in the order of the keys, unless an app patched them or
  /// an earlier version wrote them. Rows whose counterpart has passed are done; the others wait for
  /// theirs, so memory grows with the difference between the orders.
  ///
  /// - Complexity: O(bytes of both tables).
  init(old: ArchiveReader, new: ArchiveReader) throws(ArchiveError) {
    let before = try Self.rows(of: old)
    let after = try Self.rows(of: new)
    var waitingBefore: [[UInt8]: MD5Digest] = [:]
    var waitingAfter: [[UInt8]: MD5Digest] = [:]
    var hasBefore = try Self.step(before, old)
    var hasAfter = try Self.step(after, new)
    while hasBefore || hasAfter {
      if hasBefore, hasAfter, Self.areEqual(before, after) {
        hasBefore = try Self.step(before, old)
        hasAfter = try Self.step(after, new)
        continue
      }
      let order = hasBefore && hasAfter ? Self.order(before, after) : 0
      if hasBefore, order <= 0 {
        meet(before, among: &waitingAfter, else: &waitingBefore)
        hasBefore = try Self.step(before, old)
      }
      if hasAfter, order >= 0 {
        meet(after, among: &waitingBefore, else: &waitingAfter)
        hasAfter = try Self.step(after, new)
      }
    }
    fresh = Set(waitingAfter.keys)
    dropped = waitingBefore.keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Adds a row of one archive, which matches its counterpart in the other or waits for it.
  private mutating func meet(
    _ row: borrowing Statement, among others: inout [[UInt8]: MD5Digest],
    else own: inout [[UInt8]: MD5Digest]
  ) {
    let key = row.withBytes(0) { Array($0) }
    let digest = row.withBytes(1) { MD5Digest(of: $0) }
    guard let other = others.removeValue(forKey: key) else {
      own[key] = digest
      return
    }
    if other != digest { changed.insert(key) }
  }

  /// Returns a negative number if the key of a row precedes another's, a positive one if it follows.
  private static func order(_ one: borrowing Statement, _ other: borrowing Statement) -> Int {
    one.withBytes(0) { key in
      other.withBytes(0) { next in
        if key.lexicographicallyPrecedes(next) { return -1 }
        return next.lexicographicallyPrecedes(key) ? 1 : 0
      }
    }
  }

  private static func areEqual(
    _ one: borrowing Statement, _ other: borrowing Statement
  ) -> Bool {
    for column in Int32(0)...1 {
      let isEqual = one.withBytes(column) { bytes in
        other.withBytes(column) { bytes.hasSameBytes(as: $0) }
      }
      if !isEqual { return false }
    }
    return true
  }

  private static func rows(of reader: ArchiveReader) throws(ArchiveError) -> Statement {
    return try reader.prepare("SELECT key_name, key_json FROM keymap", for: .taps())
  }

  private static func step(
    _ rows: borrowing Statement, _ reader: ArchiveReader
  ) throws(ArchiveError) -> Bool {
    return try reader.reading(.taps()) { () throws(SQLiteError) in
      try rows.step()
    }
  }
}
