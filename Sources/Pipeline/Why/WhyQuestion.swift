package import JSON
package import Tiling

/// What `quadrille why` is asked.
package enum WhyQuestion: Hashable, Sendable {
  /// What a tile shows.
  case tile(TileCoord)

  /// What is drawn at a pixel of a tile: device px eastward and southward from its north-west corner.
  case pixel(TileCoord, x: Int, y: Int)

  /// Where a feature is drawn: its key as queries write it, or its plain id where only one has that.
  case feature(String)

  /// Reads `z/x/y` or `z/x/y/px,py`; `nil` for anything else. Whether the pixel lies in the tile
  /// shows when the tile's size is known.
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

  /// A whole number below 10,000, as no tile has more pixels.
  private static func pixel(_ text: Substring) -> Int? {
    guard (1...4).contains(text.count), text.allSatisfy({ ("0"..."9").contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

/// What `quadrille why` answers, for people and for programs.
package struct WhyAnswer: Hashable, Sendable {
  package var text: String
  package var json: ReportJSON
}
