import Platform
import SystemPackage

/// A sorter of records by their keys in bounded memory.
///
/// Records are kept until they fill the budget, then sorted; with a limit, all records beyond it
/// are dropped, so that few records never touch the disk. If they still take more than half of the
/// budget, they are written to a spool file as a sorted run, and runs are merged at the end.
final class RecordSorter {
  /// The default budget in bytes of the arena and its entries; 64 MiB hold about 300,000 points
  /// with ten properties.
  static let defaultBudget = 64 << 20

  /// A record in the arena: its key, then its body.
  private struct Entry {
    var start: Int
    var keyEnd: Int
    var end: Int
  }

  private let limit: Int
  private let budget: Int
  private let folder: FilePath
  private var arena: [UInt8] = []
  private var entries: [Entry] = []
  /// The first key that cannot be among the first `limit` records.
  private var firstDropped: [UInt8]?
  private var spool: SpoolFile?
  private(set) var runs: [SpoolFile.Run] = []

  /// - Parameters:
  ///   - limit: the number of wanted records.
  ///   - folder: the folder of the spool file.
  init(limit: Int, folder: FilePath, budget: Int = RecordSorter.defaultBudget) {
    self.limit = limit
    self.folder = folder
    self.budget = budget
  }

  /// Whether a record with this key can be among the wanted ones.
  func wants(_ key: [UInt8]) -> Bool {
    guard let firstDropped else { return limit > 0 }
    return key.withUnsafeBytes { key in firstDropped.withUnsafeBytes { key.precedes($0) } }
  }

  /// Adds a record.
  ///
  /// - Complexity: O(log records) comparisons amortized.
  func add(key: [UInt8], record: [UInt8]) throws {
    guard wants(key) else { return }
    let start = arena.count
    arena += key
    arena += record
    entries.append(Entry(start: start, keyEnd: start + key.count, end: arena.count))
    if size > budget { try shrink() }
  }

  /// The number of bytes that the records take.
  private var size: Int { arena.count + entries.count * MemoryLayout<Entry>.stride }

  /// Sorts the records, drops those beyond the limit, and spools the rest if it is still too large.
  private func shrink() throws {
    sort()
    compact()
    if size > budget / 2 { try spill() }
  }

  private func sort() {
    arena.withUnsafeBytes { arena in
      entries.sort { first, second in
        UnsafeRawBufferPointer(rebasing: arena[first.start..<first.keyEnd])
          .precedes(UnsafeRawBufferPointer(rebasing: arena[second.start..<second.keyEnd]))
      }
    }
    guard entries.count > limit else { return }
    firstDropped = Array(arena[entries[limit].start..<entries[limit].keyEnd])
    entries.removeLast(entries.count - limit)
  }

  /// Moves the remaining records together.
  private func compact() {
    var kept: [UInt8] = []
    kept.reserveCapacity(entries.reduce(0) { $0 + $1.end - $1.start })
    for index in entries.indices {
      let entry = entries[index]
      let start = kept.count
      kept += arena[entry.start..<entry.end]
      entries[index] = Entry(
        start: start, keyEnd: start + entry.keyEnd - entry.start, end: kept.count)
    }
    arena = kept
  }

  private func spill() throws {
    let spool = try self.spool ?? SpoolFile(in: folder)
    self.spool = spool
    try arena.withUnsafeBytes { arena in
      for entry in entries {
        try spool.append(
          key: UnsafeRawBufferPointer(rebasing: arena[entry.start..<entry.keyEnd]),
          record: UnsafeRawBufferPointer(rebasing: arena[entry.keyEnd..<entry.end]))
      }
    }
    runs.append(try spool.endRun())
    arena.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// Passes the records to `visit` in order, `limit` of them at most; may be called again.
  func forEach(_ visit: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let spool else {
      sort()
      try arena.withUnsafeBytes { arena in
        for entry in entries {
          try visit(UnsafeRawBufferPointer(rebasing: arena[entry.keyEnd..<entry.end]))
        }
      }
      return
    }
    if !entries.isEmpty {
      sort()
      try spill()
    }
    arena = []
    var merge = try RunMerge(runs, of: spool)
    var left = limit
    while left > 0, try merge.next(visit) { left -= 1 }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes precede others: the first difference decides, otherwise the shorter
  /// length.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    guard let first = baseAddress, let second = other.baseAddress else {
      return count < other.count
    }
    let order = memcmp(first, second, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }
}
