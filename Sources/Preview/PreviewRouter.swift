import Definition
import JSON
import MBTiles
package import Runs
import Tiling

/// A router that answers requests: the page, its library, and what it shows. It maps values to
/// values and leaves the sockets to its caller.
package struct PreviewRouter: Sendable {
  package let tilesets: [PreviewTileset]
  let leaflet: LeafletFiles
  var pool = ArchivePool()

  /// The boxes of the data and the indexes of the search, each until its archive is replaced.
  private let focuses = FileStampCache<GeoBounds?>(limit: 64)
  private let indexes = FileStampCache<RecordIndex>(limit: 4)

  /// The zooms that the page lists, out of the archives' zooms.
  var zooms = 0...TileCoord.maxZoom

  /// Whether a running server answers: an exported folder has neither the search nor the watch.
  var isLive = true

  /// The builds of the tilesets on the page, if they are watched.
  package var watch: PreviewWatch?

  /// The tilesets that are painted instead of read, by their identifiers.
  package var painted: [String: any PaintedTiles] = [:]

  /// The looks that the page changes; `nil` where it only shows them.
  package var looks: LookDesk?

  /// The user's own map under the tiles.
  package var under: UnderMap?

  /// The names under which a browser may address this server. Any other name that resolves here
  /// belongs to a foreign page that tries to read the content (DNS rebinding).
  package var hosts: Set<String>

  package init(_ tilesets: [PreviewTileset], leaflet: LeafletFiles, hosts: Set<String> = []) {
    self.tilesets = tilesets
    self.leaflet = leaflet
    self.hosts = hosts
  }

  /// Returns the names of the loopback address with a port.
  package static func hosts(port: Int) -> Set<String> {
    var hosts: Set<String> = ["127.0.0.1:\(port)", "localhost:\(port)"]
    if port == 80 { hosts.formUnion(["127.0.0.1", "localhost"]) }
    return hosts
  }

  /// Returns the response to a request; for `HEAD`, the server omits the body.
  package func answer(
    _ request: PreviewRequest, for client: PreviewClient = PreviewClient()
  ) -> PreviewAnswer {
    guard let host = request.host?.lowercased(), hosts.contains(host) else {
      return PreviewAnswer(status: 421, "This server answers to its own address only.")
    }
    if request.method == "POST", isLive, let looks { return change(request, host: host, looks) }
    guard request.method == "GET" || request.method == "HEAD" else {
      return PreviewAnswer(status: 405, "Only GET and HEAD are answered.")
    }
    guard let names = request.names else { return Self.missing }
    var answer = Self.missing
    do {
      if let content = try content(names, of: request, for: client) {
        answer = PreviewAnswer(content)
      }
    } catch is BusyPreview {
      answer = .busy
    } catch {
      answer = PreviewAnswer(status: 500, PipelineError(wrapping: error).message)
    }
    answer.isShared = Self.isPicture(names)
    return answer
  }

  /// Whether a path is that of a tile's picture, whether it exists or not.
  private static func isPicture(_ names: [String]) -> Bool {
    names.first == "tiles" && names.count >= 6
      && [".png", ".webp", ".jpg"].contains { names.last?.hasSuffix($0) == true }
  }

  /// Opens every tileset once.
  ///
  /// - Throws: ``PipelineError`` for the first that cannot be read.
  package func check() throws(PipelineError) {
    _ = try PipelineError.wrapping { try catalogue() }
  }

  static let missing = PreviewAnswer(status: 404, "There is no such file.")

  private func catalogue() throws -> ReportJSON {
    var catalogue = Catalogue(tilesets: tilesets, pool: pool, focuses: focuses, zooms: zooms)
    catalogue.isLive = isLive
    catalogue.painted = painted.reduce(into: [:]) { all, one in
      all[one.key] = looks?.tiles(of: one.key) ?? one.value
    }
    catalogue.looked = Set(painted.keys.filter { looks?.file(of: $0) != nil })
    var json = try catalogue.json()
    if isLive, let looks { json = json.adding("token", .string(looks.token)) }
    if let under { json = json.adding("under", under.json) }
    return watch == nil ? json : json.adding("watch", .bool(true))
  }

  /// Returns the page, which may load the user's own map, too.
  private func page() -> PreviewContent? {
    PageFiles.file("index.html").map { under?.allowed(in: $0) ?? $0 }
  }

  /// Returns the content at a path; `nil` if there is none.
  func content(
    _ names: [String], of request: PreviewRequest? = nil,
    for client: PreviewClient = PreviewClient()
  ) throws -> PreviewContent? {
    switch names.first {
    case nil: page()
    case "index.html" where names.count == 1: page()
    case "watch.json" where names.count == 1: watch.map { PreviewContent(json: $0.json) }
    case "under.geojson" where names.count == 1: try under?.geoJSON()
    case "under": try under?.tile(names.dropFirst(), for: client)
    case "leaflet": leaflet.file(names.dropFirst().joined(separator: "/"))
    case "tilesets" where names == ["tilesets", names[min(1, names.count - 1)], "search.json"]:
      try request.flatMap { try search(names[1], $0, for: client) }
    case "tilesets" where names.count == 3 && names[2] == "view.png":
      try request.flatMap { try picture(names[1], $0, for: client) }
    case "tilesets" where names.count == 3: try companion(names[1], names[2])
    case "tiles" where names.count >= 5: try tile(names, for: client)
    case "catalogue.json" where names.count == 1: PreviewContent(json: try catalogue())
    case .some(let name): names.count == 1 ? PageFiles.file(name) : nil
    }
  }

  /// Returns the content of `tilesets/ID/report.json`, `look.json`, `legend.png` and
  /// `legend.json`.
  private func companion(_ id: String, _ name: String) throws -> PreviewContent? {
    guard let (tileset, painted) = addressed(id), let first = tileset.files.first else {
      return nil
    }
    if let painted, name != "look.json" { return companion(painted, name) }
    switch name {
    case "report.json":
      return ReportExtract.read(tileset.companion(".report.json", of: first)).map {
        PreviewContent(json: $0)
      }
    case "look.json":
      return try look(of: tileset).map {
        let json = try $0.json(isWatched: watch != nil, target: looks?.target(of: $0))
        return PreviewContent(
          json: looks?.choice(of: $0).map { json.adding("draft", $0) } ?? json)
      }
    case "legend.png", "legend.json":
      for file in tileset.files.reversed() {
        let path = tileset.companion(".\(name)", of: file)
        guard let bytes = try? DocumentFile.read(path, limit: 16 << 20, waits: false) else {
          continue
        }
        return PreviewContent(name == "legend.png" ? .png : .json, bytes)
      }
      return nil
    default: return nil
    }
  }

  /// Returns the tileset of an address and what paints it, for `ID@KEY` in a changed look; `nil` if
  /// there is none.
  func addressed(_ name: String) -> (tileset: PreviewTileset, painted: (any PaintedTiles)?)? {
    let parts = name.split(separator: "@", maxSplits: 1).map { String($0) }
    guard let id = parts.first, let tileset = tilesets.first(where: { $0.id == id }) else {
      return nil
    }
    guard parts.count == 2 else { return (tileset, looks?.tiles(of: id) ?? painted[id]) }
    guard let tiles = looks?.tiles(key: parts[1]) else { return nil }
    return (PreviewTileset(tileset, look: parts[1]), tiles)
  }

  /// Returns the content of `tiles/ID/1x/FILE`, for a series `tiles/ID/1x/FRAME/FILE`.
  private func tile(_ names: [String], for client: PreviewClient) throws -> PreviewContent? {
    guard let (tileset, painted) = addressed(names[1]),
      let scale = ["1x": 1, "2x": 2, "3x": 3][names[2]],
      let file = ArchiveFile(Array(names.dropFirst(tileset.isSeries ? 4 : 3)))
    else { return nil }
    if let painted {
      return try content(of: file, painted, scale: scale, for: client)
    }
    guard let path = tileset.archive(scale: scale, frame: tileset.isSeries ? names[3] : nil),
      FileStamp(path) != nil
    else { return nil }
    return try pool.read(path) { try file.content(in: $0) }
  }
}

extension PreviewRouter {
  /// Returns the records that match the query `q`; for a series, in the frame `frame`.
  ///
  /// Without `q` it only makes the index, so that the page can ask for it before anyone types.
  private func search(
    _ id: String, _ request: PreviewRequest, for client: PreviewClient
  ) throws -> PreviewContent? {
    if let painted = addressed(id)?.painted {
      let search = request.query("q").flatMap { RecordSearch($0) }
      return PreviewContent(
        json: try search?.answer(from: painted, for: client) ?? .members(["places": .array([])]))
    }
    guard isLive, let tileset = tilesets.first(where: { $0.id == id }),
      let scale = tileset.files.first?.scale,
      let path = tileset.archive(scale: scale, frame: request.query("frame")),
      FileStamp(path) != nil
    else { return nil }
    // A reader of its own: the page's tiles do not wait for the index.
    let index = try indexes.value(of: path) { try RecordIndex(path) }
    guard let text = request.query("q"), let search = RecordSearch(text) else {
      return PreviewContent(
        json: .members(["records": .integer(index.count), "places": .array([])]))
    }
    return try pool.read(path) { reader in
      try reader.taps.map { PreviewContent(json: try search.answer(from: $0, index)) }
    }
  }
}

extension TileCoord {
  /// Creates the coordinate of an address `z/x/y`; a tile has exactly one: no sign, no leading zeros.
  init?(exactly address: String) {
    guard let tile = TileCoord(address), "\(tile)" == address else { return nil }
    self = tile
  }
}

/// The numbers of a build's report that a page shows, without anything that reveals the machine's
/// folders.
enum ReportExtract {
  /// Maximum bytes of a report; a larger one is refused.
  static let maxBytes = 16 << 20

  private static let kept = [
    "pipeline", "result", "sources", "stages", "zooms", "tiles", "taps", "changes", "archive",
    "series", "peakAnonymousBytes", "peakMappedBytes",
  ]
  private static let archive = ["bytes", "sha256", "digest"]
  private static let series = [
    "frames", "first", "latest", "built", "unchanged", "expired", "leftOut", "replaced", "gaps",
    "comparedTiles", "identicalTiles",
  ]
  private static let source = [
    "read", "used", "filtered", "noGeometry", "beyondMap", "limited", "rejected", "format", "width",
    "height",
  ]

  /// Reads the extract of a report's file; `nil` if there is no readable one.
  static func read(_ path: String) -> ReportJSON? {
    guard let bytes = try? DocumentFile.read(path, limit: maxBytes, waits: false),
      let report = ReportJSON(bytes),
      case .object = report
    else { return nil }
    return report.keeping(kept)
      .replacing("archive") { $0.keeping(archive) }
      .replacing("series") { $0.keeping(series) }
      .replacing("sources") { sources in
        guard case .object(let members) = sources else { return .null }
        return .object(members.map { .init($0.key, $0.value.keeping(source)) })
      }
  }
}
