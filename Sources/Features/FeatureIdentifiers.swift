/// Gives every record of a stream the feature part of its ``FeatureKey``.
///
/// It is the text of the id column, else of the id that the file gives (GeoJSON), else a hash of
/// the record's ``RecordContent``, 32 hexadecimal digits; the second record with the same content
/// gets `-1` behind it, the third `-2`. So it depends neither on the place in the file nor on the
/// order of the columns, and the same record has one identifier in every format.
///
/// An empty id is none. Ids are texts: the number 1 and the text `1` are one id, as a CSV file
/// cannot tell them apart; numbers are written in their shortest form, so 1.0 is `1` too. Records
/// that share an id share the identifier.
package struct FeatureIdentifiers: Sendable {
  /// The property that is the id (`id:` of a source).
  private let idColumn: String?
  /// Properties that are the geometry's spelling and no content.
  private let ignored: [String]
  private var twins = TwinCounter()
  private var content = RecordContent()
  /// The place of the id column among so many columns.
  private var idPlace: Int?
  private var columnCount = -1

  /// - Parameters:
  ///   - idColumn: the property that is the id, if one is.
  ///   - ignoring: properties that are not content, as the coordinate columns of a CSV file.
  package init(idColumn: String? = nil, ignoring: [String] = []) {
    self.idColumn = idColumn
    ignored = ignoring
  }

  /// The identifier of a row; rows without an id must come in the order of the file, each once.
  ///
  /// - Complexity: O(bytes of the row) where it has no id.
  package mutating func text(_ batch: FeatureBatch, _ row: Int) -> String {
    if batch.columns.count != columnCount { adopt(batch) }
    return Self.id(batch, row, column: idPlace) ?? hashText(batch, row)
  }

  /// The identifier of a row that has no id; `nil` for one that has.
  ///
  /// - Complexity: as ``text(_:_:)``.
  package mutating func textWithoutID(_ batch: FeatureBatch, _ row: Int) -> String? {
    if batch.columns.count != columnCount { adopt(batch) }
    return Self.id(batch, row, column: idPlace) == nil ? hashText(batch, row) : nil
  }

  private mutating func hashText(_ batch: FeatureBatch, _ row: Int) -> String {
    let hash = content.hash(batch, row)
    let before = twins.count(hash)
    return before == 0 ? hash.text : "\(hash.text)-\(before)"
  }

  /// The id of a row: its column's, else the file's own; `nil` for none and for an empty one.
  package static func id(_ batch: FeatureBatch, _ row: Int, column: Int?) -> String? {
    let text = column.flatMap { batch.columns[$0].text(row) } ?? ""
    if !text.isEmpty { return text }
    let given = batch.ids.text(row) ?? ""
    return given.isEmpty ? nil : given
  }

  private mutating func adopt(_ batch: FeatureBatch) {
    columnCount = batch.columns.count
    idPlace = idColumn.flatMap { name in batch.columns.firstIndex { $0.name == name } }
    content.adopt(batch.columns.map(\.name), ignoring: ignored)
  }
}
