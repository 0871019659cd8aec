import Features
import Foundation
import SpatialIndex
import TestSupport
import Tiling

/// A shape of a test, in degrees.
enum SampleShape {
  case line([[Double]])
  /// Polygons of rings; the first ring of each is the outer one.
  case polygons([[[[Double]]]])

  static func polygon(_ rings: [[Double]]...) -> SampleShape { .polygons([rings]) }
}

extension ShapeSet {
  /// A set of these shapes.
  init(_ shapes: [SampleShape]) {
    var batch = FeatureBatch()
    func add(_ positions: [[Double]], _ part: GeometryColumn.Part) {
      for position in positions {
        batch.geometry.add(LngLat(longitude: position[0], latitude: position[1]))
      }
      batch.geometry.endPart(part)
    }
    for (index, shape) in shapes.enumerated() {
      switch shape {
      case .line(let positions):
        add(positions, .line)
        batch.geometry.endRecord(.lineString)
      case .polygons(let polygons):
        for rings in polygons {
          for (place, ring) in rings.enumerated() {
            add(ring, place == 0 ? .outerRing : .innerRing)
          }
        }
        batch.geometry.endRecord(.multiPolygon)
      }
      batch.lines.append(index)
    }
    self.init()
    append(batch, rows: ContiguousArray(0..<batch.count))
  }

  /// The lines and polygons of a GeoJSON file of the shared data.
  init(shared name: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: SharedData.path(name)))
    let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let features = root?["features"] as? [[String: Any]] ?? []
    self.init(features.compactMap { SampleShape(geoJSON: $0["geometry"] as? [String: Any]) })
  }
}

extension SampleShape {
  init?(geoJSON geometry: [String: Any]?) {
    let coordinates = geometry?["coordinates"]
    switch geometry?["type"] as? String {
    case "LineString": self = .line(coordinates as? [[Double]] ?? [])
    case "Polygon": self = .polygons([coordinates as? [[[Double]]] ?? []])
    case "MultiPolygon": self = .polygons(coordinates as? [[[[Double]]]] ?? [])
    default: return nil
    }
  }
}

extension SplitMix64 {
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// A ring of random positions around a centre; it may cross itself.
  mutating func ring(
    around center: (x: Double, y: Double), radius: Double, count: Int, isStar: Bool
  ) -> [[Double]] {
    (0..<count).map { index in
      let turn = isStar ? Double(index) / Double(count) : number(0...1)
      let distance = radius * number(0.2...1)
      return [
        center.x + distance * cos(turn * 2 * .pi),
        min(max(center.y + distance * sin(turn * 2 * .pi), -89), 89),
      ]
    }
  }
}
