import Columns
import Definition
import Features
import Ingest
import Inputs
import MBTiles
import Painting
import Reports
import Reuse
import Runs
import Scenes
import SourceStages
import Styling
import Tilesets
import Tiling

// Builds that read tilesets block by block.
extension Build {
  /// Makes the archives of all densities; what the streamed parts show is painted block by block before
  /// the rows of an archive are known.
  func make(
    _ targets: [ArchiveTarget], streaming streamed: StreamedTilesets
  ) throws(PipelineError) -> [BuildReport] {
    let clock = context.clock
    let names = Set(streamed.parts.map(\.name))
    let whole = with(keeping: { !names.contains($0.name) && $0.definition.vectorTiles == nil })
    let sources = try inputs.whileUnchanged { () throws(PipelineError) in
      try whole.reading.clustered(clock)
    }
    let ordinaryNotes = try dataNotes(on: sources, areAll: false)
    var archives: [BlockArchive] = []
    for target in targets {
      var archive = try BlockArchive(self, streamed, sources, at: target)
      do throws(PipelineError) {
        try archive.paint(clock)
      } catch {
        if error.code == .outOfTime { for painted in archives + [archive] { painted.keep() } }
        throw error
      }
      archives.append(archive)
    }
    cancellation.endsRest = true
    var reports: [BuildReport] = []
    for (target, archive) in zip(targets, archives) {
      let planned = archive.planned
      let all = archive.sources
      var dataNotes = ordinaryNotes
      dataNotes.add(archive.trials, of: all, in: definition)
      try dataNotes.add(of: all, in: definition, prepared.style)
      if !planned.drawsLayers { try requireNothingAllowed(of: all, because: dataNotes) }
      var plan = ArchivePlan(
        scale: target.scale, rows: planned.rows, drawsAnything: planned.drawsAnything,
        decision: layout(of: planned.rows, archive.spool.distinct), paint: archive.paint,
        notes: dataNotes.all + (try drawingNotes(planned, besides: dataNotes)))
      plan.blocks = archive.blocks
      let description = ArchiveDescription(
        of: self, all, extents: archives.flatMap(\.planned.extents), scale: target.scale,
        fingerprint: target.fingerprint)
      reports.append(
        try publish(
          plan, SpooledFeed(planned: planned, spool: archive.spool, reuse: archive.reuse),
          description, at: target, reports.isEmpty ? clock : context.clock))
    }
    try writeLock(rows: archives.first?.sources.readRecords ?? [:])
    return reports
  }

  /// Returns the build of some of the sources, with all layers.
  fileprivate func with(keeping isKept: (ResolvedSource) -> Bool) -> Build {
    var pipeline = pipeline
    pipeline.sources = pipeline.sources.filter(isKept)
    return with(sameLayers: pipeline)
  }
}

/// The painted tiles of one archive that is made block by block.
struct BlockArchive {
  private let build: Build
  private let streamed: StreamedTilesets

  /// The sources that are read as a whole, before all zooms.
  private let ordinary: [ClusteredSource]

  /// The outcome of reading each part of a tileset, by name.
  private var ledgers: [String: SourceLedger] = [:]

  /// The requested properties that the features of each part have, by its name.
  private var names: [String: Set<String>] = [:]

  /// The trials of the layers that draw parts.
  private(set) var trials: PartTrials

  private var builder: SceneBuilder
  private let painters: PainterFactory
  private var outlines: [ZoomScenes] = []
  private let scale: Int
  private var uses: SceneUses
  private var seen: SceneTable

  let spool: TileSpool

  /// The inputs of images beside their scenes.
  let paint: PaintKey

  /// The images that need not be painted.
  let reuse: TileReuse

  /// The numbers of blocks whose scenes were made, and whose scenes the last build knew.
  private(set) var blocks = BuildReport.Blocks()

  private var finder: PieceFinder

  init(
    _ build: Build, _ streamed: StreamedTilesets, _ ordinary: [ClusteredSource],
    at target: ArchiveTarget
  ) throws(PipelineError) {
    self.build = build
    self.streamed = streamed
    self.ordinary = ordinary
    scale = target.scale
    finder = PieceFinder(build, streamed, target.fingerprint)
    trials = PartTrials(
      of: build.definition, build.prepared.style, drawing: build.pipeline.drawnSources)
    let drawing = build.drawing(scale: target.scale)
    let sources = Self.sources(of: build, ordinary)
    let tiles = build.definition.tiles
    try build.definition.requireFewTiles(
      ofImages: sources.imageBoxes, build.prepared.style, tiles.zooms)
    if let box = sources.backgroundBox(tiles) {
      try build.definition.requireFewTiles(
        ofBackgroundOf: build.prepared.style, tiles.zooms, range: box.tiles)
    }
    builder = drawing.builder(of: sources)
    builder.isStopped = build.cancellation.isStopped
    painters = drawing.painters(clusteredSources: sources.clusteredSources)
    let scratch = build.context.scratch
    uses = SceneUses(in: scratch)
    seen = SceneTable(in: scratch)
    spool = try PipelineError.wrapping {
      try TileSpool(
        in: build.options.scratchFolder(beside: build.definition.output.path), scratch)
    }
    paint = try build.paintKey(of: painters, scale: target.scale)
    reuse = build.reuse(of: target.publication.archive, paint)
  }

  /// The rows; what they show is in the spool.
  var planned: PlannedTiles {
    PlannedTiles(
      builder: builder, painters: painters, zooms: outlines, uses,
      fill: build.definition.tiles.fill)
  }

  /// All sources, without the records of those that were read block by block or zoom by zoom.
  var sources: [ClusteredSource] { Self.sources(of: build, ordinary, ledgers, names) }

  private static func sources(
    of build: Build, _ ordinary: [ClusteredSource], _ ledgers: [String: SourceLedger] = [:],
    _ names: [String: Set<String>] = [:]
  ) -> [ClusteredSource] {
    build.pipeline.drawnSources.map { source in
      ordinary.first { $0.source.definition.name == source.name }
        ?? ClusteredSource(
          unread: source, ledgers[source.name] ?? SourceLedger(),
          names: names[source.name]?.sorted() ?? [])
    }
  }

  /// Keeps the images painted so far for the next run.
  func keep() {
    var keeping = TileReuse.Keeping(reuse, in: build.artifacts)
    try? spool.forEachPainted { keeping.append($0, $1, $2) }
    keeping.end()
  }

  // MARK: Painting

  /// Paints the tiles of all zooms: the stage `blocks`.
  mutating func paint(_ clock: StageClock) throws(PipelineError) {
    try clock.stage("blocks", unit: .tiles) { advance in
      var done = 0
      for zoom in build.definition.tiles.zooms {
        do {
          try paint(zoom) { tiles in
            done += tiles
            try advance(done, zoom)
          }
          try TileExcess.check(.zooms, zoom: zoom, tiles: done)
        } catch let excess as TileExcess {
          throw build.definition.error(excess)
        }
      }
    }
  }

  private mutating func paint(_ zoom: Int, advance: (Int) throws -> Void) throws {
    try advance(0)
    let symbolParts = streamed.symbolParts(at: zoom)
    var sources = try wholeSources(at: zoom, besides: symbolParts)
    var pieces = finder.pieces(
      at: zoom, after: trials, background: builder.backgroundBox?.tiles(zoom))
    let shown = try place(symbolParts, besides: sources, at: zoom, &pieces)
    if let shown {
      builder.note(shown)
    } else if !symbolParts.isEmpty {
      pieces.forget()
      sources = try wholeSources(at: zoom, besides: [])
    }
    builder.shown = shown
    let base = try builder.scenes(of: sources, at: zoom)
    var rows = Rows(in: build.context.scratch)
    let whole = painting(ShapeBlocks(builder, over: base), painters, sources, pieces.start)
    let taker = try BlockPainter(whole)
    for (zone, blocks) in try streamed.zones(
      over: base, shown, within: TileRange(builder.bounds, zoom: zoom))
    {
      try build.cancellation.check()
      let planned = blocks.map { pieces.planned($0, shown, whole, builder.grid(zoom)) }
      let fresh = planned.reduce(0) { $0 + ($1.known == nil ? 1 : 0) }
      guard let shown, 4 * fresh <= planned.count else {
        let shared = try shown.map { try painting(zone, $0, sources, pieces.start) } ?? whole
        try paint(planned, shared, into: &rows, &pieces, advance: advance)
        continue
      }
      // Each block to be made is a zone, which reads half as many tiles again around it.
      for block in planned {
        if let known = block.known, let taken = taker.take(known) {
          try add(taken, block, of: whole, to: &rows, &pieces)
          try advance(taken.scenes.scenes.count)
        } else {
          let shared = try painting(block.block, shown, sources, pieces.start)
          try paint([block], shared, into: &rows, &pieces, advance: advance)
        }
      }
    }
    try store(pieces)
    uses.add(rows.hashes, &seen)
    outlines.append(
      base.outline(tileKeys: rows.keys, hashes: rows.hashes, quadrants: rows.quadrants))
  }

  /// Stores the pieces of a zoom, unless a file is no longer the one that was hashed.
  private func store(_ pieces: ZoomPieces) throws {
    guard let memory = pieces.memory else { return }
    do throws(PipelineError) {
      try build.inputs.checkUnchanged()
    } catch {
      // Of a run whose time is over, the stage tells how far it came.
      if error.isStop { try build.cancellation.check() }
      throw error
    }
    memory.store()
  }

  /// The tiles of a zoom that have been painted.
  private struct Rows {
    var keys: Column<UInt64>
    var hashes: Column<StableHash>
    var quadrants: Column<UInt8>

    init(in scratch: Scratch?) {
      keys = Column(in: scratch)
      hashes = Column(in: scratch)
      quadrants = Column(in: scratch)
    }

    mutating func append(_ scenes: ZoomScenes) {
      keys.append(contentsOf: scenes.tileKeys)
      hashes.append(contentsOf: scenes.hashes)
      quadrants.append(contentsOf: scenes.quadrants)
    }
  }

  /// Returns what the workers share that draw blocks.
  ///
  /// - Parameters:
  ///   - sources: the sources whose lines and polygons are there.
  ///   - trials: those before the zoom.
  private func painting(
    _ drawing: ShapeBlocks, _ painters: PainterFactory, _ sources: [ClusteredSource],
    _ trials: PartTrials
  ) -> BlockPainter.Zoom {
    let zoom = drawing.base.grid.zoom
    return BlockPainter.Zoom(
      drawing: drawing, painters: painters, parts: streamed.parts(at: zoom),
      firstZoom: build.definition.tiles.minZoom,
      shapes: sources.compactMap { $0.shapes(at: zoom) }, trials: trials, reading: build.reading,
      reuse: reuse)
  }

  /// Paints some blocks.
  private mutating func paint(
    _ planned: [PlannedBlock], _ shared: BlockPainter.Zoom, into rows: inout Rows,
    _ pieces: inout ZoomPieces, advance: (Int) throws -> Void
  ) throws {
    var next = planned.makeIterator()
    var painted = planned.makeIterator()
    try OrderedWork<PlannedBlock, PaintedBlock>(
      threads: build.threads, limit: build.threads + 1
    ).run(
      worker: {
        let painter = try BlockPainter(shared)
        return { try painter.paint($0) }
      },
      next: { next.next() },
      consume: { block in
        if let planned = painted.next() {
          try add(block, planned, of: shared, to: &rows, &pieces)
        }
        try advance(block.scenes.scenes.count)
      })
  }

  /// Adds a block, the next one in the order of the archive.
  private mutating func add(
    _ block: PaintedBlock, _ planned: PlannedBlock, of shared: BlockPainter.Zoom,
    to rows: inout Rows, _ pieces: inout ZoomPieces
  ) throws {
    rows.append(block.scenes.scenes)
    builder.note(block.scenes)
    trials.add(block.trials)
    try spool.append(block.pictures)
    for (index, part) in shared.parts.enumerated() {
      try add(block.ledgers[index], block.names[index], of: part)
    }
    if block.isKnown { blocks.known += 1 } else { blocks.made += 1 }
    let start = pieces.startBytes
    pieces.remember(planned.key, isKnown: block.isKnown, block.bytes(after: start))
  }

  // MARK: Symbols

  /// Decides which symbols of a zoom show; `nil` where the style needs the features of all parts at
  /// once, and without any.
  ///
  /// - Parameter sources: the sources that are read as a whole, and the parts without their features.
  private mutating func place(
    _ parts: [ResolvedSource], besides sources: [ClusteredSource], at zoom: Int,
    _ pieces: inout ZoomPieces
  ) throws -> VisibleSymbols? {
    let sources = sources.map { $0.symbols(at: zoom) }
    guard !parts.isEmpty,
      var survey = builder.survey(of: sources, zoom: zoom, in: build.context.scratch)
    else { return nil }
    for source in sources { try survey.add(source) }
    for part in parts { ledgers[part.name] = SourceLedger() }
    let start = pieces.startBytes
    for (square, parts) in try streamed.squares(of: parts) {
      let key = pieces.keys?.key(ofSquare: square, parts)
      let known = pieces.square(key, of: parts.count)
      let read =
        if let known { known } else { try self.read(square, of: parts, at: zoom, survey, pieces) }
      pieces.remember(key, isKnown: known != nil, read.bytes(after: start))
      for (part, own) in zip(parts, read.parts) {
        try add(own.ledger, own.names, of: part)
        survey.add(own.requests, of: part.name)
      }
      trials.add(read.trials)
    }
    return survey.decided(cells: pieces.keys?.cellZoom)
  }

  /// Reads the symbols of some parts in a square of source tiles.
  private func read(
    _ square: TileRange, of parts: [ResolvedSource], at zoom: Int, _ survey: PlacementPass,
    _ pieces: ZoomPieces
  ) throws -> SymbolSquare {
    var read = SymbolSquare(after: pieces.start)
    for part in parts {
      let block = VectorTileSource.Part.Block(tiles: square, own: square)
      let loaded = try part.load(block, by: build.reading)
      let clustered = try loaded.clustered(by: build.reading)
      read.trials.take(clustered, zoom: zoom)
      read.parts.append(
        (try survey.requests(of: clustered.symbols(at: zoom)), loaded.ledger, loaded.propertyNames))
    }
    for part in parts { part.sharedTiles?.removeContents() }
    return read
  }

  /// Returns what the workers share that draw the blocks of a zone over its symbols.
  ///
  /// - Parameter sources: the sources that are read as a whole, and the parts without their features.
  private func painting(
    _ zone: MapBlock, _ shown: VisibleSymbols, _ sources: [ClusteredSource], _ trials: PartTrials
  ) throws -> BlockPainter.Zoom {
    let drawing = build.drawing(scale: scale)
    var own = drawing.builder()
    own.isStopped = builder.isStopped
    own.backgroundBox = builder.backgroundBox
    own.drawnTiles = zone.range
    own.shown = shown
    let base = try own.scenes(
      of: try sources.map { try features(of: $0, in: zone, shown) }, at: zone.zoom)
    for source in sources { source.removeTiles() }
    return painting(
      ShapeBlocks(own, over: base), try drawing.painters(trainedAs: painters), sources, trials)
  }

  /// Returns a source with the features of those of its symbols that a zone may show.
  private func features(
    of source: ClusteredSource, in zone: MapBlock, _ shown: VisibleSymbols
  ) throws -> ClusteredSource {
    let resolved = source.source.resolved
    guard let part = resolved.definition.vectorTiles?.part,
      streamed.symbolParts(at: zone.zoom).contains(where: { $0.name == resolved.name })
    else { return source }
    let margin = shown.margin(zoom: part.zoom, of: builder.grid(zone.zoom))
    let tiles = zone.range.sourceTiles(zoom: part.zoom, margin: margin)
    return try resolved.load(VectorTileSource.Part.Block(tiles: tiles, own: nil), by: build.reading)
      .clustered(by: build.reading)
  }

  /// Returns the sources of a zoom, in the order of the pipeline, but for the parts of tilesets that are
  /// only filled and stroked. The other parts are read for one zoom.
  ///
  /// - Parameter left: the parts that are there without their features.
  private mutating func wholeSources(
    at zoom: Int, besides left: [ResolvedSource]
  ) throws -> [ClusteredSource] {
    let names = Set(streamed.parts.map(\.name))
    let leftNames = Set(left.map(\.name))
    var sources: [ClusteredSource] = []
    for source in build.pipeline.drawnSources where !names.contains(source.name) {
      guard let part = source.definition.vectorTiles?.part else {
        sources += ordinary.filter { $0.source.definition.name == source.name }
        continue
      }
      guard part.drawnZooms.contains(zoom) else { continue }
      guard !leftNames.contains(source.name) else {
        sources.append(ClusteredSource(unread: source, SourceLedger()))
        continue
      }
      let loaded = try source.load(by: build.reading) { [build] _ in
        try build.cancellation.check()
      }
      ledgers[source.name] = loaded.ledger
      self.names[source.name, default: []].formUnion(loaded.propertyNames)
      let clustered = try loaded.clustered(by: build.reading)
      trials.take(clustered, zoom: zoom)
      sources.append(clustered)
    }
    for source in sources { source.removeTiles() }
    return sources
  }

  /// Adds what a block read of a part.
  private mutating func add(
    _ ledger: SourceLedger, _ found: [String], of part: ResolvedSource
  ) throws {
    names[part.name, default: []].formUnion(found)
    ledgers[part.name, default: SourceLedger()].add(ledger)
    guard ledger.rejectedTotal > 0, let records = part.records,
      let excess = ledgers[part.name]?.excess(over: records.tolerance, file: part.dataName)
    else { return }
    throw excess
  }
}

extension ClusteredSource {
  /// Forgets the tiles that the source's records were read from.
  fileprivate func removeTiles() { source.resolved.sharedTiles?.removeContents() }
}

extension SceneBuilder {
  /// Returns the scenes of what some sources show of a zoom at points and in images.
  fileprivate mutating func scenes(
    of sources: [ClusteredSource], at zoom: Int
  ) throws -> ZoomScenes {
    try scenes(
      of: sources.map { $0.symbols(at: zoom) }, images: sources.compactMap(\.source.image?.source),
      zoom: zoom)
  }
}
