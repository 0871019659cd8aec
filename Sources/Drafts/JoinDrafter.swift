import Definition
import Examination
import Features
import Ingest
import Inputs
import OrderedCollections
import Runs

/// The drafting of a table that is joined to places, by the columns in which both have the same keys.
struct JoinDrafter {
  let records: SourceDrafter

  /// The distinct values of a column as keys are compared.
  private struct Keys {
    var values: Set<String> = []
    var count = 0

    /// Whether each value occurs once.
    var areUnique: Bool { values.count == count }
  }

  /// Columns that have values in common.
  private struct Match {
    let left: String
    let right: String
    let count: Int
  }

  /// The most values of a column that are compared.
  private static let valueLimit = 100_000

  /// Returns the draft of places with the columns of a table.
  ///
  /// - Parameters:
  ///   - table: the table as the pipeline names it.
  ///   - places: the draft of the places alone.
  /// - Throws: ``PipelineError`` where no column of the two has the same values.
  func joined(_ table: String, to places: SourceDraft, name: String) throws -> SourceDraft {
    let tableKeys = try records.tableKeys(name, table)
    let rows = try keys(of: try records.tableReader(name, tableKeys))
    let features = try keys(of: try records.source(name, places.keys).reader(ReadRequest()))
    let place = DocumentPlace(file: table)
    guard let match = Self.match(features, rows, \.self) else {
      throw PipelineError(.badData, Self.refusal(features, rows), at: place)
    }
    guard rows[match.right]?.areUnique == true else {
      throw PipelineError(
        .badData,
        "has several rows for one '\(match.right)', by which it would be joined. Keep one row for each.",
        at: place)
    }
    var join: OrderedDictionary<String, PropertyValue> = ["data": .string(table)]
    join["on"] =
      match.left == match.right
      ? .string(match.left)
      : .object(["left": .string(match.left), "right": .string(match.right)])
    let added = rows.keys.filter { $0 != match.right && features[$0] == nil }
    join["select"] = .array(added.map(PropertyValue.string))
    for key in ["delimiter", "encoding", "decimal"] { join[key] = tableKeys[key] }
    var keys = places.keys
    keys["id"] = nil
    keys["join"] = .object(join)
    var draft = try records.records(name: name, keys: keys)
    draft.comments["join"] = Self.words(match, features, rows)
    return draft
  }

  private func keys(
    of reader: any FeatureReader
  ) throws -> OrderedDictionary<String, Keys> {
    var reader = reader
    var batch = FeatureBatch()
    var found: OrderedDictionary<String, Keys> = [:]
    while try reader.read(into: &batch) {
      for column in batch.columns {
        var keys = found[column.name] ?? Keys()
        for row in 0..<batch.count where keys.count < Self.valueLimit {
          guard let text = Self.key(column, row) else { continue }
          keys.count += 1
          keys.values.insert(text)
        }
        found[column.name] = keys
      }
      try records.advance(reader.bytesRead)
    }
    return found
  }

  /// Returns a value as joins compare it: whole numbers in their shortest form.
  private static func key(_ column: PropertyColumn, _ row: Int) -> String? {
    if let number = column.number(row), let whole = Int(exactly: number) { return "\(whole)" }
    return column.text(row).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the columns with the most values in common, at least half of the fewer; of equals the
  /// ones whose values tell all places apart.
  private static func match(
    _ features: OrderedDictionary<String, Keys>, _ rows: OrderedDictionary<String, Keys>,
    _ form: (String) -> String
  ) -> Match? {
    var best: (match: Match, rank: Int)?
    for (left, one) in features where one.values.count > 1 {
      let values = Set(one.values.map(form))
      for (right, other) in rows where other.values.count > 1 {
        let count = other.values.count { values.contains(form($0)) }
        guard count > 1, count * 2 >= min(values.count, other.values.count) else { continue }
        let rank = 4 * count + (one.areUnique ? 2 : 0) + (other.areUnique ? 1 : 0)
        if rank > best?.rank ?? 0 { best = (Match(left: left, right: right, count: count), rank) }
      }
    }
    return best?.match
  }

  // MARK: Words

  private static func words(
    _ match: Match, _ features: OrderedDictionary<String, Keys>,
    _ rows: OrderedDictionary<String, Keys>
  ) -> String {
    let (left, right) = (
      features[match.left]?.values ?? [], rows[match.right]?.values ?? []
    )
    func list(_ values: Set<String>) -> String {
      let names = values.sorted().prefix(5).map { "'\($0.withoutControls)'" }
      return names.joined(separator: ", ")
        + (values.count > 5 ? " and \(values.count - 5) more" : "")
    }
    var text =
      "\(ReportNumber.count(left.intersection(right).count)) of \(ReportNumber.count(left.count)) values "
      + "of '\(match.left)' are in '\(match.right)'."
    let (bare, unused) = (left.subtracting(right), right.subtracting(left))
    if !bare.isEmpty { text += "\nWithout a row: \(list(bare))." }
    if !unused.isEmpty { text += "\nRows without a place: \(list(unused))." }
    return text
  }

  private static func refusal(
    _ features: OrderedDictionary<String, Keys>, _ rows: OrderedDictionary<String, Keys>
  ) -> String {
    func plain(_ text: String) -> String {
      let kept = text.lowercased().filter { $0.isLetter || $0.isNumber }
      return String(kept.drop { $0 == "0" })
    }
    if let match = match(features, rows, plain) {
      let pair = [features[match.left], rows[match.right]].map { $0?.values.min() ?? "" }
      return
        "cannot be joined: '\(match.right)' has the values of '\(match.left)', but writes them in another "
        + "way, such as '\(pair[1].withoutControls)' for '\(pair[0].withoutControls)'. Write them alike."
    }
    return
      "cannot be joined: none of its columns (\(rows.keys.prefix(12).joined(separator: ", "))) has the "
      + "values of a column of the places (\(features.keys.prefix(12).joined(separator: ", ")))."
      .withoutControls
  }
}

extension SourceDrafter {
  /// Returns the keys by which a table without places is read.
  func tableKeys(
    _ name: String, _ path: String
  ) throws -> OrderedDictionary<String, PropertyValue> {
    var keys: OrderedDictionary<String, PropertyValue> = [
      "type": .string(CSVSource.type), "data": .string(path),
    ]
    let kinds: [Finding.Kind] = [
      .wrongDelimiter, .wrongEncoding, .titleRows, .commaDecimals, .commaNumbers,
    ]
    var comments: [String: String] = [:]
    for _ in kinds {
      let found = try examination(name, keys).findings.filter {
        kinds.contains($0.kind) && !$0.settings.isEmpty
      }
      guard found.contains(where: { apply($0, to: &keys, &comments) }) else { break }
    }
    guard keys["skip"] == nil else {
      throw PipelineError(
        .badData,
        "has titles above the names of its columns, which a joined table must not have. "
          + "Remove them.", at: DocumentPlace(file: path))
    }
    return keys
  }

  /// Returns the reader of a table without places.
  func tableReader(
    _ name: String, _ keys: OrderedDictionary<String, PropertyValue>
  ) throws -> any FeatureReader {
    let source = try source(name, keys)
    guard let format = source.records?.format as? CSVSource,
      let input = try source.origin.content().first()
    else { throw PipelineError(.bug, "a joined table is no table.") }
    var options = format.options
    options.hasGeometry = false
    return try CSVReader(try input.stream(), options: options)
  }
}
