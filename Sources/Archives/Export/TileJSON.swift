package import JSON
package import Tiling

/// The description of a tileset for clients: TileJSON 3.0.0
/// (https://github.com/mapbox/tilejson-spec/tree/master/3.0.0).
package struct TileJSON {
  package var name: String

  /// Texts by their keys, such as `attribution`, in the order in which they are written.
  package var texts: [(key: String, text: String)]
  var scheme = TileScheme.xyz

  /// The URL template of a tile, with `{z}`, `{x}` and `{y}`.
  package var template: String

  /// The URL template of the hit test data; `nil` without any.
  package var gridTemplate: String?
  package var zooms: ClosedRange<Int>
  package var bounds: GeoBounds
  package var center: (place: LngLat, zoom: Int)

  /// Further members, including hints beyond the standard.
  package var more: [ReportJSON.Member] = []

  package init(
    name: String,
    texts: [(key: String, text: String)],
    scheme: TileScheme = TileScheme.xyz,
    template: String,
    gridTemplate: String? = nil,
    zooms: ClosedRange<Int>,
    bounds: GeoBounds,
    center: (place: LngLat, zoom: Int),
    more: [ReportJSON.Member] = []
  ) {
    self.name = name
    self.texts = texts
    self.scheme = scheme
    self.template = template
    self.gridTemplate = gridTemplate
    self.zooms = zooms
    self.bounds = bounds
    self.center = center
    self.more = more
  }

  package var json: ReportJSON {
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

  /// Returns the box as west, south, east and north.
  package static func box(_ bounds: GeoBounds) -> ReportJSON {
    .array(
      [bounds.west, bounds.south, bounds.east, bounds.north].map { .number(rounded($0)) })
  }

  /// Rounds degrees to at most seven digits after the point: 1 cm.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
