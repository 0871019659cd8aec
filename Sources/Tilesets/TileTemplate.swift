package import Tiling

/// The template for the names of tiles: a path or address with placeholders for a tile's numbers,
/// such as `tiles/{z}-{x}-{y}.mvt`.
package struct TileTemplate: Hashable, Sendable {
  /// The parts of the text, in order.
  private enum Part: Hashable, Sendable {
    case text(String)
    case place(Place)
  }

  /// The placeholders, as in MapLibre.
  private enum Place: String, CaseIterable, Hashable, Sendable {
    case zoom = "z"
    case column = "x"
    case row = "y"
    /// A digit for each zoom from 1 to the tile's.
    case quadkey
    /// The suffix `@2x` of names of pictures of twice the density; empty here.
    case ratio
    /// The last hexadecimal digits of column and row.
    case prefix
    /// West, south, east and north in metres.
    case box = "bbox-epsg-3857"
  }

  /// The places in words.
  package static var places: String {
    Place.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
  }

  /// The template as it was written.
  package let text: String

  private let parts: [Part]

  /// Reads a template; `nil` if it has an unknown placeholder, or only some of those that name a
  /// tile. A template without any names the same tile everywhere.
  package init?(_ text: String) {
    var parts: [Part] = []
    var places: Set<Place> = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}"),
        let place = Place(rawValue: String(rest[rest.index(after: open)..<close]))
      else { return nil }
      parts += [.text(String(rest[..<open])), .place(place)]
      places.insert(place)
      rest = rest[rest.index(after: close)...]
    }
    guard
      places.isEmpty || places.isSuperset(of: [.zoom, .column, .row]) || places.contains(.quadkey)
        || places.contains(.box)
    else { return nil }
    self.text = text
    self.parts = parts + [.text(String(rest))]
  }

  /// Whether a text is meant as a template.
  package static func isMeant(by text: String) -> Bool {
    ["{z}", "{quadkey}", "{bbox-epsg-3857}"].contains { text.contains($0) }
  }

  /// Whether the tiles are on a server.
  package var isRemote: Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

  /// Returns the name of a tile.
  package func name(of tile: TileCoord, rows: TileScheme) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .place(.zoom): "\(tile.z)"
      case .place(.column): "\(tile.x)"
      case .place(.row): "\(rows == .tms ? tile.tmsRow : tile.y)"
      case .place(.quadkey): Self.quadkey(of: tile)
      case .place(.ratio): ""
      case .place(.prefix): String(tile.x % 16, radix: 16) + String(tile.y % 16, radix: 16)
      case .place(.box): Self.box(of: tile)
      }
    }.joined()
  }

  private static func quadkey(of tile: TileCoord) -> String {
    (0..<tile.z).reversed().map { "\((tile.x >> $0) & 1 | ((tile.y >> $0) & 1) << 1)" }.joined()
  }

  private static func box(of tile: TileCoord) -> String {
    let half = 6_378_137 * Double.pi
    let tiles = 1 << tile.z
    func text(_ edge: Int) -> String {
      let metres = Double(edge) * (2 * half / Double(tiles)) - half
      return Int(exactly: metres).map(String.init) ?? "\(metres)"
    }
    let row = tiles - 1 - tile.y
    return [tile.x, row, tile.x + 1, row + 1].map(text).joined(separator: ",")
  }
}
