package import JSON
package import Tiling

/// The question to `quadrille why`.
package enum WhyQuestion: Hashable, Sendable {
  /// The content of a tile.
  case tile(TileCoord)

  /// The features at a pixel of a tile: device pixels eastward and southward from its north-west
  /// corner.
  case pixel(TileCoord, x: Int, y: Int)

  /// The tiles of a feature: its key as queries write it, or its plain id where only one record has
  /// that.
  case feature(String)

  /// Parses `z/x/y` or `z/x/y/px,py`; `nil` for anything else. Whether the pixel is inside the tile
  /// is checked once the tile's size is known.
  package init?(place text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 4,
      let tile = TileCoord(parts[..<3].joined(separator: "/"))
    else { return nil }
    guard parts.count == 4 else {
      self = .tile(tile)
      return
    }
    let pixel = parts[3].split(separator: ",", omittingEmptySubsequences: false)
    guard pixel.count == 2, let x = Self.pixel(pixel[0]), let y = Self.pixel(pixel[1]) else {
      return nil
    }
    self = .pixel(tile, x: x, y: y)
  }

  /// Parses a whole number below 10,000; tiles never have more pixels.
  private static func pixel(_ text: Substring) -> Int? {
    guard (1...4).contains(text.count), text.allSatisfy({ ("0"..."9").contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

/// The answer of `quadrille why`, for people and for programs.
package struct WhyAnswer: Hashable, Sendable {
  package var text: String
  package var json: ReportJSON

  package init(text: String, json: ReportJSON) {
    self.text = text
    self.json = json
  }
}
