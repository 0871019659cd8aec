import Archives
import Definition
import Features
import Ingest
import JSON
import MBTiles
import OrderedCollections
package import Overlays
import PNG
import Painting
import Publication
import Raster
import Reports
import Reuse
package import Runs
import SourceStages
import Styling
package import SystemPackage

/// A writer of the sidecars of a pipeline's archives.
package struct Sidecars {
  private let definition: PipelineDefinition
  private let style: Style
  private let fonts: FontLibrary

  package init(of build: Build) {
    definition = build.definition
    style = build.prepared.style
    fonts = build.prepared.fonts
  }

  /// Writes the sidecars of a published archive, unless they exist.
  ///
  /// - Parameters:
  ///   - isKnown: whether the archive stayed as it was; then existing sidecars are assumed to be
  ///     right.
  /// - Throws: ``PipelineError``; the archive stays published.
  func write(
    archive path: String, scale: Int, fingerprint: String, isKnown: Bool
  ) throws(PipelineError) {
    guard definition.output.hasSidecars else { return }
    let stem = ReportFile.stem(ofArchive: path)
    let set = SidecarSet(stem: stem, inputs: fingerprint)
    if isKnown, (try? set.isComplete()) == true { return }
    let archive = try Self.open(path)
    let tiles = try SidecarTiles(
      archive, name: FilePath(stem).lastComponent?.string ?? stem,
      tileSize: definition.tiles.tileSize,
      scale: scale)
    try set.write(
      try legend(of: archive, title: tiles.title, scale: scale) + [
        (SidecarSet.style, bytes(tiles.styleDocument())),
        (SidecarSet.tiles, bytes(tiles.tileJSON(inputs: fingerprint))),
      ], of: path)
  }

  /// Writes the sidecars of a series: the TileJSON leads to its newest frame, the style has a
  /// source per frame.
  ///
  /// - Parameter folder: the folder of the manifest.
  package func write(
    series manifest: FramesManifest, in folder: FilePath, scale: Int, isKnown: Bool
  ) throws(PipelineError) {
    guard definition.output.hasSidecars, let newest = manifest.frames.last else { return }
    let name = manifest.names.series
    let inputs = Provenance.digest(of: [manifest.json])
    let set = SidecarSet(stem: folder.appending(name).string, inputs: inputs)
    if isKnown, (try? set.isComplete()) == true { return }
    let archive = try Self.open(folder.pushing(FilePath(newest.archive.file)).string)
    var tiles = try SidecarTiles(
      archive, name: name, tileSize: definition.tiles.tileSize, scale: scale)
    // The archive's own title includes its instant.
    tiles.title = definition.name
    tiles.bounds = manifest.bounds
    tiles.minZoom = manifest.frames.map(\.archive.minZoom).min() ?? tiles.minZoom
    tiles.maxZoom = manifest.frames.map(\.archive.maxZoom).max() ?? tiles.maxZoom
    // The default frame comes first, the others in the order of time.
    let frames =
      manifest.frames.filter { $0.time == manifest.defaultFrame }
      + manifest.frames.filter { $0.time != manifest.defaultFrame }
    let folders = frames.map { frame in
      let file = frame.archive.file.dropLast(OutputDefinition.suffix.count)
      return (source: frame.time.fileName, folder: String(file))
    }
    try set.write(
      try legend(of: archive, title: name, scale: scale) + [
        (SidecarSet.style, bytes(tiles.styleDocument(folders: folders))),
        (SidecarSet.tiles, bytes(tiles.tileJSON(folder: "\(name)/latest", inputs: inputs))),
      ], of: folder.appending(manifest.names.manifest).string)
  }

  private static func open(_ path: String) throws(PipelineError) -> any StoredTiles {
    do {
      return try TileContainer.opening(FilePath(path))
    } catch {
      // The archive was verified before; if SQLite reports damage now, the system failed to deliver
      // the data.
      throw PipelineError(
        .inputOutput,
        "\(path) is published, but it cannot be read to describe it. Check the disk.",
        cause: error.message)
    }
  }

  private func bytes(_ json: ReportJSON) -> [UInt8] { Array(json.pretty.utf8) }

  // MARK: Legend

  private func legend(
    of archive: any StoredTiles, title: String, scale: Int
  ) throws(PipelineError) -> [(suffix: String, bytes: [UInt8])] {
    let classes = ClassBounds.parsed(archive.metadata[ClassBounds.key])
    let legend = try legendFiles(
      clusteredPoints: clusteredPoints(of: archive), classes: classes, title: title, scale: scale)
    return [(SidecarSet.legendPicture, legend.picture), (SidecarSet.legend, legend.json)]
  }

  /// Returns the legend of the map, as JSON and as a PNG.
  ///
  /// - Parameters:
  ///   - clusteredPoints: the number of points of each clustered source.
  ///   - classes: the bounds of the classes of clusters by source, see ``ClassBounds``; `nil` without
  ///     classes.
  func legendFiles(
    clusteredPoints: [String: Int], classes: PropertyValue?, title: String, scale: Int
  ) throws(PipelineError) -> (json: [UInt8], picture: [UInt8]) {
    let (legend, picture) = try legend(
      clusteredPoints: clusteredPoints, classes: classes, title: title,
      zooms: definition.tiles.minZoom...definition.tiles.maxZoom, scale: scale)
    let json = LegendForm.json(legend, classes: classes, scale: scale)
    return (bytes(json), PNGEncoder().encode(picture))
  }

  /// Returns the legend of the map at some zooms, and its picture.
  func legend(
    clusteredPoints: [String: Int], classes: PropertyValue?, title: String,
    zooms: ClosedRange<Int>, scale: Int
  ) throws(PipelineError) -> (legend: Legend, picture: Pixmap) {
    try PipelineError.wrapping {
      let legend = try LegendBuilder(
        style: style, objects: definition.layers.map(\.propertyValue), zooms: zooms,
        clusteredPoints: clusteredPoints, classBounds: ClassBounds.bySource(classes), cells: cells,
        ramps: ramps, scale: scale, fonts: fonts
      ).legend(title: title)
      return (legend, try LegendPainter(scale: scale, fonts: fonts).picture(of: legend))
    }
  }

  /// The sources whose clusters are areas.
  private var cells: Set<String> {
    Set(
      definition.sources.filter {
        if case .areas? = $0.records?.cluster?.method { true } else { false }
      }.map(\.name))
  }

  /// The colours of images of numbers, by source.
  private var ramps: [String: [(value: Double, color: Color)]] {
    var ramps: [String: [(value: Double, color: Color)]] = [:]
    for source in definition.sources {
      guard let ramp = (source.image ?? source.series?.image)?.colorRamp else { continue }
      ramps[source.name] = ramp.stops.map { ($0.value, $0.color) }
    }
    return ramps
  }

  /// Returns the number of points of each clustered source, from the archive's ledger.
  private func clusteredPoints(of archive: any StoredTiles) -> [String: Int] {
    let text = archive.metadata[ArchiveMetadata.ledgerKey] ?? "{}"
    guard case .object(let ledger)? = try? JSONValueParser.parse(Array(text.utf8)) else {
      return [:]
    }
    var points: [String: Int] = [:]
    for source in definition.sources where source.records?.cluster != nil {
      guard case .object(let entry)? = ledger[source.name],
        case .number(let count)? = entry["points"]
      else { continue }
      points[source.name] = Int(exactly: count)
    }
    return points
  }
}

extension Build {
  /// Writes missing sidecars of archives that stayed as they were.
  func addSidecars(_ fingerprints: [BuildFingerprint]) throws(PipelineError) {
    let sidecars = Sidecars(of: self)
    for (scale, fingerprint) in zip(definition.tiles.scales, fingerprints) {
      try sidecars.write(
        archive: definition.output.path(scale: scale), scale: scale, fingerprint: fingerprint.text,
        isKnown: true)
    }
  }
}
