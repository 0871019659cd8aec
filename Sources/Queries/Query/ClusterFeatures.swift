import Baking
import Definition
import Features
import Ingest
import JSON
import OrderedCollections
import Scenes
import SourceStages

/// A producer of the clusters and single points of a zoom, source by source; lines and polygons as
/// they are.
struct ClusterFeatures: FeatureProducer {
  let sources: [ClusteredSource]
  let zoom: Int
  let options: QueryOptions

  /// The number of rows in a batch.
  private static let batchSize = 4096

  func forEach(_ visit: (RecordView) throws -> Void) throws {
    var left = options.limit ?? .max
    for (number, source) in sources.enumerated() {
      let view = RecordView(
        source: number,
        choice: PropertyChoice(select: options.select, hidden: source.source.hiddenColumns))
      let bounds = try options.bounds.map { try BoundsFilter($0, on: view) }
      let features = [
        source.clusterView(at: zoom), FeatureView(shapes: source.source.shapes),
      ]
      for features in features {
        for start in stride(from: 0, to: features.count, by: Self.batchSize) where left > 0 {
          let rows = start..<min(start + Self.batchSize, features.count)
          view.look(at: Self.batch(of: features, rows: rows))
          for row in 0..<rows.count where left > 0 {
            view.row = row
            guard bounds?.matches() ?? true else { continue }
            try visit(view)
            left -= 1
          }
        }
      }
    }
  }

  private static func batch(of features: FeatureView, rows: Range<Int>) -> FeatureBatch {
    var batch = FeatureBatch()
    var places: [String: Int] = [:]
    for (number, row) in rows.enumerated() {
      features.row = row
      append(features.geometry, to: &batch.geometry)
      batch.ids.append(features.id)
      batch.lines.append(0)
      guard case .object(let members) = features.allProperties else { continue }
      for (name, value) in members {
        if places[name] == nil {
          places[name] = batch.columns.count
          batch.columns.append(PropertyColumn(name: name))
        }
        guard let place = places[name] else { continue }
        batch.columns[place].append(.missing, count: number - batch.columns[place].count)
        batch.columns[place].append(value)
      }
    }
    for place in batch.columns.indices {
      batch.columns[place].append(.missing, count: rows.count - batch.columns[place].count)
    }
    return batch
  }

  private static func append(_ geometry: RecordGeometry, to column: inout GeometryColumn) {
    switch geometry {
    case .none: column.endRecord(.none)
    case .points(let positions):
      for position in positions {
        column.add(position)
        column.endPart(.point)
      }
      column.endRecord(positions.count == 1 ? .point : .multiPoint)
    case .shape(let shapes, let record): column.append(record, of: shapes)
    }
  }
}

extension LoadedSource {
  /// The columns that hold the geometry and are not selected, which queries for records leave out
  /// as well.
  fileprivate var hiddenColumns: [String] {
    geometryColumns.filter { definition.records?.select?.contains($0) != true }
  }
}

extension PropertyColumn {
  /// Appends a value, `nil` as missing.
  fileprivate mutating func append(_ value: PropertyValue?) {
    switch value {
    case nil: append(.missing)
    case .null?: append(.null)
    case .bool(let bool)?: append(bool ? .true : .false)
    case .number(let number)?: append(number)
    case .string(var text)?: text.withUTF8 { append(.string, bytes: UnsafeRawBufferPointer($0)) }
    case let value?:
      var text = JSONWriter.text(value)
      text.withUTF8 { append(.json, bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}
