import Columns
package import Features
package import MBTiles
import Painting
package import Reuse
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

  /// The taps of the archive in place, whose blocks and pages are copied where they would be the same.
  var last: LastTaps?

  package init(plan: TapPlan, threads: Int, cancellation: Cancellation) {
    self.plan = plan
    self.threads = threads
    self.cancellation = cancellation
  }

  /// The drawn tiles of some successive blocks of a zoom.
  private struct Job: Sendable {
    let scenes: ZoomScenes
    let numbers: TapNumbers.Zoom
    var blocks: [(coord: TapBlockCoord, tiles: ArraySlice<UInt32>)] = []

    /// The number of blocks of a job: most have a handful of symbols, which take less time than to pass
    /// a job on; those with areas or lines take long.
    static func size(_ scenes: ZoomScenes) -> Int { scenes.hasAreas ? 1 : 64 }
  }

  /// A block as it is stored, with the features that it references.
  package struct Block: Sendable {
    package let coord: TapBlockCoord
    package let stream: [UInt8]

    /// The number of its tiles that answer taps.
    package let tiles: Int

    /// The numbers (``TapNumbers``) of its features.
    package let features: [UInt64]

    /// The hash of what it is made from.
    package let hash: StableHash

    package init(
      coord: TapBlockCoord, stream: [UInt8], tiles: Int, features: [UInt64], hash: StableHash
    ) {
      self.hash = hash
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
    private let sink: any TapSink
    private var used: Column<Bool>

    /// The hashes of the inputs of each row.
    package fileprivate(set) var state = TapState()

    package init(_ stage: CompactTapStage, _ numbers: TapNumbers, _ sink: any TapSink) {
      self.stage = stage
      self.numbers = numbers
      self.sink = sink
      used = Column(repeating: false, count: numbers.count)
    }

    package mutating func write(_ block: Block) throws {
      for feature in block.features where feature < used.count { used[Int(feature)] = true }
      try sink.addTaps(block.coord, block.stream, tiles: block.tiles)
      state.blocks.append(
        TapState.place(of: block.coord), block.hash, block.stream, count: block.tiles)
    }

    /// Writes what follows the last block.
    package mutating func finish() throws {
      let pages = TapEntryPages(stage.plan.sources, used: used, numbers)
      try stage.write(pages, to: sink, &state)
    }
  }

  /// Returns the numbers of the features of all zooms.
  package func numbers(_ zooms: ClosedRange<Int>) throws(PipelineError) -> TapNumbers {
    try TapNumbers(plan.sources, zooms: zooms, threads: threads)
  }

  /// Runs the stage.
  ///
  /// - Returns: what the rows are made from.
  /// - Complexity: O(n log n) over the draws of all tiles.
  func run(_ zooms: [ZoomScenes], into sink: any TapSink) throws -> TapState {
    guard let first = zooms.first?.grid.zoom, let last = zooms.last?.grid.zoom else {
      return TapState()
    }
    let numbers = try numbers(first...last)
    var blocks = Writer(self, numbers, sink)
    for scenes in zooms {
      try self.blocks(of: scenes, numbers) { try blocks.write($0) }
    }
    try blocks.finish()
    return blocks.state
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
    try OrderedWork<Job, [Block]>(threads: threads, limit: threads * 4).run(
      worker: { blockWorker(numbers) },
      next: { order.job(scenes, own, &start, end: end, size: Job.size(scenes)) },
      consume: { blocks in
        try cancellation.check()
        for block in blocks { try consume(block) }
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

  /// Returns the function that makes the blocks of one thread; it leaves out those without hit areas.
  private func blockWorker(_ numbers: TapNumbers) -> (Job) throws -> [Block] {
    let maker = plan.blockMaker()
    let deflater = TapDeflater()
    let (last, rows) = (last, last?.rows())
    func name(_ number: UInt64) -> UInt64 { numbers.identifiers[Int(number)] }
    return { job in
      func number(_ feature: TapFeature) -> UInt64 { job.numbers.number(of: feature) }
      var blocks: [Block] = []
      for (coord, tiles) in job.blocks {
        guard
          let content = try maker.content(
            coord, drawn: tiles, of: job.scenes, number: number, name: name)
        else { continue }
        func append(_ stream: [UInt8], tiles: Int) {
          blocks.append(
            Block(
              coord: coord, stream: stream, tiles: tiles, features: content.features,
              hash: content.hash))
        }
        if let last, let row = last.state.blocks.index(of: TapState.place(of: coord), content.hash),
          let stream = rows?.block(coord), let count = last.state.blocks.count(row, of: stream)
        {
          append(stream, tiles: count)
          continue
        }
        guard let block = maker.makeBlock(of: job.scenes, number: number) else { continue }
        let bytes = block.encoded(content.features, named: name)
        guard block.isWithinLimits, bytes.count <= TapInflater.byteLimit else {
          throw Self.tooLarge(coord)
        }
        append(deflater.compress(bytes), tiles: block.tiles.nonzeroBitCount)
      }
      return blocks
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

    /// Returns the next blocks; `nil` at the end.
    ///
    /// - Parameters:
    ///   - start: the first tile; afterwards that of the next job.
    ///   - end: the end of the tiles, and of a block.
    func job(
      _ scenes: ZoomScenes, _ numbers: TapNumbers.Zoom, _ start: inout Int, end: Int, size: Int
    ) -> Job? {
      guard start < end else { return nil }
      var job = Job(scenes: scenes, numbers: numbers)
      while start < end, job.blocks.count < size {
        let (key, first) = (keys[start], start)
        while start < end, keys[start] == key { start += 1 }
        let coord = TapBlockCoord(
          zoom: scenes.grid.zoom, column: Int(key >> 32), row: Int(key & 0xFFFF_FFFF))
        job.blocks.append((coord, tiles[first..<start]))
      }
      return job
    }
  }

  // MARK: Entries

  /// Writes the entries of the features that blocks reference.
  fileprivate func write(
    _ pages: TapEntryPages, to sink: any TapSink, _ state: inout TapState
  ) throws {
    var start = 0
    try OrderedWork<Range<Int>, [TapEntryPages.Page]>(threads: threads, limit: threads * 4).run(
      worker: { [last] in
        let deflater = TapDeflater()
        let rows = last?.rows()
        return { ranks in
          try pages.pages(
            ranks, known: { run in rows.flatMap { last?.pages(of: run, from: $0) } },
            compress: deflater.compress)
        }
      },
      next: {
        guard start < pages.shown.count else { return nil }
        let range = pages.job(from: start)
        start = range.upperBound
        return range
      },
      consume: { pages in
        try cancellation.check()
        for page in pages {
          try sink.addTapEntries(first: page.first, page.stream, count: page.count)
          state.pages.append(page.first, page.hash, page.stream, count: page.count)
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
      while let job = order.job(scenes, own, &start, end: order.keys.count, size: 1) {
        jobs.append(job)
      }
    }
    let step = max(1, jobs.count / TapEstimate.sampleSize)
    let worker = blockWorker(numbers)
    var (bytes, count) = (0, 0)
    for index in stride(from: 0, to: jobs.count, by: step) {
      count += 1
      // A row with its index takes 24 bytes beside the stream.
      bytes += try worker(jobs[index]).reduce(0) { $0 + $1.stream.count + 24 }
    }
    return (bytes, Double(jobs.count) / Double(max(count, 1)))
  }
}

extension LastTaps {
  /// Returns the pages of a run of features, if the archive in place has them.
  fileprivate func pages(
    of run: TapEntryPages.Run, from rows: TapStreamCursor
  ) -> [TapEntryPages.Page]? {
    let found = state.pages.rows(from: run.first, run.hash, count: run.count)
    var pages: [TapEntryPages.Page] = []
    for row in found {
      let first = state.pages.places[row]
      guard let stream = rows.page(first: first), let count = state.pages.count(row, of: stream)
      else { return nil }
      pages.append(TapEntryPages.Page(first: first, stream: stream, hash: run.hash, count: count))
    }
    return pages.isEmpty ? nil : pages
  }
}
