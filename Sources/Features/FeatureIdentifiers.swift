/// Gives every record of a stream the feature part of its ``FeatureKey``.
///
/// It is the text of the id column, else of the id that the file gives (GeoJSON), else a hash of
/// the record's ``RecordContent``, 32 hexadecimal digits; the second record with the same content
/// gets `-1` behind it, the third `-2`. So it depends neither on the place in the file nor on the
/// order of the columns, and the same record has one identifier in every format.
///
/// An empty id is none. Ids are texts: the number 1 and the text `1` are one id, as a CSV file
/// cannot tell them apart; numbers are written in their shortest form, so 1.0 is `1` too. The second
/// record with an id of the file's own gets `-1` behind it, the third `-2`, as twins without an id do;
/// those that share the id of the id column share the identifier.
package struct FeatureIdentifiers: Sendable {
  /// The property that is the id (`id:` of a source).
  private let idColumn: String?
  /// Properties that are the geometry's spelling and no content.
  private let ignored: [String]
  /// Whether ids that the file gives may repeat and are numbered.
  private let numbersGiven: Bool
  private var twins = TwinCounter()
  private var content = RecordContent()
  /// The place of the id column among so many columns.
  private var idPlace: Int?
  private var columnCount = -1

  /// - Parameters:
  ///   - idColumn: the property that is the id, if one is.
  ///   - ignoring: properties that are not content, as the coordinate columns of a CSV file.
  ///   - numbersGiven: whether ids that the file gives may repeat; `false` where no two records that
  ///     come have the same one.
  package init(idColumn: String? = nil, ignoring: [String] = [], numbersGiven: Bool = true) {
    self.idColumn = idColumn
    ignored = ignoring
    self.numbersGiven = numbersGiven
  }

  /// The identifier of a row; rows must come in the order of the file, each once.
  ///
  /// - Complexity: O(bytes of the row) where it has no id.
  package mutating func text(_ batch: FeatureBatch, _ row: Int) -> String {
    textOfID(batch, row) ?? textOfContent(batch, row)
  }

  /// The identifier of a row that has an id; `nil` for one that has none.
  ///
  /// - Complexity: O(bytes of the id).
  package mutating func textOfID(_ batch: FeatureBatch, _ row: Int) -> String? {
    if batch.columns.count != columnCount { adopt(batch) }
    if let text = Self.text(of: idPlace.map { batch.columns[$0] }, row) { return text }
    guard let text = Self.text(of: batch.ids, row) else { return nil }
    return numbersGiven ? numbered(text) : text
  }

  /// The identifier of a row where that is not its id: it has none, or an earlier row has it.
  ///
  /// - Complexity: as ``text(_:_:)``.
  package mutating func textUnlessID(_ batch: FeatureBatch, _ row: Int) -> String? {
    guard let text = textOfID(batch, row) else { return textOfContent(batch, row) }
    return text == Self.id(batch, row, column: idPlace) ? nil : text
  }

  /// An id, with how often it was there before if it was.
  ///
  /// That may be the id of another record itself, so it is looked up too: no text comes twice.
  private mutating func numbered(_ id: String) -> String {
    var text = id
    while true {
      let before = twins.count(text.withUTF8 { ContentHash(UnsafeRawBufferPointer($0)) })
      if before == 0 { return text }
      text += "-\(before)"
    }
  }

  /// The identifier of a row that has no id.
  ///
  /// - Complexity: O(bytes of the row).
  package mutating func textOfContent(_ batch: FeatureBatch, _ row: Int) -> String {
    if batch.columns.count != columnCount { adopt(batch) }
    let hash = content.hash(batch, row)
    let before = twins.count(hash)
    return before == 0 ? hash.text : "\(hash.text)-\(before)"
  }

  /// The id of a row as the file has it, `nil` for none; after the row's ``text(_:_:)``.
  package func id(_ batch: FeatureBatch, _ row: Int) -> String? {
    Self.id(batch, row, column: idPlace)
  }

  /// The id of a row: its column's, else the file's own; `nil` for none and for an empty one.
  package static func id(_ batch: FeatureBatch, _ row: Int, column: Int?) -> String? {
    text(of: column.map { batch.columns[$0] }, row) ?? text(of: batch.ids, row)
  }

  /// The text of an id, `nil` for none and for an empty one.
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
