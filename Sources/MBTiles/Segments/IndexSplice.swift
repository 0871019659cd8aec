import Tiling

/// The entries of an index: their keys, and what is stored of them.
protocol IndexEntry {
  associatedtype Key: Comparable

  /// Returns the key of a record of the index; `nil` if it is none.
  static func key(of record: UnsafeRawBufferPointer) -> Key?

  /// Whether a run of leaves ends with an entry; see ``ArchiveSegments``.
  static func endsRun(_ key: Key) -> Bool

  /// Writes the record of an entry.
  static func write(_ key: Key, row: UInt64, to record: inout RecordBuffer)
}

/// The entries of the index of tiles, in its order.
enum TileIndexEntry: IndexEntry {
  static func key(of record: UnsafeRawBufferPointer) -> TileIndexPlace? {
    guard var values = IndexRecord(record), let zoom = values.integer(),
      let column = values.integer(), let row = values.integer(),
      (0...Int64(TileCoord.maxZoom)).contains(zoom), (0..<(1 << zoom)).contains(column),
      (0..<(1 << zoom)).contains(row)
    else { return nil }
    return TileIndexPlace(TileCoord(z: Int(zoom), x: Int(column), tmsRow: Int(row)))
  }

  static func endsRun(_ key: TileIndexPlace) -> Bool { ArchiveSegments.endsRun(key.tile) }

  static func write(_ key: TileIndexPlace, row: UInt64, to record: inout RecordBuffer) {
    let tile = key.tile
    record.begin()
    record.add(Int64(tile.z))
    record.add(Int64(tile.x))
    record.add(Int64(tile.tmsRow))
    record.add(Int64(row))
  }
}

/// The entries of the index of images.
enum ImageIndexEntry: IndexEntry {
  static func key(of record: UnsafeRawBufferPointer) -> MD5Digest? {
    guard var values = IndexRecord(record), let name = values.text() else { return nil }
    return MD5Digest(hexadecimal: name)
  }

  static func endsRun(_ key: MD5Digest) -> Bool { ArchiveSegments.endsRun(key) }

  static func write(_ key: MD5Digest, row: UInt64, to record: inout RecordBuffer) {
    record.begin()
    record.add(key)
    record.add(Int64(row))
  }
}

/// A difference between an index and the one of the last archive.
struct IndexChange<Key: Comparable> {
  let key: Key

  /// The number of the entry's row; `nil` if the entry is removed.
  let row: UInt64?
}

/// A writer of an index that copies the runs of leaves of the last archive's index without a
/// change.
enum IndexSplice {
  /// Writes the leaves of an index and returns the pages above them, which are to be written.
  ///
  /// - Parameters:
  ///   - changes: by ascending keys.
  ///   - old: the index of the last archive, whose file is the source's.
  /// - Throws: ``ArchiveError``, also if the last index lacks an entry that is to be removed.
  static func write<Entry: IndexEntry>(
    _ entries: Entry.Type, _ changes: [IndexChange<Entry.Key>], to file: PageFile,
    from old: StoredIndex, of source: StoredPages
  ) throws(ArchiveError) -> InteriorPages {
    var index = IndexTree(file)
    var writing = RunWriter<Entry>(source: source, rest: changes[...])
    var leaf = 0
    while leaf < old.count {
      let (end, last) = try writing.run(from: leaf, of: old)
      // An only leaf is the root, which does not lie where leaves do.
      let isOnly = leaf == old.count - 1 && index.isEmpty
      if !isOnly, !writing.isChanged(through: last),
        try writing.keepsEntries(from: end, of: old), try index.endRun()
      {
        try copy(leaf..<end, of: old, from: source, to: file, &index)
      } else {
        try writing.write(leaf..<end, of: old, isLast: end == old.count, to: &index)
      }
      leaf = end
    }
    guard writing.isComplete else { throw source.damaged }
    return try index.end()
  }

  /// Copies leaves, as many as lie one after the other at a time.
  private static func copy(
    _ leaves: Range<Int>, of old: StoredIndex, from source: StoredPages, to file: PageFile,
    _ index: inout IndexTree
  ) throws(ArchiveError) {
    var start = leaves.lowerBound
    while start < leaves.upperBound {
      var end = start + 1
      while end < leaves.upperBound, old.pages[end] == old.pages[end - 1] + 1 { end += 1 }
      let pages = old.pages[start]..<(old.pages[end - 1] + 1)
      let isCopied = file.canCopy(pages)
      let first = isCopied ? try file.append(pages, of: source) : 0
      for leaf in start..<end {
        let page =
          isCopied
          ? first + UInt32(leaf - start)
          : try source.page(old.pages[leaf]).withUnsafeBufferPointer {
            (bytes) throws(ArchiveError) in
            try file.append(UnsafeRawBufferPointer(bytes))
          }
        index.addLeaf(page, separator: old.separator(leaf))
      }
      start = end
    }
  }
}

/// A writer of the runs of an index that contain changes.
private struct RunWriter<Entry: IndexEntry>: ~Copyable {
  let source: StoredPages

  /// The changes that are still to be made.
  private var rest: ArraySlice<IndexChange<Entry.Key>>
  private var record = RecordBuffer()

  init(source: StoredPages, rest: ArraySlice<IndexChange<Entry.Key>>) {
    self.source = source
    self.rest = rest
  }

  /// Whether all changes are made.
  var isComplete: Bool { rest.isEmpty }

  /// Returns the end of the run of leaves that begins with one, and its last entry; `nil` for the last
  /// run.
  func run(
    from leaf: Int, of old: StoredIndex
  ) throws(ArchiveError) -> (end: Int, last: Entry.Key?) {
    for end in leaf..<(old.count - 1) {
      let cell = old.separator(end)
      let key = try cell.withUnsafeBufferPointer { (cell) throws(ArchiveError) in
        try self.key(of: source.record(ofCell: UnsafeRawBufferPointer(cell)))
      }
      if Entry.endsRun(key) { return (end + 1, key) }
    }
    return (old.count, nil)
  }

  private func key(of record: UnsafeRawBufferPointer) throws(ArchiveError) -> Entry.Key {
    guard let key = Entry.key(of: record) else { throw source.damaged }
    return key
  }

  /// Whether there is a change up to an entry; `nil` for any change.
  func isChanged(through last: Entry.Key?) -> Bool {
    guard let next = rest.first else { return false }
    return last.map { next.key <= $0 } ?? true
  }

  /// Whether entries follow a run without changes, or none did: the last entry of an index stays in
  /// its leaf.
  ///
  /// - Complexity: O(1), unless as many entries go as there may be after the run.
  func keepsEntries(from leaf: Int, of old: StoredIndex) throws(ArchiveError) -> Bool {
    let leaves = leaf..<old.count
    guard !leaves.isEmpty, rest.count >= 2 * leaves.count - 1, rest.last?.row == nil else {
      return true
    }
    var (removed, isKept) = (rest.makeIterator(), false)
    try source.forEachRecord(ofLeaves: leaves, of: old) { (record) throws(ArchiveError) in
      let key = try key(of: record)
      isKept = removed.next().map { $0.key != key || $0.row != nil } ?? true
      return !isKept
    }
    return isKept
  }

  /// Writes the entries of a run, with its changes.
  mutating func write(
    _ leaves: Range<Int>, of old: StoredIndex, isLast: Bool, to index: inout IndexTree
  ) throws(ArchiveError) {
    let source = source
    try source.forEachRecord(ofLeaves: leaves, of: old) { (record) throws(ArchiveError) in
      try write(record, to: &index)
      return true
    }
    while isLast, let change = rest.popFirst() { try insert(change, to: &index) }
  }

  /// Writes an entry of the last archive, and the new ones before it.
  private mutating func write(
    _ record: UnsafeRawBufferPointer, to index: inout IndexTree
  ) throws(ArchiveError) {
    let key = try key(of: record)
    while let next = rest.first, next.key < key {
      rest.removeFirst()
      try insert(next, to: &index)
    }
    if let next = rest.first, next.key == key {
      rest.removeFirst()
      if next.row != nil { try insert(next, to: &index) }
      return
    }
    try index.append(
      RecordPayload(head: record, tail: UnsafeRawBufferPointer(start: nil, count: 0)),
      endsRun: Entry.endsRun(key))
  }

  private mutating func insert(
    _ change: IndexChange<Entry.Key>, to index: inout IndexTree
  ) throws(ArchiveError) {
    guard let row = change.row else { throw source.damaged }
    Entry.write(change.key, row: row, to: &record)
    let endsRun = Entry.endsRun(change.key)
    try record.withPayload { (payload) throws(ArchiveError) in
      try index.append(payload, endsRun: endsRun)
    }
  }
}

extension StoredPages {
  /// Calls `body` with the record of each entry of some leaves of an index and of those after them,
  /// in order, until it returns `false`.
  fileprivate func forEachRecord(
    ofLeaves leaves: Range<Int>, of index: StoredIndex,
    _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) {
    for leaf in leaves {
      let page = try page(index.pages[leaf])
      let goesOn = try page.withUnsafeBufferPointer { (page) throws(ArchiveError) -> Bool in
        for cell in try cells(ofIndexLeaf: UnsafeRawBufferPointer(page)) {
          guard try body(record(ofCell: cell)) else { return false }
        }
        return true
      }
      guard goesOn else { return }
      let separator = index.separator(leaf)
      if separator.isEmpty { continue }
      let isNext = try separator.withUnsafeBufferPointer { (cell) throws(ArchiveError) -> Bool in
        try body(record(ofCell: UnsafeRawBufferPointer(cell)))
      }
      guard isNext else { return }
    }
  }
}
