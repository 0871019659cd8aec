/// A generator of the feature part of every record's ``FeatureKey`` in a stream.
///
/// It is the text of the id column, otherwise that of the id in the file (GeoJSON), otherwise the
/// fallback identifier, a hash of the record's ``RecordContent`` in 32 hexadecimal digits; the
/// second record with the same content gets the suffix `-1`, the third `-2`. So it depends neither
/// on the position in the file nor on the order of the columns, and the same record has one
/// identifier in every format.
///
/// An empty id counts as missing. Ids are texts: the number 1 and the text `1` are the same id,
/// since a CSV file cannot distinguish them; numbers are written in their shortest form, so 1.0 is
/// `1` too. The second record with the same id in the file gets the suffix `-1`, the third `-2`,
/// like duplicates without an id; those that share the id of the id column share the identifier.
package struct FeatureIdentifiers: Sendable {
  /// The id property (`id:` of a source).
  private let idColumn: String?
  /// Properties that spell the geometry and are not content.
  private let ignored: [String]
  /// Whether ids in the file may repeat and are numbered.
  private let numbersGiven: Bool
  private var twins = TwinCounter()
  private var content = RecordContent()
  /// The position of the id column among this number of columns.
  private var idPlace: Int?
  private var columnCount = -1

  /// - Parameters:
  ///   - idColumn: the id property, if there is one.
  ///   - ignoring: properties that are not content, such as the coordinate columns of a CSV file.
  ///   - numbersGiven: whether ids in the file may repeat; `false` if no two records have the same
  ///     one.
  package init(idColumn: String? = nil, ignoring: [String] = [], numbersGiven: Bool = true) {
    self.idColumn = idColumn
    ignored = ignoring
    self.numbersGiven = numbersGiven
  }

  /// Returns the identifier of a row; rows must come in the order of the file, each once.
  ///
  /// - Complexity: O(bytes of the row) if it has no id.
  package mutating func text(_ batch: FeatureBatch, _ row: Int) -> String {
    textOfID(batch, row) ?? textOfContent(batch, row)
  }

  /// Returns the identifier of a row with an id; `nil` for one without.
  ///
  /// - Complexity: O(bytes of the id).
  package mutating func textOfID(_ batch: FeatureBatch, _ row: Int) -> String? {
    if batch.columns.count != columnCount { adopt(batch) }
    if let text = Self.text(of: idPlace.map { batch.columns[$0] }, row) { return text }
    guard let text = Self.text(of: batch.ids, row) else { return nil }
    return numbersGiven ? numbered(text) : text
  }

  /// Returns the identifier of a row if it differs from its id: it has none, or an earlier row has
  /// it.
  ///
  /// - Complexity: as for ``text(_:_:)``.
  package mutating func textUnlessID(_ batch: FeatureBatch, _ row: Int) -> String? {
    guard let text = textOfID(batch, row) else { return textOfContent(batch, row) }
    return text == Self.id(batch, row, column: idPlace) ? nil : text
  }

  /// Returns an id, followed by its number of earlier occurrences if there are any.
  ///
  /// The result may be the id of another record itself, so it is looked up too: no text occurs
  /// twice.
  private mutating func numbered(_ id: String) -> String {
    var text = id
    while true {
      let before = twins.count(text.withUTF8 { ContentHash(UnsafeRawBufferPointer($0)) })
      if before == 0 { return text }
      text += "-\(before)"
    }
  }

  /// Returns the identifier of a row without an id.
  ///
  /// - Complexity: O(bytes of the row).
  package mutating func textOfContent(_ batch: FeatureBatch, _ row: Int) -> String {
    if batch.columns.count != columnCount { adopt(batch) }
    let hash = content.hash(batch, row)
    let before = twins.count(hash)
    return before == 0 ? hash.text : "\(hash.text)-\(before)"
  }

  /// Returns the id of a row as spelled in the file, `nil` if it has none; call the row's
  /// ``text(_:_:)`` first.
  package func id(_ batch: FeatureBatch, _ row: Int) -> String? {
    Self.id(batch, row, column: idPlace)
  }

  /// Returns the id of a row: its column's, otherwise the file's own; `nil` if it is missing or
  /// empty.
  package static func id(_ batch: FeatureBatch, _ row: Int, column: Int?) -> String? {
    text(of: column.map { batch.columns[$0] }, row) ?? text(of: batch.ids, row)
  }

  /// Returns the text of an id, `nil` if it is missing or empty.
  private static func text(of ids: PropertyColumn?, _ row: Int) -> String? {
    let text = ids?.text(row) ?? ""
    return text.isEmpty ? nil : text
  }

  private mutating func adopt(_ batch: FeatureBatch) {
    columnCount = batch.columns.count
    idPlace = idColumn.flatMap { name in batch.columns.firstIndex { $0.name == name } }
    content.adopt(batch.columns.map(\.name), ignoring: ignored)
  }
}
