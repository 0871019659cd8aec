import Features
import Ingest
import OrderedCollections
import Tiling

@testable import Styling

/// The value of a JSON text.
func json(_ text: String) throws -> PropertyValue {
  try JSONValueParser.parse(Array(text.utf8))
}

/// A layer of the source `s` from its JSON text.
func layer(_ text: String) throws -> StyleLayer {
  try StyleLayer(json(text), sources: ["s"])
}

/// A feature that a test makes up.
final class SampleFeature: LookFeature {
  private let values: [String: PropertyValue]
  private var names: [String] = []
  let id: PropertyValue?

  init(_ values: [String: PropertyValue] = [:], id: PropertyValue? = nil) {
    self.values = values
    self.id = id
  }

  func bind(_ names: [String], list: Int) {
    self.names = names
  }

  func property(_ slot: Int) -> PropertyValue? { values[names[slot]] }
  var geometryType: String? { "Point" }
  var allProperties: PropertyValue {
    .object(.init(uncheckedUniqueKeysWithValues: values.sorted { $0.key < $1.key }))
  }
}

extension PointSet {
  /// Points with some columns of values, one a point.
  static func sample(
    _ points: [LngLat], columns: [(name: String, values: [PropertyValue])] = []
  ) -> PointSet {
    var batch = FeatureBatch()
    var worlds = ContiguousArray<(position: LngLat, world: WorldPoint)>()
    for (row, point) in points.enumerated() {
      batch.lines.append(row + 1)
      batch.ids.append(.missing)
      if let world = WorldPoint(point) { worlds.append((point, world)) }
    }
    batch.columns = columns.map { name, values in
      var column = PropertyColumn(name: name)
      for value in values {
        switch value {
        case .number(let number): column.append(number)
        case .string(let text):
          Array(text.utf8).withUnsafeBytes { column.append(.string, bytes: $0) }
        case .bool(let flag): column.append(flag ? .true : .false)
        default: column.append(.null)
        }
      }
      return column
    }
    var set = PointSet()
    set.append(
      batch, rows: ContiguousArray(points.indices),
      degrees: ContiguousArray(worlds.map(\.position)),
      squares: ContiguousArray(worlds.map(\.world)))
    return set
  }
}
