import Definition
import Inputs
import Features
import Ingest
import JSON

/// A record of a source among those that are drawn.
struct RecordNumber: Hashable {
  /// Its number among the records with points, or with lines or polygons.
  var number: Int

  /// Whether ``number`` counts records with lines or polygons.
  var isShape: Bool
}

/// The key of a record, with its place in the data.
struct RecordIdentity: Hashable {
  /// The name of its source.
  var source: String

  /// The text of its ``FeatureKey``.
  var key: String

  /// The place, such as `data/hotels.csv:12`, or `city.pmtiles, tile 3/4/5, layer roads, id 7`.
  var place: String

  /// Its origin in vector tiles; `nil` for a record of other data.
  var tileFeature: TileFeature?

  /// Its number among the records with points; `nil` without one.
  var point: Int?

  /// Its number among the records with lines or polygons; `nil` without one.
  var shape: Int?
}

/// The origin of a record that is a feature of vector tiles.
struct TileFeature: Hashable {
  /// The name of the source in the pipeline file.
  var source: String
  var layer: String
  /// The tile as `z/x/y`, for a feature of several the first.
  var tile: String
  /// The id as JSON; `nil` without one.
  var id: String?

  /// The place in the tileset.
  var words: String {
    "tile \(tile), layer \(layer.withoutControls)" + (id.map { ", id \($0)" } ?? ", no id")
  }
}

/// A second pass over a source to identify its records: a build keeps neither keys that depend on
/// all properties nor the files of edits.
struct RecordIdentities {
  let source: ResolvedSource

  /// Finds records by their number.
  ///
  /// - Complexity: O(bytes of the source).
  func records(
    _ wanted: Set<RecordNumber>, checkpoint: () throws -> Void
  ) throws -> [RecordNumber: RecordIdentity] {
    var found: [RecordNumber: RecordIdentity] = [:]
    guard !wanted.isEmpty else { return found }
    try scan(ids: [], checkpoint: checkpoint) { numbers, identity in
      for number in numbers where wanted.contains(number) { found[number] = identity() }
      return found.count < wanted.count
    }
    return found
  }

  /// Finds records by a key in its text form or by their plain id.
  ///
  /// - Complexity: O(bytes of the source).
  func records(ofKey key: String, checkpoint: () throws -> Void) throws -> [RecordIdentity] {
    var found: [RecordIdentity] = []
    try scan(ids: [key], checkpoint: checkpoint) { _, identity in
      found.append(identity())
      return true
    }
    return found
  }

  /// Passes every used record to `visit`, with its numbers, until it returns `false`.
  ///
  /// - Parameter ids: the keys or ids of the records that are passed; empty for all.
  private func scan(
    ids: [String], checkpoint: () throws -> Void,
    _ visit: ([RecordNumber], () -> RecordIdentity) throws -> Bool
  ) throws {
    guard let query = QuerySource(source) else { return }
    let scan = try RecordScan(
      query, number: 0, select: nil, wanted: nil,
      repetitions: try RepeatedIdentifiers(of: query, advance: { _ in try checkpoint() }))
    var options = QueryOptions()
    options.ids = ids
    let selection = try RecordSelection(scan, options, conditions: [])
    var (points, shapes) = (0, 0)
    try scan.run(advance: { _ in try checkpoint() }) {
      let batch = scan.view.batch
      let row = scan.view.row
      var (point, shape): (Int?, Int?)
      let uses = GeometryCheck.uses(of: batch.geometry, row)
      if uses.points {
        point = points
        points += 1
      }
      if uses.shapes {
        shape = shapes
        shapes += 1
      }
      // Every record is tested, since the ordinals of duplicates count all of them.
      guard selection.takes() else { return true }
      let numbers =
        [
          point.map { RecordNumber(number: $0, isShape: false) },
          shape.map { RecordNumber(number: $0, isShape: true) },
        ].compactMap(\.self)
      return try visit(numbers) {
        let tileFeature = tileFeature(scan)
        return RecordIdentity(
          source: source.name, key: scan.view.key ?? "",
          place: tileFeature.map { "\(source.dataName), \($0.words)" }
            ?? place(file: batch.file(row), line: batch.lines[row]),
          tileFeature: tileFeature, point: point, shape: shape)
      }
    }
  }

  /// Returns the origin of the current record in vector tiles.
  private func tileFeature(_ scan: RecordScan) -> TileFeature? {
    guard let part = source.definition.vectorTiles?.part, let tile = scan.part else { return nil }
    let id = scan.view.batch.id(scan.view.row, column: nil).map { JSONWriter.text($0) }
    return TileFeature(source: source.nameInFile, layer: part.layer, tile: tile, id: id)
  }

  /// Returns the line of a file; for data within the pipeline only the place of its key is known.
  private func place(file: String?, line: Int) -> String {
    if let file { return "\(file):\(line)" }
    if case .inline = source.definition.data { return source.dataName }
    return "\(source.dataName):\(line)"
  }
}
