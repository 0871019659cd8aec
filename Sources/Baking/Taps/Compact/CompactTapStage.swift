import Columns
package import MBTiles
import Painting
package import Runs
package import Scenes
import SpatialIndex
package import TapBlocks
import Tiling

/// The stage that writes compact hit test data into an archive whose tiles are written: the hit
/// areas block by block, then the entries of the features.
package struct CompactTapStage {
  let plan: TapPlan
  let threads: Int
  let cancellation: Cancellation

  package init(plan: TapPlan, threads: Int, cancellation: Cancellation) {
    self.plan = plan
    self.threads = threads
    self.cancellation = cancellation
  }

  /// The drawn tiles of one block.
  private struct Job: Sendable {
    let coord: TapBlockCoord
    let scenes: ZoomScenes
    let numbers: TapNumbers.Zoom
    let tiles: ArraySlice<UInt32>
  }

  /// A block as it is stored, with the features that it references.
  package struct Block: Sendable {
    package let coord: TapBlockCoord
    package let stream: [UInt8]

    /// The number of its tiles that answer taps.
    package let tiles: Int

    /// The numbers (``TapNumbers``) of its features.
    package let features: [UInt32]

    package init(coord: TapBlockCoord, stream: [UInt8], tiles: Int, features: [UInt32]) {
      self.coord = coord
      self.stream = stream
      self.tiles = tiles
      self.features = features
    }
  }

  /// A writer of blocks, in their order, and of the entries of their features.
  package struct Writer {
    private let stage: CompactTapStage
    private let numbers: TapNumbers
    private let writer: ArchiveWriter
    private var used: Column<Bool>

    package init(_ stage: CompactTapStage, _ numbers: TapNumbers, _ writer: ArchiveWriter) {
      self.stage = stage
      self.numbers = numbers
      self.writer = writer
      used = Column(repeating: false, count: numbers.count)
    }

    package mutating func write(_ block: Block) throws {
      for feature in block.features where Int(feature) < used.count { used[Int(feature)] = true }
      try writer.addTaps(block.coord, block.stream, tiles: block.tiles)
    }

    /// Writes what follows the last block.
    package func finish() throws {
      try stage.writeEntries(used, numbers, to: writer)
    }
  }

  /// Returns the numbers of the features of all zooms.
  package func numbers(_ zooms: ClosedRange<Int>) -> TapNumbers {
    TapNumbers(plan.sources, zooms: zooms, threads: threads)
  }

  /// Runs the stage.
  ///
  /// - Complexity: O(n log n) over the draws of all tiles.
  func run(_ zooms: [ZoomScenes], into writer: ArchiveWriter) throws {
    guard let first = zooms.first?.grid.zoom, let last = zooms.last?.grid.zoom else { return }
    let numbers = numbers(first...last)
    var blocks = Writer(self, numbers, writer)
    for scenes in zooms {
      try self.blocks(of: scenes, numbers) { try blocks.write($0) }
    }
    try blocks.finish()
  }

  // MARK: Blocks

  /// Makes the blocks of a zoom, column by column and northward.
  ///
  /// - Parameter share: the part of the zoom's blocks to make: from the first fraction, inclusive,
  ///   to the second. Parts that adjoin have all blocks, each once.
  package func blocks(
    of scenes: ZoomScenes, _ numbers: TapNumbers, share: (from: Fraction, to: Fraction)? = nil,
    consume: (Block) throws -> Void
  ) throws {
    let order = BlockOrder(scenes)
    var start = 0
    var end = order.keys.count
    if let share { (start, end) = order.tiles(from: share.from, to: share.to) }
    let own = numbers.zoom(scenes.grid.zoom, of: plan.sources)
    try OrderedWork<Job, Block?>(threads: threads, limit: threads * 4).run(
      worker: { blockWorker() },
      next: { start < end ? order.job(scenes, own, &start) : nil },
      consume: { block in
        try cancellation.check()
        if let block { try consume(block) }
      })
  }

  /// A share of the rows of a zoom: `part` of `whole`.
  package struct Fraction {
    let part: Int
    let whole: Int

    package init(_ part: Int, of whole: Int) {
      self.part = part
      self.whole = whole
    }
  }

  /// Returns the function that makes the blocks of one thread; it returns `nil` for a block without
  /// hit areas.
  private func blockWorker() -> (Job) throws -> Block? {
    let maker = plan.blockMaker()
    let deflater = TapDeflater(.blocks)
    return { job in
      guard
        let block = try maker.block(
          job.coord, drawn: job.tiles, of: job.scenes, number: { job.numbers.number(of: $0) })
      else { return nil }
      let bytes = block.encoded()
      guard block.isWithinLimits, bytes.count <= TapInflater.byteLimit else {
        throw Self.tooLarge(job.coord)
      }
      return Block(
        coord: job.coord, stream: deflater.compress(bytes), tiles: block.tiles.nonzeroBitCount,
        features: block.features)
    }
  }

  private static func tooLarge(_ coord: TapBlockCoord) -> PipelineError {
    PipelineError(
      .definition,
      "zoom \(coord.zoom) shows more in one place than compact taps can hold "
        + "(\(TapInflater.byteLimit >> 20) MiB a block). Cluster the points, begin with a greater "
        + "'minzoom', name fewer 'layers', or set 'format: utfgrid' in 'interactivity'.")
  }

  /// The drawn tiles of a zoom in the order of their blocks.
  private struct BlockOrder {
    /// The block of each tile: the column in the upper half, the TMS row in the lower.
    private(set) var keys: Column<UInt64>
    private(set) var tiles: [UInt32]

    init(_ scenes: ZoomScenes) {
      let shift = TapBlockCoord.sideBits
      keys = Column(
        scenes.tileKeys.lazy.map {
          let tile = TileCoord(TileKey(rawValue: $0), z: scenes.grid.zoom)
          return UInt64(tile.x >> shift) << 32 | UInt64(tile.tmsRow >> shift)
        })
      var indexes = Column(0..<UInt32(truncatingIfNeeded: scenes.count))
      var sorter = RadixSorter()
      sorter.sort(&keys, &indexes)
      tiles = Array(indexes)
    }

    /// Returns the tiles of a share of the blocks, in their order: from the first tile of one block
    /// to the end of another.
    func tiles(from: Fraction, to: Fraction) -> (start: Int, end: Int) {
      (blockStart(from), blockStart(to))
    }

    /// Returns the start of the first block at or after a share of the tiles.
    private func blockStart(_ share: Fraction) -> Int {
      guard share.whole > 0 else { return 0 }
      var place = keys.count * share.part / share.whole
      while place > 0, place < keys.count, keys[place] == keys[place - 1] { place += 1 }
      return place
    }

    /// Returns the next block; `nil` at the end.
    func job(_ scenes: ZoomScenes, _ numbers: TapNumbers.Zoom, _ start: inout Int) -> Job? {
      guard start < keys.count else { return nil }
      let key = keys[start]
      var end = start + 1
      while end < keys.count, keys[end] == key { end += 1 }
      defer { start = end }
      return Job(
        coord: TapBlockCoord(
          zoom: scenes.grid.zoom, column: Int(key >> 32), row: Int(key & 0xFFFF_FFFF)),
        scenes: scenes, numbers: numbers, tiles: tiles[start..<end])
    }
  }

  // MARK: Entries

  /// Writes the entries of the features that blocks reference.
  fileprivate func writeEntries(
    _ used: Column<Bool>, _ numbers: TapNumbers, to writer: ArchiveWriter
  ) throws {
    let shown = Column(
      used.indices.lazy.filter { used[$0] }.map { UInt32(truncatingIfNeeded: $0) })
    let pages = TapEntryPages(
      sources: plan.sources, shown: shown, numbers: numbers,
      members: TapMembers(of: shown, numbers, plan.sources))
    var start = 0
    try OrderedWork<Range<Int>, [TapEntryPages.Page]>(threads: threads, limit: threads * 4).run(
      worker: {
        let deflater = TapDeflater(.pages)
        return { try pages.pages($0, deflater) }
      },
      next: {
        guard start < shown.count else { return nil }
        let range = start..<min(start + TapEntryPages.size, shown.count)
        start = range.upperBound
        return range
      },
      consume: { pages in
        try cancellation.check()
        for page in pages {
          try writer.addTapEntries(first: page.first, page.stream, count: page.count)
        }
      })
  }

  // MARK: Samples

  /// Returns the bytes of a sample of the blocks, evenly spread, and the ratio of all blocks to the
  /// sample.
  func sample(_ zooms: [ZoomScenes], _ numbers: TapNumbers) throws -> (bytes: Int, share: Double) {
    var jobs: [Job] = []
    for scenes in zooms {
      let order = BlockOrder(scenes)
      var start = 0
      let own = numbers.zoom(scenes.grid.zoom, of: plan.sources)
      while let job = order.job(scenes, own, &start) { jobs.append(job) }
    }
    let step = max(1, jobs.count / TapEstimate.sampleSize)
    let worker = blockWorker()
    var (bytes, count) = (0, 0)
    for index in stride(from: 0, to: jobs.count, by: step) {
      count += 1
      // A row with its index takes 24 bytes beside the stream.
      if let block = try worker(jobs[index]) { bytes += block.stream.count + 24 }
    }
    return (bytes, Double(jobs.count) / Double(max(count, 1)))
  }
}
