import MBTiles
import TapBlocks

/// The compact taps of a delta, compared and replaced row by row, since each row is one zlib
/// stream.
enum DeltaTaps {
  /// The number of rows of each table that a delta has.
  struct Counts {
    var blocks = 0
    var pages = 0
  }

  /// Writes the rows by which two archives differ.
  ///
  /// - Complexity: O(bytes of the taps of both).
  static func write(
    from old: ArchiveReader, to new: ArchiveReader, into rows: DeltaRows
  ) throws(ArchiveError) -> Counts {
    try counting { (table) throws(ArchiveError) in
      let (before, after) = (
        try TapRowCursor(table, of: old), try TapRowCursor(table, of: new)
      )
      var count = 0
      while before.key != nil || after.key != nil {
        if let key = after.key, before.key.map({ key <= $0 }) ?? true {
          let isThere = before.key == key
          let isSame = isThere && before.hasSameContent(as: after)
          if !isSame {
            try after.withContent { (bytes) throws(ArchiveError) in
              try rows.insertTaps(table, key, bytes)
            }
            count += 1
          }
          if isThere { try before.step() }
          try after.step()
        } else if let key = before.key {
          try rows.removeTaps(table, key)
          try before.step()
        }
      }
      return count
    }
  }

  /// Writes the rows of two successive deltas; the second delta decides on a row that is in both.
  static func merge(
    _ first: DeltaReader, _ second: DeltaReader, into rows: DeltaRows
  ) throws(ArchiveError) -> Counts {
    try counting { (table) throws(ArchiveError) in
      let (old, new) = (try Changes(table, first), try Changes(table, second))
      var count = 0
      while let key = [old.key, new.key].compactMap(\.self).min() {
        let source = new.key == key ? new : old
        if source.isRemoval {
          try rows.removeTaps(table, key)
        } else {
          try source.changed.withContent { (bytes) throws(ArchiveError) in
            try rows.insertTaps(table, key, bytes)
          }
          count += 1
        }
        if old.key == key { try old.step() }
        if new.key == key { try new.step() }
      }
      return count
    }
  }

  /// Writes the taps of the new archive: the old archive's rows, changed by a delta.
  ///
  /// - Complexity: O(bytes of the taps of both).
  static func apply(
    _ delta: DeltaReader, to archive: ArchiveReader, _ writer: ArchiveWriter
  ) throws(ArchiveError) {
    let inflater = TapInflater()
    for table in TapTable.allCases {
      let old = try TapRowCursor(table, of: archive)
      let new = try Changes(table, delta)
      while let key = [old.key, new.key].compactMap(\.self).min() {
        let isChange = new.key == key
        guard !isChange || !new.isRemoval || old.key == key || delta.facts.merged != nil else {
          throw delta.damaged("it removes taps that are not there")
        }
        if !isChange || !new.isRemoval {
          try (isChange ? new.changed : old).withContent { (bytes) throws(ArchiveError) in
            let count: Int
            do throws(TapFault) {
              count = try self.count(key, bytes, inflater)
            } catch {
              throw isChange
                ? delta.damaged("a row of taps \(error.text)")
                : ArchiveError(
                  .content(.damagedTaps(fault: "a row \(error.text)")), path: archive.path)
            }
            try add(key, Array(bytes), count, to: writer)
          }
        }
        if old.key == key { try old.step() }
        if isChange { try new.step() }
      }
    }
  }

  /// Returns the number of tiles of a block that answer, or of entries of a page.
  private static func count(
    _ key: TapRowKey, _ bytes: UnsafeRawBufferPointer, _ inflater: TapInflater
  ) throws(TapFault) -> Int {
    let inflated = try inflater.inflate(bytes)
    guard let first = key.firstFeature else {
      return try TapBlock(inflated).tiles.nonzeroBitCount
    }
    return try TapEntryPage(inflated, first: Int64(first)).entries.count
  }

  private static func add(
    _ key: TapRowKey, _ stream: [UInt8], _ count: Int, to writer: ArchiveWriter
  ) throws(ArchiveError) {
    if let block = key.block {
      try writer.addTaps(block, stream, tiles: count)
    } else if let first = key.firstFeature {
      try writer.addTapEntries(first: first, stream, count: count)
    }
  }

  private static func counting(
    _ body: (TapTable) throws(ArchiveError) -> Int
  ) throws(ArchiveError) -> Counts {
    Counts(blocks: try body(.blocks), pages: try body(.pages))
  }
}

extension DeltaTaps {
  /// The new and the removed rows of a table of a delta, side by side.
  private final class Changes {
    let changed: TapRowCursor
    private let removed: TapRowCursor
    private let delta: DeltaReader

    init(_ table: TapTable, _ delta: DeltaReader) throws(ArchiveError) {
      self.delta = delta
      changed = try TapRowCursor(table, of: delta)
      removed = try TapRowCursor(table, of: delta, removed: true)
      try requireOne()
    }

    /// The place of the row; `nil` after the last one.
    var key: TapRowKey? { [changed.key, removed.key].compactMap(\.self).min() }

    /// Whether the row is one that is removed.
    var isRemoval: Bool { key != changed.key }

    func step() throws(ArchiveError) {
      try (isRemoval ? removed : changed).step()
      try requireOne()
    }

    private func requireOne() throws(ArchiveError) {
      guard changed.key == nil || changed.key != removed.key else {
        throw delta.damaged("taps are removed and changed")
      }
    }
  }
}
