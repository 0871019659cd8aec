import Tiling

/// The texts along lines that must not repeat themselves, by layer.
final class LabelRepeats {
  private var layers: [Int: RepeatedLabels] = [:]

  /// Returns the placed texts of a layer; the first call decides the layer's distance.
  func labels(of layer: Int, distance: Double) -> RepeatedLabels {
    if let known = layers[layer] { return known }
    let labels = RepeatedLabels(distance: distance)
    layers[layer] = labels
    return labels
  }
}

/// The places of each text of a layer, by which a text is not repeated on a nearby line. As in
/// MapLibre, lines of different tiles do not count.
final class RepeatedLabels {
  private struct Cell: Hashable {
    let text: String
    let tile: TileKey?
    let column: Int
    let row: Int
  }

  /// The distance, in pixels, within which a text is not repeated: half of the spacing.
  private let distance: Double
  private var places: [Cell: [(x: Double, y: Double)]] = [:]

  init(distance: Double) {
    self.distance = distance
  }

  /// Records a place for a text; returns `false` if the same text stands too close.
  func insert(_ text: String, of tile: TileKey?, x: Double, y: Double) -> Bool {
    let column = Int((x / distance).rounded(.down))
    let row = Int((y / distance).rounded(.down))
    for nearColumn in (column - 1)...(column + 1) {
      for nearRow in (row - 1)...(row + 1) {
        let near = places[Cell(text: text, tile: tile, column: nearColumn, row: nearRow)] ?? []
        let isTooClose = near.contains { other in
          let (dx, dy) = (other.x - x, other.y - y)
          return dx * dx + dy * dy < distance * distance
        }
        if isTooClose { return false }
      }
    }
    places[Cell(text: text, tile: tile, column: column, row: row), default: []].append((x, y))
    return true
  }
}
