import Synchronization
import TestSupport
import Tiling
import VectorTileSamples
import VectorTiles

/// Vector tiles with areas, lines and places.
enum VectorTilesSample {
  /// The last zoom with tiles.
  static let lastZoom = 2

  /// The tiles of all zooms; layers of one tile stand one after the other.
  static var tiles: [(tile: TileCoord, bytes: [UInt8])] {
    var tiles: [TileCoord: [UInt8]] = [:]
    for zoom in 0...lastZoom {
      let side = Double(4096 << zoom)
      func point(_ x: Double, _ y: Double) -> GridPoint {
        GridPoint((x * side).rounded(), (y * side).rounded())
      }
      let layers: [(String, CutSample.Shape)] = [
        (
          "parks",
          CutSample.Shape(
            type: .polygon,
            parts: [[point(0.1, 0.1), point(0.7, 0.2), point(0.6, 0.7), point(0.2, 0.6)]], id: 1)
        ),
        (
          "roads",
          CutSample.Shape(
            type: .line, parts: [[point(0.05, 0.8), point(0.5, 0.4), point(0.95, 0.45)]], id: 2)
        ),
        (
          "towns",
          CutSample.Shape(
            type: .point, parts: [[point(0.52, 0.48)]], id: 3,
            properties: [("name", .string("Middletown"))])
        ),
      ]
      for (layer, shape) in layers {
        for (tile, bytes) in CutSample(zoom: zoom, layer: layer).tiles([shape]) {
          tiles[tile, default: []] += bytes
        }
      }
    }
    return tiles.sorted { $0.key.archiveKey < $1.key.archiveKey }.map { ($0.key, $0.value) }
  }
}

/// A server of the vector tiles, and of one picture for most tiles, until it is closed.
final class ServedTiles: Sendable {
  private let server: LocalServer
  private let gate = Gate()

  private final class Gate: Sendable {
    let isClosed = Mutex(false)
  }

  init(picture: [UInt8]) throws {
    let tiles = Dictionary(
      uniqueKeysWithValues: VectorTilesSample.tiles.map { tile, bytes in
        ("/\(tile.z)-\(tile.x)-\(tile.y).mvt", bytes)
      })
    server = try LocalServer { [gate] request, connection in
      if gate.isClosed.withLock({ $0 }) {
        connection.answer(500)
      } else if let bytes = tiles[request.target] {
        connection.answer(200, [], bytes)
      } else if request.target.hasSuffix(".png"), request.target != "/1-1-1.png" {
        connection.answer(200, [], picture)
      } else {
        connection.answer(404)
      }
    }
  }

  /// Returns the template of the tiles with an ending.
  func template(_ ending: String) -> String { server.url("/{z}-{x}-{y}.\(ending)") }

  /// Answers every further request with a failure.
  func close() { gate.isClosed.withLock { $0 = true } }
}
