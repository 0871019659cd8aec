import Definition
import Examination
import Features
import Foundation
import Ingest
import Inputs
import OrderedCollections
import RecordChanges
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

    /// The beginning that all values have and that ends in a letter or mark, such as `0500000US`.
    var prefix: String {
      guard var common = values.first, values.count > 1 else { return "" }
      for value in values { common = common.commonPrefix(with: value) }
      return String(
        common.prefix(
          common.lastIndex { !$0.isNumber }.map {
            common.distance(from: common.startIndex, to: $0) + 1
          } ?? 0))
    }

    /// Returns each value by the text that is compared instead of it.
    func compared(_ form: KeyComparison, without prefix: String) -> [String: String] {
      Dictionary(
        values.map { (form.text($0, without: prefix), $0) }, uniquingKeysWith: { min($0, $1) })
    }
  }

  /// Columns that have values in common, and how these are compared.
  private struct Match {
    let left: String
    let right: String
    var comparison = KeyComparison.exact
    var leftPrefix = ""
    var rightPrefix = ""

    /// The keys of both sides by the text that is compared.
    var features: [String: String] = [:]
    var rows: [String: String] = [:]

    /// The key `on` of the join.
    var sides: PropertyValue {
      guard left != right || !leftPrefix.isEmpty || !rightPrefix.isEmpty else {
        return .string(left)
      }
      var sides: OrderedDictionary<String, PropertyValue> = [
        "left": .string(left), "right": .string(right),
      ]
      if !leftPrefix.isEmpty { sides["leftPrefix"] = .string(leftPrefix) }
      if !rightPrefix.isEmpty { sides["rightPrefix"] = .string(rightPrefix) }
      return .object(sides)
    }
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
    guard let match = Self.match(features, rows) else {
      throw PipelineError(.badData, Self.refusal(features, rows), at: place)
    }
    let keys = rows[match.right]
    guard keys?.areUnique == true, match.rows.count == keys?.values.count else {
      throw PipelineError(
        .badData,
        "has several rows for one '\(match.right)', by which it would be joined. Keep one row for each.",
        at: place)
    }
    var join: OrderedDictionary<String, PropertyValue> = ["data": .string(table)]
    join["on"] = match.sides
    if match.comparison != .exact { join["compare"] = .string(match.comparison.rawValue) }
    let added = rows.keys.filter { $0 != match.right && features[$0] == nil }
    join["select"] = .array(added.map(PropertyValue.string))
    for key in ["delimiter", "encoding", "decimal"] { join[key] = tableKeys[key] }
    var source = places.keys
    source["id"] = nil
    source["join"] = .object(join)
    var draft = try records.records(name: name, keys: source)
    draft.comments["join"] = Self.words(match)
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
  /// ones whose values tell all places apart. Exact keys go before codes, and these before codes after
  /// a prefix.
  private static func match(
    _ features: OrderedDictionary<String, Keys>, _ rows: OrderedDictionary<String, Keys>
  ) -> Match? {
    let forms = [(KeyComparison.exact, false), (.codes, false), (.codes, true)]
    for (comparison, dropsPrefix) in forms {
      var best: (match: Match, rank: Int)?
      func compared(_ keys: Keys) -> (prefix: String, texts: [String: String]) {
        let prefix = dropsPrefix ? keys.prefix : ""
        return (prefix, keys.compared(comparison, without: prefix))
      }
      let table = rows.filter { $0.value.values.count > 1 }.mapValues(compared)
      for (left, keys) in features where keys.values.count > 1 {
        let one = compared(keys)
        for (right, other) in table {
          let count = other.texts.keys.count { one.texts[$0] != nil }
          guard count > 1, count * 2 >= min(one.texts.count, other.texts.count) else { continue }
          let rank = 4 * count + (keys.areUnique ? 2 : 0) + (rows[right]?.areUnique == true ? 1 : 0)
          guard rank > best?.rank ?? 0 else { continue }
          let match = Match(
            left: left, right: right, comparison: comparison, leftPrefix: one.prefix,
            rightPrefix: other.prefix, features: one.texts, rows: other.texts)
          best = (match, rank)
        }
      }
      if let best { return best.match }
    }
    return nil
  }

  // MARK: Words

  private static func words(_ match: Match) -> String {
    func list(_ values: [String: String]) -> String {
      let names = values.values.sorted().prefix(5).map { "'\($0.withoutControls)'" }
      return names.joined(separator: ", ")
        + (values.count > 5 ? " and \(values.count - 5) more" : "")
    }
    let bare = match.features.filter { match.rows[$0.key] == nil }
    let unused = match.rows.filter { match.features[$0.key] == nil }
    var text =
      "\(ReportNumber.count(match.features.count - bare.count)) of "
      + "\(ReportNumber.count(match.features.count)) values of '\(match.left)' are in '\(match.right)'"
      + (match.comparison == .exact ? "." : ", written in another way.")
    if !bare.isEmpty { text += "\nWithout a row: \(list(bare))." }
    if !unused.isEmpty { text += "\nRows without a place: \(list(unused))." }
    return text
  }

  private static func refusal(
    _ features: OrderedDictionary<String, Keys>, _ rows: OrderedDictionary<String, Keys>
  ) -> String {
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
    let table = try CSVSource.table(input, delimiter: options.delimiter)
    return try CSVReader(try (table ?? input).stream(), options: options)
  }
}
