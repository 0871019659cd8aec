import Files
import MBTiles
import Pictures
import PNG
package import Runs
import SystemPackage
import Tiling

/// An export of tiles from an archive to another container: the work of `extract` and `export`.
package struct TileExport {
  package let options: ExportOptions
  package let clock: StageClock

  package init(options: ExportOptions, clock: StageClock) {
    self.options = options
    self.clock = clock
  }

  package func run() throws(PipelineError) -> ExportSummary {
    do throws(PipelineError) {
      return try export()
    } catch {
      // The result inherits the damage of a damaged source.
      guard error.code == .bug, let fault = try sourceFault() else { throw error }
      throw PipelineError(
        .badData,
        "\(options.archive) is damaged, so nothing is made of it: \(fault) Get it again, or build it "
          + "again.")
    }
  }

  /// Returns the first fault of the archive, or of the PMTiles file; `nil` if it is sound.
  private func sourceFault() throws(PipelineError) -> String? {
    if FolderTiles.isFolder(FilePath(options.archive)) { return nil }
    let found =
      PMTilesInspection.isPMTiles(options.archive)
      ? try PMTilesInspection(options.archive).verify(clock.cancellation)
      : try ArchiveInspection(options.archive).verify(clock.cancellation)
    return found.faults.first
  }

  private func export() throws(PipelineError) -> ExportSummary {
    try ArchiveFailure.wrap(clock.cancellation) {
      try requireApart()
      try refuseManifest()
      try ArchiveArgument.refusePipeline(options.archive, to: "export")
      let selection = try selection()
      let reader = try ArchiveReader.opening(
        FilePath(options.archive), in: options.temporaryFolder.map { FilePath($0) },
        isStopped: clock.cancellation.isStopped)
      return try run(reader, selection)
    }
  }

  private func run(
    _ reader: ArchiveReader, _ selection: TileSelection
  ) throws -> ExportSummary {
    if let reason = try reader.reasonForNoTile() {
      throw PipelineError(
        .badData,
        "no row of \(options.archive) names a tile: \(reason). Copy its rows into a table 'tiles' "
          + "whose columns zoom_level, tile_column and tile_row are INTEGER, with zooms from 0 to "
          + "\(TileCoord.maxZoom).")
    }
    let isEmpty = try reader.firstTile() == nil
    if isEmpty, options.container == .pmtiles {
      throw PipelineError(
        .badData,
        "\(options.archive) has no tiles, and a PMTiles file has at least one. Export it as .mbtiles, "
          + ".gpkg or a folder.")
    }
    var formats = try TileFormats(of: reader, options.archive)
    let format = formats.common
    let sink = try sink(reader, format)
    var tiles = SelectedTiles(reader, selection) { size in
      format == .webp
        ? BlankWebP.bytes(width: size, height: size)
        : PNGEncoder.transparent(width: size, height: size)
    }
    if options.container != .folder {
      tiles.gaps = BlankTiles.gaps(format, in: selection.area?.bounds)
    }
    try clock.stage("tiles", unit: .tiles) { advance in
      var count = 0
      try tiles.forEach { tile, bytes, isCleared in
        try sink.append(tile, bytes, isCleared: isCleared)
        if !isCleared { formats.count(bytes) }
        count += 1
        if count & 1023 == 0 { try advance(count, tile.z) }
      }
    }
    try clock.cancellation.check()
    guard !tiles.zooms.isEmpty || isEmpty else { throw nothing(reader) }
    let tileset = TilesetDescription(
      reader.metadata, format: format, fallbackName: Self.stem(options.output),
      selection: selection, taken: tiles.zooms)
    let outcome = try clock.stage("publish", unit: .bytes) { _ in
      try sink.publish(tileset, rows: tiles.isWhole ? reader.packedRows : nil, clock)
    }
    return ExportSummary(
      output: options.output, container: options.container,
      tiles: tiles.zooms.reduce(0) { $0 + $1.tiles }, tilesRead: tiles.read,
      zooms: tileset.zooms, bytes: outcome.bytes, detail: outcome.detail,
      notes: formats.notes + notes(tiles, tileset) + lostTaps(reader) + outcome.notes)
  }

  /// Returns a note if the tiles have hit test data and their new container does not.
  private func lostTaps(_ reader: ArchiveReader) -> [String] {
    guard options.container != .mbtiles, (try? reader.answersTaps()) == true else { return [] }
    return ["taps were left out: only an .mbtiles archive holds them."]
  }

  private func notes(_ tiles: SelectedTiles, _ tileset: TilesetDescription) -> [String] {
    var notes: [String] = []
    if tiles.cleared > 0 {
      notes.append(
        "\(ReportNumber.count(tiles.cleared)) tiles inside the bounds and outside of the area are "
          + "transparent, so that no reader shows their parents there.")
    }
    if let added = tiles.gaps?.count, added > 0 {
      notes.append(
        "\(added == 1 ? "1 transparent tile was" : "\(added) transparent tiles were") added: a zoom "
          + "between others would have had none, and readers accept no gap.")
    }
    if tiles.hollow > 0 {
      notes.append(
        tiles.hollow == 1
          ? "1 tile without bytes was left out."
          : "\(ReportNumber.count(tiles.hollow)) tiles without bytes were left out.")
    }
    if tiles.repeated > 0 {
      notes.append(
        "\(Self.rows(tiles.repeated)) left out since the tile has a row already: the first counts.")
    }
    if tiles.misplaced > 0 {
      notes.append(
        "\(Self.rows(tiles.misplaced)) left out that \(tiles.misplaced == 1 ? "names" : "name") no "
          + "tile: zoom, column and row must be integers within the zoom's range.")
    }
    if !tileset.dropped.isEmpty {
      notes.append(
        "metadata that no archive may hold was left out: "
          + "\(tileset.dropped.joined(separator: ", ")).")
    }
    return notes
  }

  /// Formats `1 row was` or `2 rows were`.
  private static func rows(_ count: Int) -> String {
    count == 1 ? "1 row was" : "\(ReportNumber.count(count)) rows were"
  }

  // MARK: What is wanted

  private func selection() throws(PipelineError) -> TileSelection {
    let first = options.minZoom ?? 0
    let last = options.maxZoom ?? TileCoord.maxZoom
    guard first <= last else {
      throw PipelineError(
        .usage, "--minzoom \(first) is deeper than --maxzoom \(last). Swap them.")
    }
    if let bounds = options.bounds {
      guard abs(bounds.west) <= 360, abs(bounds.east) <= 360, bounds.south <= 90,
        bounds.north >= -90
      else { throw PipelineError(.usage, "--bbox is not in degrees: w,s,e,n.") }
      return TileSelection(zooms: first...last, area: BoxArea(bounds))
    }
    guard let file = options.polygonFile else { return TileSelection(zooms: first...last) }
    return TileSelection(zooms: first...last, area: try PolygonArea(contentsOf: file))
  }

  private func refuseManifest() throws(PipelineError) {
    guard SeriesInspection.isManifest(options.archive) else { return }
    throw PipelineError(
      .usage, "this is the manifest of a series. Name the archive of one of its frames.",
      at: DocumentPlace(file: options.archive))
  }

  /// Refuses to replace what is read, and a folder whose name is that of a file.
  private func requireApart() throws(PipelineError) {
    let inputs = [options.archive] + [options.polygonFile].compactMap(\.self)
    try PipelineError.requireApart(options.output, from: inputs)
    guard options.container == .folder else { return }
    if !options.isFolderChosen { try PipelineError.requireFolderName(options.output) }
    guard let publication = options.publication else { return }
    try PipelineError.requireApart(
      publication.listPath(besides: options.output), from: inputs, option: "--purge")
  }

  private func nothing(_ reader: ArchiveReader) -> PipelineError {
    let bounds = reader.metadata["bounds"] ?? "unknown"
    let first = reader.metadata["minzoom"] ?? "?"
    let last = reader.metadata["maxzoom"] ?? "?"
    return PipelineError(
      .badData,
      "no tile of \(options.archive) is in these zooms and this area; it has zooms \(first) to "
        + "\(last) and bounds \(bounds). Widen -Z, -z, --bbox or --polygon.")
  }

  // MARK: Where it goes

  private func sink(_ reader: ArchiveReader, _ format: TileFormat) throws -> any TileSink {
    let scratch = options.temporaryFolder.map { FilePath($0) }
    switch options.container {
    case .folder:
      guard let publication = options.publication else { return try FolderSink(options, format) }
      return try PublishSink(options, publication, format)
    case .mbtiles:
      return try ArchiveSink(
        try publication(), reader,
        isWholeKept: PMTilesMetadata.isPMTiles(FilePath(options.archive)), scratch: scratch,
        clock.cancellation)
    case .pmtiles:
      return try PMTilesSink(try publication(), format, scratch: scratch, clock.cancellation)
    case .gpkg:
      return try GeoPackageTileSink(
        try publication(), format, table: Self.stem(options.output), options.changeTime)
    }
  }

  private func publication() throws -> ArchivePublication {
    let publication = try ArchivePublication(FilePath(options.output))
    guard !publication.isHeld else {
      throw PipelineError(
        .unexpected,
        "\(options.output) was rolled back from \(publication.setAside), so it is not replaced. "
          + "Name another file with --output.")
    }
    return publication
  }

  /// Returns a file's name without its folder and extension.
  static func stem(_ path: String) -> String {
    let stem = FilePath(path).stem ?? "tiles"
    return stem.isEmpty ? "tiles" : stem
  }
}
