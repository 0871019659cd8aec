import Columns
import Features
import Hashing
import MBTiles
import Reuse
import Runs
import SystemPackage
import Tiling

/// The making of an archive from the last one: segments in which nothing changes are copied within
/// the system, the others are written anew. The file has the bytes that a full build would give.
///
/// Only for an archive without taps whose file has not been touched since it was published.
struct ArchiveSplice {
  /// The share of the rows that may differ, its reciprocal; with more, an archive is faster written as a
  /// whole: of a million points that is so from one row in 25 on.
  private static let limitShare = 24

  let state: TileState
  let difference: RowDifference
  private let rows: PlannedRows
  let pages: StoredPages
  private let archive: FilePath

  /// A part of the file that was written anew: the numbers of its tiles, and how many there are.
  private(set) var written: [WrittenRows] = []

  /// The first tile of the next archive that shows each image that some changed row shows or showed.
  private struct FirstTiles {
    var tiles: [MD5Digest: UInt64] = [:]
    private(set) var filter = HashFilter()

    mutating func add(_ image: MD5Digest, _ tile: UInt64) {
      tiles[image] = min(tiles[image] ?? .max, tile)
      filter.insert(image.low)
    }
  }

  private var firstTiles = FirstTiles()

  /// The last archive turned out not to hold what its state says: all must be written.
  struct Misfit: Error {}

  /// - Parameters:
  ///   - archive: the last archive.
  ///   - pageSize: that of its pages, and of those to be written.
  /// - Returns: `nil` if too much differs, or its pages are not those of this program.
  init?(
    of archive: FilePath, _ state: TileState, to planned: PlannedTiles, pageSize: PageSize
  ) {
    let rows = planned.rows
    guard state.contents.count > 0, rows.count > 0,
      let difference = RowDifference(
        from: state, to: rows, limit: max(rows.count / Self.limitShare, 64)),
      let pages = try? StoredPages(archive, layout: state.layout, pageSize: pageSize),
      pages.hold(state.contents.segments)
    else { return nil }
    self.state = state
    self.difference = difference
    self.rows = rows
    self.pages = pages
    self.archive = archive
  }

  private var contents: ArchiveContents { state.contents }

  /// Writes all rows.
  ///
  /// - Parameter advance: receives the number of rows written so far; it throws to end the stage.
  /// - Throws: also ``Misfit``.
  /// - Returns: the hash tree over the tiles.
  mutating func write(
    _ fresh: FreshImages, to writer: SpliceWriter, advance: (Int) throws -> Void
  ) throws -> BlockHashes {
    firstTiles = state.layout == .dedup ? findFirstTiles(fresh) : FirstTiles()
    let isChanged = changedSegments()
    var cursor = PlannedRowCursor(rows)
    var source = try SpliceSource(archive, state, difference, fresh)
    var (done, start) = (0, 0)
    var next = cursor.next()
    for segment in 0..<contents.segments.count {
      let last = contents.segments.lastTiles[segment]
      let end = contents.end(ofSegment: segment)
      if !isChanged[segment], next?.number == contents.tiles[start],
        writer.canCopy(segment)
      {
        try writer.copy(segment, start..<end)
        done += 1 + cursor.skip(through: last)
        next = cursor.next()
      } else {
        done += try writeRows(through: last, from: &next, &cursor, &source, to: writer)
      }
      start = end
      try advance(done)
    }
    done += try writeRows(through: .max, from: &next, &cursor, &source, to: writer)
    try advance(done)
    return try blocks(&source)
  }

  /// Writes the rows up to a number anew, and returns how many there are.
  private mutating func writeRows(
    through last: UInt64, from next: inout PlannedRowCursor.Row?, _ cursor: inout PlannedRowCursor,
    _ source: inout SpliceSource, to writer: SpliceWriter
  ) throws -> Int {
    var count = 0
    var numbers: ClosedRange<UInt64>?
    while let row = next, row.number <= last {
      guard let tile = TileCoord(number: row.number) else { throw Misfit() }
      let image = try source.image(of: row)
      let first = firstTile(of: image) ?? row.number
      if first < row.number {
        try writer.addTile(tile, showing: image.md5, of: first, size: image.size)
      } else {
        try source.withBytes(of: image) { try writer.addTile(tile, storing: $0, image.md5) }
      }
      count += 1
      numbers = (numbers?.lowerBound ?? row.number)...row.number
      next = cursor.next()
    }
    if let numbers { written.append(WrittenRows(numbers: numbers, count: count)) }
    return count
  }

  // MARK: Changed segments

  /// Returns for each segment whether a row of it changes, comes or goes, or an image that it stores.
  private func changedSegments() -> [Bool] {
    var isChanged = [Bool](repeating: false, count: contents.segments.count)
    func change(_ number: UInt64) {
      let segment = self.segment(of: number)
      if segment < isChanged.count { isChanged[segment] = true }
      // Where the last one ended because no tile followed, it goes on now.
      if segment == isChanged.count, !contents.segments.isClosed { isChanged[segment - 1] = true }
    }
    for index in difference.removed { change(contents.tiles[Int(index)]) }
    for row in difference.added { change(row.number) }
    guard state.layout == .dedup else { return isChanged }
    forEachStaying(firstTiles.filter) { index, image in
      guard let tile = firstTiles.tiles[image] else { return }
      let number = contents.tiles[index]
      if (contents.imageRows[index] == number) != (tile == number) { change(number) }
    }
    return isChanged
  }

  /// The first tile of the next archive that shows an image; `nil` where each tile is stored with
  /// its own.
  private func firstTile(of image: FreshImages.Image) -> UInt64? {
    if let tile = firstTiles.tiles[image.md5] { return tile }
    guard state.layout == .dedup, case .row(let row) = image.source else { return nil }
    return row
  }

  private func findFirstTiles(_ fresh: FreshImages) -> FirstTiles {
    var first = FirstTiles()
    for index in difference.removed { first.add(contents.images[Int(index)], .max) }
    for row in difference.added {
      if let image = fresh.images[row.scene] { first.add(image.md5, row.number) }
    }
    forEachStaying(first.filter) { index, image in
      guard let known = first.tiles[image] else { return }
      first.tiles[image] = min(known, contents.tiles[index])
    }
    return first
  }

  /// Calls `body` with the index and the image of each tile that stays as it is, as far as a filter
  /// lets its image pass.
  private func forEachStaying(_ filter: HashFilter, _ body: (Int, MD5Digest) -> Void) {
    var removed = 0
    for (index, image) in contents.images.enumerated() where filter.mayContain(image.low) {
      while removed < difference.removed.count, Int(difference.removed[removed]) < index {
        removed += 1
      }
      if removed < difference.removed.count, Int(difference.removed[removed]) == index { continue }
      body(index, image)
    }
  }

  /// Returns the segment that a tile belongs to, or would; their number if it comes after all.
  private func segment(of number: UInt64) -> Int {
    contents.segments.lastTiles.bisectedIndex(notBefore: { $0 < number })
  }

  // MARK: Fingerprints

  /// Returns the hash tree over the tiles: the hashes of blocks without a changed row stay.
  private func blocks(_ source: inout SpliceSource) throws -> BlockHashes {
    var changed: Set<UInt64> = []
    func change(_ number: UInt64) {
      guard let tile = TileCoord(number: number) else { return }
      changed.insert(BlockHashes.block(of: tile).archiveKey)
    }
    for index in difference.removed { change(contents.tiles[Int(index)]) }
    for row in difference.added { change(row.number) }
    var blocks = BlockHashes(in: contents.tiles.scratch)
    var rest = changed.sorted()[...]
    func append(before key: UInt64, _ source: inout SpliceSource) throws {
      while let next = rest.first, next < key {
        rest.removeFirst()
        try source.append(TileCoord(archiveKey: next), to: &blocks)
      }
    }
    for (index, key) in state.blocks.keys.enumerated() {
      try append(before: key, &source)
      if rest.first == key {
        try append(before: key + 1, &source)
      } else {
        blocks.append(TileCoord(archiveKey: key), state.blocks.hashes[index])
      }
    }
    try append(before: .max, &source)
    return blocks
  }

  // MARK: Changes

  /// The tiles that differ from those of the last archive.
  func changes(_ fresh: FreshImages) -> TileChanges {
    var zooms = (0...TileCoord.maxZoom).map { TileChanges.Zoom(zoom: $0) }
    for zoom in rows.zooms { zooms[zoom.zoom].unchanged = zoom.count }
    var removed = 0
    func number(_ removed: Int) -> UInt64 { contents.tiles[Int(difference.removed[removed])] }
    func zoom(_ number: UInt64) -> Int { TileCoord(number: number)?.z ?? 0 }
    for row in difference.added {
      while removed < difference.removed.count, number(removed) < row.number {
        zooms[zoom(number(removed))].removed += 1
        removed += 1
      }
      let place = zoom(row.number)
      guard removed < difference.removed.count, number(removed) == row.number else {
        zooms[place].added += 1
        zooms[place].unchanged -= 1
        continue
      }
      if contents.images[Int(difference.removed[removed])] != fresh.images[row.scene]?.md5 {
        zooms[place].changed += 1
        zooms[place].unchanged -= 1
      }
      removed += 1
    }
    while removed < difference.removed.count {
      zooms[zoom(number(removed))].removed += 1
      removed += 1
    }
    return TileChanges(zooms: zooms.filter { $0.tiles > 0 })
  }
}

extension TileChanges.Zoom {
  /// The number of tiles of either archive.
  fileprivate var tiles: Int { added + changed + removed + unchanged }
}
