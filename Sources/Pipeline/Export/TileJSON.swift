import JSON
import Tiling

/// What a set of tiles says of itself to clients: TileJSON 3.0.0
/// (https://github.com/mapbox/tilejson-spec/tree/master/3.0.0).
struct TileJSON {
  var name: String

  /// Texts by their keys, such as `attribution`, in the order in which they are written.
  var texts: [(key: String, text: String)]
  var scheme = TileScheme.xyz

  /// Where a tile is, with `{z}`, `{x}` and `{y}`.
  var template: String

  /// The same for the answers to taps; `nil` without.
  var gridTemplate: String?
  var zooms: ClosedRange<Int>
  var bounds: GeoBounds
  var center: (place: LngLat, zoom: Int)

  /// What follows, hints beyond the standard among it.
  var more: [ReportJSON.Member] = []

  var json: ReportJSON {
    var members: [ReportJSON.Member] = [
      .init("tilejson", .string("3.0.0")), .init("name", .string(name)),
    ]
    members += texts.map { .init($0.key, .string($0.text)) }
    members += [
      .init("scheme", .string(scheme.rawValue)), .init("tiles", .array([.string(template)])),
    ]
    if let gridTemplate { members.append(.init("grids", .array([.string(gridTemplate)]))) }
    members += [
      .init("minzoom", .integer(zooms.lowerBound)), .init("maxzoom", .integer(zooms.upperBound)),
      .init("bounds", Self.box(bounds)),
      .init(
        "center",
        .array([
          .number(Self.rounded(center.place.longitude)),
          .number(Self.rounded(center.place.latitude)), .integer(center.zoom),
        ])),
    ]
    return .object(members + more)
  }

  /// West, south, east and north.
  static func box(_ bounds: GeoBounds) -> ReportJSON {
    .array(
      [bounds.west, bounds.south, bounds.east, bounds.north].map { .number(rounded($0)) })
  }

  /// Degrees with at most seven digits after the point: 1 cm.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
