package import Features
package import OrderedCollections
package import Tiling

/// The metadata of a tileset of any container.
///
/// Values that make no sense count as absent: programs write many, and the tiles are there.
package struct TilesetHead: Hashable, Sendable {
  /// A layer of vector tiles, as `vector_layers` lists it.
  package struct VectorLayer: Hashable, Sendable {
    package let id: String
    package let description: String
    package let zooms: ClosedRange<Int>?
    /// The properties and the words for their types, mostly `String`, `Number` or `Boolean`.
    package let fields: OrderedDictionary<String, String>
  }

  package var name: String?
  package var description: String?
  package var attribution: String?

  /// The version of the data.
  package var version: String?

  /// The name of the format of the tiles, such as `pbf`.
  package var format: String?

  package var minZoom: Int?
  package var maxZoom: Int?

  /// The ratio of an image's pixels to the map's pixels.
  package var scale: Double?

  /// The box of the data.
  package var bounds: GeoBounds?

  /// The initial centre of a map.
  package var center: LngLat?
  package var centerZoom: Double?

  /// The layers of vector tiles, in the order of the list.
  package var vectorLayers: [VectorLayer] = []

  /// The order of rows, of folders and addresses.
  package var rows = TileScheme.xyz

  /// Whether the order of rows is unknown, so that they are taken from the north.
  package var assumesRows = false

  /// The templates of addresses that a TileJSON has.
  package var templates: [String] = []

  /// Creates the metadata of tiles that have none.
  package init(rows: TileScheme = .xyz) {
    self.init([:])
    self.rows = rows
  }

  /// Maximum number of layers, and of fields of a layer.
  private static let layerLimit = 1 << 10
  private static let fieldLimit = 1 << 12

  /// Creates the metadata from the members of a TileJSON or a PMTiles file, or from the rows of an
  /// archive, whose numbers and lists may be texts.
  package init(_ members: OrderedDictionary<String, PropertyValue>) {
    func text(_ key: String) -> String? {
      if case .string(let text)? = members[key], !text.isEmpty { text } else { nil }
    }
    name = text("name")
    description = text("description")
    attribution = text("attribution")
    version = text("version")
    scale = Self.number(members["scale"])
    format = text("format")
    minZoom = Self.zoom(members["minzoom"])
    maxZoom = Self.zoom(members["maxzoom"])
    if let first = minZoom, let last = maxZoom, first > last { (minZoom, maxZoom) = (nil, nil) }
    let box = Self.numbers(members["bounds"])
    if box.count == 4, box[1] <= box[3], box.allSatisfy(\.isFinite) {
      bounds = GeoBounds(west: box[0], south: box[1], east: box[2], north: box[3])
    }
    let middle = Self.numbers(members["center"])
    if middle.count >= 2, abs(middle[0]) <= 360, abs(middle[1]) <= 90 {
      center = LngLat(longitude: middle[0], latitude: middle[1])
      centerZoom = middle.count > 2 && middle[2].isFinite ? middle[2] : nil
    }
    rows = text("scheme").flatMap { TileScheme(rawValue: $0) } ?? .xyz
    if case .array(let items)? = members["tiles"] {
      templates = items.prefix(64).compactMap {
        if case .string(let text) = $0 { text } else { nil }
      }
    }
    vectorLayers = Self.layers(members["vector_layers"])
  }

  private static func zoom(_ value: PropertyValue?) -> Int? {
    number(value).flatMap { Int(exactly: $0.rounded(.down)) }
      .flatMap { (0...TileCoord.maxZoom).contains($0) ? $0 : nil }
  }

  private static func number(_ value: PropertyValue?) -> Double? {
    switch value {
    case .number(let number)?: number
    case .string(let text)?: Double(text)
    default: nil
    }
  }

  private static func numbers(_ value: PropertyValue?) -> [Double] {
    switch value {
    case .array(let items)?: items.prefix(8).compactMap { number($0) }
    case .string(let text)?:
      text.split(separator: ",").prefix(8).compactMap { Double(String($0.filter { $0 != " " })) }
    default: []
    }
  }

  private static func layers(_ value: PropertyValue?) -> [VectorLayer] {
    guard case .array(let items)? = value else { return [] }
    return items.prefix(layerLimit).compactMap { item in
      guard case .object(let members) = item, case .string(let id)? = members["id"] else {
        return nil
      }
      var fields: OrderedDictionary<String, String> = [:]
      if case .object(let types)? = members["fields"] {
        for (name, type) in types.prefix(fieldLimit) {
          fields[name] = if case .string(let word) = type { word } else { "" }
        }
      }
      var description = ""
      if case .string(let text)? = members["description"] { description = text }
      let (first, last) = (zoom(members["minzoom"]), zoom(members["maxzoom"]))
      let zooms = first.flatMap { first in last.flatMap { first <= $0 ? first...$0 : nil } }
      return VectorLayer(id: id, description: description, zooms: zooms, fields: fields)
    }
  }
}
