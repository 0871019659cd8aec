/// The facts about an archive: the rows of its table `metadata`.
public struct ArchiveInfo: Hashable, Sendable {
  /// All rows by name; docs/archive.md explains those of Quadrille.
  public let metadata: [String: String]

  /// The first zoom with tiles.
  public let minZoom: Int

  /// The last zoom with tiles; later ones are enlarged from it.
  public let maxZoom: Int

  /// The forms in which archives answer taps.
  public enum Taps: Hashable, Sendable {
    /// A grid for each tile, which other programs read, too.
    case utfGrid
    /// Exact shapes in blocks of tiles.
    case compact
  }

  /// The form of the taps; `nil` for an archive that answers none.
  public let taps: Taps?

  /// The name for people.
  public var name: String { metadata["name"] ?? "" }

  /// The format of the tiles: `png`, `webp` or `jpg`.
  public var format: String { metadata["format"] ?? "" }

  /// The text that must be shown with the map; `nil` if there is none.
  public var attribution: String? { metadata["attribution"] }

  /// The box around everything that is shown.
  public var bounds: MapBox? { metadata["bounds"].flatMap { MapBox(text: $0) } }

  /// The place and zoom of the first view.
  public var center: (coordinate: MapCoordinate, zoom: Int)? {
    let parts = (metadata["center"] ?? "").split(separator: ",").map { Double($0) }
    guard parts.count == 3, let longitude = parts[0], let latitude = parts[1], let zoom = parts[2],
      (0...30).contains(zoom)
    else { return nil }
    return (MapCoordinate(longitude: longitude, latitude: latitude), Int(zoom))
  }

  /// The pixels of a picture for each pixel of the map: 1, 2 for an @2x archive, or 3.
  public var density: Int {
    metadata["scale"].flatMap { Int($0) }.flatMap { (1...4).contains($0) ? $0 : nil } ?? 1
  }

  /// The digest of the tiles: equal digests mean equal tiles. `nil` for archives of other programs.
  public var digest: String? { metadata["quadrille:digest"] }

  /// The digest of everything that answers taps.
  public var tapsDigest: String? { metadata["quadrille:taps"] }

  /// Reads the facts of an open archive.
  init(_ file: SQLiteFile) throws(ClientError) {
    let tables = try Self.tables(file)
    guard tables.contains("metadata"), tables.contains("tiles") else {
      throw ClientError.notArchive(file: file.name, reason: "it has no tables of tiles")
    }
    taps =
      tables.isSuperset(of: ["taps", "tap_entries"])
      ? .compact : tables.isSuperset(of: ["grids", "grid_data"]) ? .utfGrid : nil
    var metadata: [String: String] = [:]
    let rows = try file.prepare("SELECT name, value FROM metadata")
    while try rows.step() {
      if let name = rows.text(0), let value = rows.text(1) { metadata[name] = value }
    }
    self.metadata = metadata
    let zooms = 0...TileAddress.maxZoom
    let lowest = try Self.zoom(metadata["minzoom"], "min", file)
    let highest = try Self.zoom(metadata["maxzoom"], "max", file)
    guard zooms.contains(lowest), zooms.contains(highest), lowest <= highest else {
      throw ClientError.notArchive(file: file.name, reason: "its zooms are \(lowest) to \(highest)")
    }
    (minZoom, maxZoom) = (lowest, highest)
  }

  /// Returns a zoom of the metadata, or of the tiles where other programs left it out.
  private static func zoom(
    _ text: String?, _ function: String, _ file: SQLiteFile
  ) throws(ClientError) -> Int {
    if let zoom = text.flatMap({ Int($0) }) { return zoom }
    return try file.integer("SELECT \(function)(zoom_level) FROM tiles") ?? 0
  }

  /// The names of the tables and views that decide how an archive is read.
  static func tables(_ file: SQLiteFile) throws(ClientError) -> Set<String> {
    let rows = try file.prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    var names: Set<String> = []
    while names.count < 1000, try rows.step() {
      if let name = rows.text(0) { names.insert(name) }
    }
    return names
  }
}
