import Clustering
import MBTiles
import Painting
import Runs
import Scenes
import SpatialIndex
import TapBlocks
import Tiling

/// The stage that writes compact hit test data into an archive whose tiles are written: the hit
/// areas block by block, then the entries of the features.
struct CompactTapStage {
  let plan: TapPlan
  let threads: Int
  let cancellation: Cancellation

  /// The drawn tiles of one block.
  private struct Job: Sendable {
    let coord: TapBlockCoord
    let scenes: ZoomScenes
    let tiles: ArraySlice<UInt32>
  }

  /// A block as it is stored, with the features that it references.
  private struct Block: Sendable {
    let coord: TapBlockCoord
    let stream: [UInt8]
    let tiles: Int
    let features: [UInt32]
  }

  /// Runs the stage.
  ///
  /// - Complexity: O(n log n) over the draws of all tiles.
  func run(_ zooms: [ZoomScenes], into writer: ArchiveWriter) throws {
    guard let first = zooms.first?.grid.zoom, let last = zooms.last?.grid.zoom else { return }
    let numbers = TapNumbers(plan.sources, zooms: first...last, threads: threads)
    var used = ContiguousArray(repeating: false, count: numbers.count)
    for scenes in zooms {
      try write(scenes, numbers, to: writer) { used[Int($0)] = true }
    }
    try writeEntries(used, numbers, to: writer)
  }

  // MARK: Blocks

  /// Writes the blocks of a zoom, column by column and northward.
  private func write(
    _ scenes: ZoomScenes, _ numbers: TapNumbers, to writer: ArchiveWriter,
    use: (UInt32) -> Void
  ) throws {
    let order = BlockOrder(scenes)
    var start = 0
    try OrderedWork<Job, Block?>(threads: threads, limit: threads * 4).run(
      worker: { blockWorker(numbers) },
      next: { order.job(scenes, &start) },
      consume: { block in
        try cancellation.check()
        guard let block else { return }
        for feature in block.features { use(feature) }
        try writer.addTaps(block.coord, block.stream, tiles: block.tiles)
      })
  }

  /// Returns the function that makes the blocks of one thread; it returns `nil` for a block without
  /// hit areas.
  private func blockWorker(_ numbers: TapNumbers) -> (Job) throws -> Block? {
    let maker = plan.blockMaker()
    let deflater = TapDeflater()
    return { [plan] job in
      let levels = plan.sources.map { $0.level(job.scenes.grid.zoom) }
      let block = try maker.block(job.coord, drawn: job.tiles, of: job.scenes) { feature in
        let item = plan.sources[feature.source].item(feature, levels[feature.source])
        return numbers.number(of: item, source: feature.source)
      }
      guard let block else { return nil }
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
    private(set) var keys: ContiguousArray<UInt64>
    private(set) var tiles: [UInt32]

    init(_ scenes: ZoomScenes) {
      let shift = TapBlockCoord.sideBits
      keys = ContiguousArray(
        scenes.tileKeys.lazy.map {
          let tile = TileKey(rawValue: $0)
          return TileKey(column: tile.column >> shift, tmsRow: tile.tmsRow >> shift).rawValue
        })
      var indexes = ContiguousArray(0..<UInt32(truncatingIfNeeded: scenes.count))
      var sorter = RadixSorter()
      sorter.sort(&keys, &indexes)
      tiles = Array(indexes)
    }

    /// Returns the next block; `nil` at the end.
    func job(_ scenes: ZoomScenes, _ start: inout Int) -> Job? {
      guard start < keys.count else { return nil }
      let key = keys[start]
      let block = TileKey(rawValue: key)
      var end = start + 1
      while end < keys.count, keys[end] == key { end += 1 }
      defer { start = end }
      return Job(
        coord: TapBlockCoord(
          zoom: scenes.grid.zoom, column: block.column, row: block.tmsRow),
        scenes: scenes, tiles: tiles[start..<end])
    }
  }

  // MARK: Entries

  /// Writes the entries of the features that blocks reference.
  private func writeEntries(
    _ used: ContiguousArray<Bool>, _ numbers: TapNumbers, to writer: ArchiveWriter
  ) throws {
    let shown = ContiguousArray(
      used.indices.lazy.filter { used[$0] }.map { UInt32(truncatingIfNeeded: $0) })
    let pages = TapEntryPages(
      sources: plan.sources, shown: shown, numbers: numbers,
      members: TapMembers(of: shown, numbers, plan.sources))
    var start = 0
    try OrderedWork<Range<Int>, [TapEntryPages.Page]>(threads: threads, limit: threads * 4).run(
      worker: {
        let deflater = TapDeflater()
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
      while let job = order.job(scenes, &start) { jobs.append(job) }
    }
    let step = max(1, jobs.count / TapEstimate.sampleSize)
    let worker = blockWorker(numbers)
    var (bytes, count) = (0, 0)
    for index in stride(from: 0, to: jobs.count, by: step) {
      count += 1
      // A row with its index takes 24 bytes beside the stream.
      if let block = try worker(jobs[index]) { bytes += block.stream.count + 24 }
    }
    return (bytes, Double(jobs.count) / Double(max(count, 1)))
  }
}
