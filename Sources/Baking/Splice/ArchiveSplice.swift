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
/// Only for an archive whose file has not been touched since it was published.
struct ArchiveSplice {
  /// The share of the rows that may differ, its reciprocal; with more, an archive is faster written as a
  /// whole: of a million points that is so from one row in 25 on.
  private static let limitShare = 24

  /// The number of segments up to which any share of them may change: their archive is written in the
  /// blink of an eye either way.
  private static let fewSegments = 32

  let state: TileState
  let difference: RowDifference
  private let rows: PlannedRows
  let pages: StoredPages
  private let archive: FilePath

  /// A part of the file that was written anew: the numbers of its tiles, and how many there are.
  private(set) var written: [WrittenRows] = []

  /// The first tile of the next archive that shows each image, or grid, that some changed row shows or
  /// showed.
  private struct FirstTiles {
    var tiles: [MD5Digest: UInt64] = [:]
    private(set) var filter = HashFilter()

    mutating func add(_ name: MD5Digest, _ tile: UInt64) {
      tiles[name] = min(tiles[name] ?? .max, tile)
      filter.insert(name.low)
    }
  }

  private var firstImages = FirstTiles()
  private var firstGrids = FirstTiles()

  /// Whether a row of each segment changes, comes or goes.
  private var isChanged: [Bool] = []

  /// The last archive turned out not to hold what its state says: all must be written.
  struct StaleState: Error {}

  /// - Parameters:
  ///   - archive: the last archive.
  ///   - pageSize: that of its pages, and of those to be written.
  ///   - grids: what the UTFGrids are made from; `nil` for none.
  /// - Returns: `nil` if too much differs, or its pages are not those of this program.
  init?(
    of archive: FilePath, _ state: TileState, to planned: PlannedTiles, pageSize: PageSize,
    _ grids: GridHashes?
  ) {
    let rows = planned.rows
    guard state.contents.count > 0, rows.count > 0,
      let difference = RowDifference(
        from: state, to: rows, grids, limit: max(rows.count / Self.limitShare, 64)),
      let pages = try? StoredPages(archive, layout: state.layout, pageSize: pageSize),
      pages.hasGrids == (grids != nil), pages.hold(state.contents.segments)
    else { return nil }
    self.state = state
    self.difference = difference
    self.rows = rows
    self.pages = pages
    self.archive = archive
    // A segment with a changed row is read and written row by row on one core, which takes longer than to
    // have all painted pictures written by all cores where most segments change.
    let segments = contents.segments.count
    isChanged = changedRows()
    guard segments <= Self.fewSegments || isChanged.count(where: \.self) <= segments / 2 else {
      return nil
    }
  }

  private var contents: ArchiveContents { state.contents }

  /// Writes all rows.
  ///
  /// - Parameter advance: receives the number of rows written so far; it throws to end the stage.
  /// - Throws: also ``StaleState``.
  /// - Returns: the hash tree over the tiles.
  mutating func write(
    _ fresh: RepaintedImages, to writer: SpliceWriter, advance: (Int) throws -> Void
  ) throws -> BlockHashes {
    if state.layout == .dedup { findFirstTiles(fresh) }
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
      guard let tile = TileCoord(number: row.number) else { throw StaleState() }
      let image = try source.image(of: row)
      let first = firstTile(of: image) ?? row.number
      let grid = try source.grid(of: row) { place in
        firstGrids.tiles[place.name] ?? place.row ?? row.number
      }
      if first < row.number {
        try writer.addTile(tile, showing: image.md5, of: first, size: image.size, grid: grid)
      } else {
        try source.withBytes(of: image) {
          try writer.addTile(tile, storing: $0, image.md5, grid: grid)
        }
      }
      count += 1
      numbers = (numbers?.lowerBound ?? row.number)...row.number
      next = cursor.next()
    }
    if let numbers { written.append(WrittenRows(numbers: numbers, count: count)) }
    return count
  }

  // MARK: Changed segments

  /// Returns for each segment whether a row of it changes, comes or goes.
  private func changedRows() -> [Bool] {
    var isChanged = [Bool](repeating: false, count: contents.segments.count)
    for index in difference.removed { mark(contents.tiles[Int(index)], in: &isChanged) }
    for row in difference.added { mark(row.number, in: &isChanged) }
    return isChanged
  }

  /// Marks the segment of a tile as changed.
  private func mark(_ number: UInt64, in isChanged: inout [Bool]) {
    let segment = self.segment(of: number)
    if segment < isChanged.count { isChanged[segment] = true }
    // Where the last one ended because no tile followed, it goes on now.
    if segment == isChanged.count, !contents.segments.isClosed { isChanged[segment - 1] = true }
  }

  /// Marks the segments whose images or grids other tiles store from now on.
  private func markMoved(
    _ names: Column<MD5Digest>, _ rows: Column<UInt64>, _ first: FirstTiles,
    in isChanged: inout [Bool]
  ) {
    var moved: [UInt64] = []
    forEachStaying(names, first.filter) { index, name in
      guard let tile = first.tiles[name] else { return }
      let number = contents.tiles[index]
      if (rows[index] == number) != (tile == number) { moved.append(number) }
    }
    for number in moved { mark(number, in: &isChanged) }
  }

  /// The first tile of the next archive that shows an image; `nil` where each tile is stored with
  /// its own.
  private func firstTile(of image: RepaintedImages.Image) -> UInt64? {
    if let tile = firstImages.tiles[image.md5] { return tile }
    guard state.layout == .dedup, case .row(let row) = image.source else { return nil }
    return row
  }

  /// Finds the tiles that store the images and grids of changed rows, and marks the segments that this
  /// changes.
  private mutating func findFirstTiles(_ fresh: RepaintedImages) {
    var isChanged = isChanged
    let images = firstTiles(of: contents.images, { _ in true }) { fresh.images[$0.scene]?.md5 }
    markMoved(contents.images, contents.imageRows, images, in: &isChanged)
    firstImages = images
    if let grids = contents.grids {
      let first = firstTiles(of: grids.names, { grids.rows[$0] != 0 }) {
        fresh.grids[$0.number]?.md5
      }
      markMoved(grids.names, grids.rows, first, in: &isChanged)
      firstGrids = first
    }
    self.isChanged = isChanged
  }

  /// Returns the first tile of the next archive that shows each image or grid of a changed row.
  ///
  /// - Parameters:
  ///   - names: what the tiles of the last archive show.
  ///   - hasName: whether one of them shows anything.
  ///   - fresh: returns what an added row shows.
  private func firstTiles(
    of names: Column<MD5Digest>, _ hasName: (Int) -> Bool,
    fresh: (PlannedRowCursor.Row) -> MD5Digest?
  ) -> FirstTiles {
    var first = FirstTiles()
    for index in difference.removed where hasName(Int(index)) {
      first.add(names[Int(index)], .max)
    }
    for row in difference.added {
      if let name = fresh(row) { first.add(name, row.number) }
    }
    var tiles = first.tiles
    forEachStaying(names, first.filter) { index, name in
      guard let known = tiles[name] else { return }
      tiles[name] = min(known, contents.tiles[index])
    }
    first.tiles = tiles
    return first
  }

  /// Calls `body` with the index and the image or grid of each tile that stays as it is, as far as a
  /// filter lets its name pass.
  private func forEachStaying(
    _ names: Column<MD5Digest>, _ filter: HashFilter, _ body: (Int, MD5Digest) -> Void
  ) {
    forEachStaying { index in
      if filter.mayContain(names[index].low) { body(index, names[index]) }
    }
  }

  /// Calls `body` with the index of each tile that stays as it is.
  private func forEachStaying(_ body: (Int) -> Void) {
    var start = 0
    for index in difference.removed {
      for tile in start..<Int(index) { body(tile) }
      start = Int(index) + 1
    }
    for tile in start..<contents.count { body(tile) }
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

  /// The tiles that differ from those of the last archive, in their images or in what they answer.
  ///
  /// - Parameter next: what the next archive holds.
  func changes(_ fresh: RepaintedImages, _ next: ArchiveContents) -> TileChanges {
    var zooms = (0...TileCoord.maxZoom).map { TileChanges.Zoom(zoom: $0) }
    for zoom in rows.zooms { zooms[zoom.zoom].unchanged = zoom.count }
    var removed = 0
    let keys = contents.grids.flatMap { next.grids?.changedKeys(since: $0) } ?? []
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
      if differs(Int(difference.removed[removed]), row, fresh, keys) {
        zooms[place].changed += 1
        zooms[place].unchanged -= 1
      }
      removed += 1
    }
    while removed < difference.removed.count {
      zooms[zoom(number(removed))].removed += 1
      removed += 1
    }
    if !keys.isEmpty {
      forEachStaying { index in
        guard answersOtherwise(index, keys) else { return }
        zooms[zoom(contents.tiles[index])].changed += 1
        zooms[zoom(contents.tiles[index])].unchanged -= 1
      }
    }
    return TileChanges(zooms: zooms.filter { $0.tiles > 0 })
  }

  /// Whether the grid of a tile names one of some keys, by their hashes.
  private func answersOtherwise(_ tile: Int, _ keys: Set<UInt64>) -> Bool {
    guard let grids = contents.grids, !keys.isEmpty else { return false }
    return grids.keys[grids.keyRange(tile)].contains(where: keys.contains)
  }

  /// Whether a tile of the last archive has another image or another grid than its row now.
  private func differs(
    _ tile: Int, _ row: PlannedRowCursor.Row, _ fresh: RepaintedImages, _ keys: Set<UInt64>
  ) -> Bool {
    guard contents.images[tile] == fresh.images[row.scene]?.md5 else { return true }
    guard let grids = contents.grids else { return false }
    return (grids.rows[tile] == 0 ? nil : grids.names[tile]) != fresh.grids[row.number]?.md5
      || answersOtherwise(tile, keys)
  }
}

extension TileChanges.Zoom {
  /// The number of tiles of either archive.
  fileprivate var tiles: Int { added + changed + removed + unchanged }
}
