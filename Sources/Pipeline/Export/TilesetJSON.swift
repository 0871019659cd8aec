import Features
import Ingest
import MBTiles
import Tiling

/// What a set of tiles says of itself as JSON.
enum TilesetJSON {
  /// A TileJSON 3.0.0 for a folder of files; its template is relative to its own place.
  static func tileJSON(_ tileset: TilesetDescription, scheme: TileScheme) -> ReportJSON {
    let bounds = tileset.bounds
    var members: [ReportJSON.Member] = [
      .init("tilejson", .string("3.0.0")), .init("name", .string(tileset.name)),
    ]
    members += texts(tileset)
    members += [
      .init("scheme", .string(scheme.rawValue)),
      .init("tiles", .array([.string("{z}/{x}/{y}.\(tileset.format.fileExtension)")])),
      .init("minzoom", .integer(tileset.zooms.lowerBound)),
      .init("maxzoom", .integer(tileset.zooms.upperBound)),
      .init(
        "bounds",
        .array([bounds.west, bounds.south, bounds.east, bounds.north].map { .number(rounded($0)) })
      ),
      .init(
        "center",
        .array([
          .number(rounded(tileset.center.longitude)), .number(rounded(tileset.center.latitude)),
          .integer(tileset.centerZoom),
        ])),
    ]
    if tileset.scale != 1 { members.append(.init("scale", .integer(tileset.scale))) }
    return .object(members + layers(tileset))
  }

  /// The metadata of a PMTiles file: what its header does not tell.
  static func pmtiles(_ tileset: TilesetDescription) -> ReportJSON {
    var members: [ReportJSON.Member] = [.init("name", .string(tileset.name))]
    members += texts(tileset)
    members.append(.init("type", .string(tileset.type)))
    if tileset.scale != 1 { members.append(.init("scale", .string("\(tileset.scale)"))) }
    let known = Set(members.map(\.key))
    members += tileset.others.filter { !known.contains($0.name) }.map {
      .init($0.name, .string($0.value))
    }
    let taken = Set(members.map(\.key))
    return .object(members + layers(tileset).filter { !taken.contains($0.key) })
  }

  private static func texts(_ tileset: TilesetDescription) -> [ReportJSON.Member] {
    [
      ("description", tileset.description), ("attribution", tileset.attribution),
      ("version", tileset.version),
    ].filter { !$0.1.isEmpty }.map { .init($0.0, .string($0.1)) }
  }

  /// The members of the row `json`, which names the layers of vector tiles.
  private static func layers(_ tileset: TilesetDescription) -> [ReportJSON.Member] {
    guard tileset.format == .vector, let text = tileset.json,
      case .object(let members)? = try? JSONValueParser.parse(Array(text.utf8))
    else { return [] }
    return members.map { .init($0.key, json($0.value)) }
  }

  private static func json(_ value: PropertyValue) -> ReportJSON {
    switch value {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .number(let number): Int(exactly: number).map { .integer($0) } ?? .number(number)
    case .string(let text): .string(text)
    case .array(let items): .array(items.map(json))
    case .object(let members): .object(members.map { .init($0.key, json($0.value)) })
    }
  }

  /// Degrees with at most seven digits after the point: 1 cm.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
