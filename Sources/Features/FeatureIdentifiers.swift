/// A generator of the feature part of every record's ``FeatureKey`` in a stream.
///
/// It is the text of the id column, otherwise the text of the id in the file (GeoJSON), otherwise
/// the fallback identifier, a hash of the record's ``RecordContent`` in 32 hexadecimal digits; the
/// second record with the same content gets the suffix `-1`, the third `-2`. So it depends neither
/// on the position in the file nor on the order of the columns, and the same record has one
/// identifier in every format.
///
/// An empty id counts as missing. Ids are texts: the number 1 and the text `1` are the same id,
/// since a CSV file cannot distinguish them; numbers are written in their shortest form, so 1.0 is
/// `1` too. The second record with the same id in the file gets the suffix `-1`, the third `-2`,
/// like duplicates without an id; those that share the id of the id column share the identifier.
///
/// Vector tiles hold a feature once for each tile and zoom, always with another geometry. There the
/// hash covers the properties alone and is never numbered, so the identifier is the same in all of them;
/// features of a layer with equal properties share it.
package struct FeatureIdentifiers: Sendable {
  /// The id property (`id:` of a source).
  private let idColumn: String?
  /// Properties that spell the geometry and are not content.
  private let ignored: [String]
  /// Whether ids in the file may repeat and are numbered.
  private let numbersGiven: Bool
  /// Whether records with the same properties are one feature, wherever they are.
  private let joinsAlike: Bool
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
  ///   - joinsAlike: whether records with the same properties are one feature, as in vector tiles.
  package init(
    idColumn: String? = nil, ignoring: [String] = [], numbersGiven: Bool = true,
    joinsAlike: Bool = false
  ) {
    self.idColumn = idColumn
    ignored = ignoring
    self.numbersGiven = numbersGiven
    self.joinsAlike = joinsAlike
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
  /// - Complexity: O(bytes of the row) if it has no id.
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
    let hash = content.hash(batch, row, withGeometry: !joinsAlike)
    if joinsAlike { return hash.text }
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

/// A counter of earlier occurrences of hashes: an open-addressing table of 64 bits per hash, so
/// that millions of records without an id fit into little memory.
///
/// Only half of a hash is compared: among ten million different records, two share one with a
/// probability of 3 in a million, and the second would then get an ordinal that it does not need.
struct TwinCounter: Sendable {
  /// The halves of hashes, 0 in a free slot; their number is a power of two.
  private var slots = ContiguousArray<UInt64>(repeating: 0, count: 1 << 10)
  private var used = 0
  /// The number of occurrences of the hashes that came more than once.
  private var repeated: [UInt64: Int] = [:]

  /// Counts a hash.
  ///
  /// - Returns: the number of its earlier occurrences.
  /// - Complexity: O(1) amortized.
  mutating func count(_ hash: ContentHash) -> Int {
    let half = max(hash.low, 1)
    guard !insert(half) else { return 0 }
    let before = repeated[half, default: 1]
    repeated[half] = before + 1
    return before
  }

  /// Whether the half was new.
  private mutating func insert(_ half: UInt64) -> Bool {
    // At three quarters full, a search examines at most 8.5 slots on average (Knuth, 6.4).
    if used * 4 >= slots.count * 3 { grow() }
    let place = Self.place(of: half, in: slots)
    if slots[place] == half { return false }
    slots[place] = half
    used += 1
    return true
  }

  private mutating func grow() {
    var larger = ContiguousArray<UInt64>(repeating: 0, count: slots.count * 2)
    for half in slots where half != 0 { larger[Self.place(of: half, in: larger)] = half }
    slots = larger
  }

  /// Returns the slot that holds the half, or the free one where it belongs.
  private static func place(of half: UInt64, in slots: ContiguousArray<UInt64>) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: half) & mask
    while slots[place] != 0, slots[place] != half { place = (place + 1) & mask }
    return place
  }
}
