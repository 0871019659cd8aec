import Features
import Files
import JSON
import MBTiles
import OrderedCollections
import Pictures
package import Runs
import SystemPackage
import Tilesets
import Tiling
import VectorTiles

/// The inspection of tiles in any container by `inspect`: the layers of vector tiles, and for a
/// folder or TileJSON also its metadata.
package struct TilesetInspection {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Whether a path leads to a folder or a file of JSON, rather than to an archive.
  package static func isLoose(_ path: String) -> Bool {
    FileStatus(FilePath(path))?.kind == .folder
      || [".json", ".tilejson"].contains { path.lowercased().hasSuffix($0) }
  }

  /// Whether a path leads to vector tiles.
  package static func isVector(_ path: String) -> Bool {
    guard isLoose(path) || ArchiveTap.isArchive(path),
      let tileset = try? TilesetOpening.open(FilePath(path))
    else { return false }
    return (try? TilesetInspection(path).isVector(tileset)) ?? false
  }

  /// Opens the tiles, of whatever kind.
  ///
  /// - Throws: ``PipelineError`` for those that are damaged.
  package func requireReadable() throws(PipelineError) {
    try ArchiveFailure.wrap(Cancellation()) {
      _ = try isVector(try TilesetOpening.open(FilePath(path)))
    }
  }

  /// Describes the tiles of a folder or TileJSON.
  package func text(_ cancellation: Cancellation = Cancellation()) throws(PipelineError) -> String {
    try ArchiveFailure.wrap(cancellation) {
      let tileset = try TilesetOpening.open(FilePath(path))
      let isVector = try isVector(tileset)
      var parts = ["\(path): \(isVector ? "vector tiles" : "pictures")", head(tileset.head).text]
      if isVector {
        parts += try sections(tileset, cancellation)
      } else {
        parts.append(countTable(try counts(tileset, cancellation)).text)
      }
      return parts.joined(separator: "\n\n")
    }
  }

  /// Describes the layers of an archive's vector tiles; `nil` for an archive of pictures.
  package func layers(
    _ cancellation: Cancellation = Cancellation()
  ) throws(PipelineError) -> String? {
    try ArchiveFailure.wrap(cancellation) {
      let tileset = try TilesetOpening.open(FilePath(path))
      guard try isVector(tileset) else { return nil }
      return try sections(tileset, cancellation).joined(separator: "\n\n")
    }
  }

  /// Returns the tiles of a folder or TileJSON for `inspect --json`.
  func members(_ cancellation: Cancellation) throws(PipelineError) -> [ReportJSON.Member] {
    try ArchiveFailure.wrap(cancellation) {
      let tileset = try TilesetOpening.open(FilePath(path))
      let head = tileset.head
      var members: [ReportJSON.Member] = .of(["container": .string("tiles")])
      func add(_ name: String, _ value: ReportJSON?) {
        if let value { members.append(.init(name, value)) }
      }
      add("name", head.name.map { .string($0) })
      add("description", head.description.map { .string($0) })
      add("attribution", head.attribution.map { .string($0) })
      add("format", head.format.map { .string($0) })
      add("rows", .string(head.rows.rawValue))
      add("minzoom", head.minZoom.map { .integer($0) })
      add("maxzoom", head.maxZoom.map { .integer($0) })
      add("bounds", head.bounds.map { TileJSON.box($0) })
      add("center", head.center.map { .array([.number($0.longitude), .number($0.latitude)]) })
      guard try isVector(tileset) else {
        let zooms = try counts(tileset, cancellation)
        add("tiles", .integer(zooms.reduce(0) { $0 + $1.tiles }))
        add(
          "zooms",
          .array(
            zooms.map { .members(["zoom": .integer($0.zoom), "tiles": .integer($0.tiles)]) }))
        return members
      }
      return members + [.init("vector", try census(tileset, cancellation).json(head.vectorLayers))]
    }
  }

  /// Returns the content of an archive's vector tiles for `inspect --json`; `nil` of pictures.
  func vectorJSON(_ cancellation: Cancellation) throws(PipelineError) -> ReportJSON? {
    try ArchiveFailure.wrap(cancellation) {
      let tileset = try TilesetOpening.open(FilePath(path))
      guard try isVector(tileset) else { return nil }
      return try census(tileset, cancellation).json(tileset.head.vectorLayers)
    }
  }

  /// Whether the tiles are vector tiles: by the metadata, or else by the first tile.
  private func isVector(_ tileset: any Tileset) throws(ArchiveError) -> Bool {
    if let format = tileset.head.format.flatMap({ TileFormat(metadata: $0) }) {
      return format == .vector
    }
    guard tileset.head.vectorLayers.isEmpty else { return true }
    for zoom in tileset.head.possibleZooms {
      var first: TileCoord?
      try tileset.forEachAddress(zoom: zoom, in: nil) { tile in
        first = tile.first(ofZoom: zoom)
        return false
      }
      guard let first, let bytes = try tileset.storedTile(first) else { continue }
      let format = bytes.withUnsafeBytes { TileFormat(sniffing: $0) }
      return format.map { $0 == .vector } ?? true
    }
    return false
  }

  private func head(_ head: TilesetHead) -> ReportTable {
    var table = ReportTable(text: [0, 1])
    func add(_ name: String, _ value: String?) {
      if let value { table.rows.append([name, value.withoutControls]) }
    }
    func degrees(_ values: [Double]) -> String {
      values.map { ReportNumber.decimal($0, 5) }.joined(separator: ", ")
    }
    add("name", head.name)
    add("description", head.description)
    add("attribution", head.attribution)
    add("format", head.format)
    add("rows", head.rows.rawValue)
    if let first = head.minZoom, let last = head.maxZoom { add("zooms", "\(first) to \(last)") }
    add("bounds", head.bounds.map { degrees([$0.west, $0.south, $0.east, $0.north]) })
    add("center", head.center.map { degrees([$0.longitude, $0.latitude]) })
    return table
  }

  /// Counts pictures by zoom, of the zooms that have any.
  private func counts(
    _ tileset: any Tileset, _ cancellation: Cancellation
  ) throws -> [(zoom: Int, tiles: Int)] {
    var zooms: [(zoom: Int, tiles: Int)] = []
    for zoom in tileset.head.possibleZooms {
      try cancellation.check()
      let count = try tileset.presence(zoom: zoom).count
      if count > 0 { zooms.append((zoom, count)) }
    }
    return zooms
  }

  private func countTable(_ zooms: [(zoom: Int, tiles: Int)]) -> ReportTable {
    var table = ReportTable([["zoom", "tiles"]], text: [])
    table.rows += zooms.map { ["\($0.zoom)", ReportNumber.count($0.tiles)] }
    table.rows.append(["all", ReportNumber.count(zooms.reduce(0) { $0 + $1.tiles })])
    return table
  }

  private func census(
    _ tileset: any Tileset, _ cancellation: Cancellation
  ) throws -> TilesetCensus {
    try TilesetCensus(tileset, checkpoint: cancellation.check)
  }

  private func sections(
    _ tileset: any Tileset, _ cancellation: Cancellation
  ) throws -> [String] {
    let census = try census(tileset, cancellation)
    return [
      census.layerTable(listed: tileset.head.vectorLayers).text, census.zoomTable.text,
      census.largestTable.text, census.notes(listed: tileset.head.vectorLayers),
    ].compactMap(\.self).filter { !$0.isEmpty }
  }
}

extension TilesetCensus {
  /// Maximum number of fields that are named.
  private static let fieldLimit = 16

  /// Returns layers, zooms and the largest tiles for `inspect --json`.
  fileprivate func json(_ listed: [TilesetHead.VectorLayer]) -> ReportJSON {
    .members([
      "layers": .array(names(listed).map { layer($0, listed: listed.first(named: $0)) }),
      "zooms": .array(
        zooms.map { zoom in
          .members([
            "zoom": .integer(zoom.zoom), "tiles": zoom.tiles.map { .integer($0) } ?? .null,
            "tilesRead": .integer(zoom.tilesRead), "features": .integer(zoom.features),
            "bytes": .integer(zoom.bytes), "largest": .integer(zoom.largest?.stored ?? 0),
          ])
        }),
      "largest": .array(
        largest.map { tile in
          .members([
            "tile": .string("\(tile.tile)"), "bytes": .integer(tile.stored),
            "unpacked": .integer(tile.unpacked), "features": .integer(tile.features),
          ])
        }),
      "brokenTiles": .integer(brokenTiles), "brokenFeatures": .integer(brokenFeatures),
    ])
  }

  private func layer(_ name: String, listed: TilesetHead.VectorLayer?) -> ReportJSON {
    let kinds = layers[name]?.kinds ?? Kinds()
    let zooms = layers[name]?.zooms ?? listed?.zooms
    var fields: OrderedDictionary<String, ReportJSON> = [:]
    for (field, types) in layers[name]?.fields ?? [:] { fields[field] = .string("\(types)") }
    // Those that no tile has.
    for field in listed?.fields.keys ?? [] where fields[field] == nil { fields[field] = .null }
    return .members([
      "id": .string(name), "listed": .bool(listed != nil),
      "minzoom": zooms.map { .integer($0.lowerBound) } ?? .null,
      "maxzoom": zooms.map { .integer($0.upperBound) } ?? .null,
      "points": .integer(kinds.points), "lines": .integer(kinds.lines),
      "polygons": .integer(kinds.polygons),
      "fields": .object(fields.map { .init($0.key, $0.value) }),
    ])
  }

  /// The names of the layers as the metadata list them, then of those that only tiles have.
  private func names(_ listed: [TilesetHead.VectorLayer]) -> [String] {
    listed.map(\.id) + layers.keys.filter { listed.first(named: $0) == nil }
  }

  fileprivate func layerTable(listed: [TilesetHead.VectorLayer]) -> ReportTable {
    var table = ReportTable(
      [["layer", "zooms", "points", "lines", "polygons", "fields"]], text: [0, 1, 5])
    for name in names(listed) {
      let kinds = layers[name]?.kinds ?? Kinds()
      let zooms = layers[name]?.zooms ?? listed.first(named: name)?.zooms
      table.rows.append(
        [name.withoutControls, zooms.map { "\($0.lowerBound) to \($0.upperBound)" } ?? ""]
          + [kinds.points, kinds.lines, kinds.polygons].map(ReportNumber.count)
          + [fields(of: name, listed: listed.first(named: name))])
    }
    return table
  }

  private func fields(of name: String, listed: TilesetHead.VectorLayer?) -> String {
    var words = layers[name]?.fields.map { "\($0.key) (\($0.value))" } ?? []
    words += (listed?.fields ?? [:]).filter { layers[name]?.fields[$0.key] == nil }
      .map { "\($0.key) (no value)" }
    let left = words.count - Self.fieldLimit
    return words.prefix(Self.fieldLimit).joined(separator: ", ").withoutControls
      + (left > 0 ? " and \(left) more" : "")
  }

  fileprivate var zoomTable: ReportTable {
    var table = ReportTable([["zoom", "tiles", "features", "mean", "largest", ""]], text: [5])
    for zoom in zooms {
      guard let tiles = zoom.tiles else {
        table.rows.append(["\(zoom.zoom)", "too many to list"])
        continue
      }
      table.rows.append([
        "\(zoom.zoom)", ReportNumber.count(tiles), ReportNumber.count(zoom.features),
        ReportNumber.bytes(zoom.bytes / max(zoom.tilesRead, 1)),
        ReportNumber.bytes(zoom.largest?.stored ?? 0),
        zoom.tilesRead < tiles
          ? "of \(ReportNumber.count(zoom.tilesRead)) tiles that were read" : "",
      ])
    }
    return table
  }

  fileprivate var largestTable: ReportTable {
    var table = ReportTable(
      [["largest tiles", "bytes", "unpacked", "features", "most in"]], text: [0, 4])
    for tile in largest {
      table.rows.append([
        "\(tile.tile)", ReportNumber.bytes(tile.stored), ReportNumber.bytes(tile.unpacked),
        ReportNumber.count(tile.features),
        tile.first.map { "\($0.name.withoutControls) (\(ReportNumber.count($0.features)))" } ?? "",
      ])
    }
    return table
  }

  /// Returns sentences about what the metadata leave out and what cannot be read; `nil` without any.
  fileprivate func notes(listed: [TilesetHead.VectorLayer]) -> String? {
    var notes: [String] = []
    let unlisted = layers.keys.filter { name in !listed.contains { $0.id == name } }
    if !listed.isEmpty, !unlisted.isEmpty {
      let names = unlisted.map(\.withoutControls).joined(separator: ", ")
      notes.append("the metadata do not list the layers \(names).")
    }
    if let example {
      notes.append(
        "\(ReportNumber.count(brokenTiles)) tiles and \(ReportNumber.count(brokenFeatures)) features "
          + "cannot be read. The first: \(example.sentence)")
    }
    return notes.isEmpty ? nil : notes.joined(separator: "\n")
  }
}

extension [TilesetHead.VectorLayer] {
  fileprivate func first(named name: String) -> TilesetHead.VectorLayer? {
    first { $0.id == name }
  }
}
