import Baking
import Definition
import Examination
import Features
import Ingest
import Reports
import Runs
import SourceStages
import Tiling

extension CheckSummary {
  /// Returns the findings as text for people: sources, their columns, and what to do.
  ///
  /// - Parameter file: the path of the pipeline as the user entered it.
  package func text(file: String) -> String {
    let verdict = failure == nil ? "is good" : "would be refused"
    let head = "\(file): \(pipeline) \(verdict): \(conclusion)"
    let notes = layerNotes.map { "note: \($0.withoutControls)" }
    return ([head] + sourceTexts + notes).joined(separator: "\n\n")
  }

  /// The texts of the sources; the parts of vector tiles are one.
  private var sourceTexts: [String] {
    var texts: [String] = []
    var rest = sources[...]
    while let source = rest.first {
      guard let name = source.part?.source, source.absence == nil else {
        texts.append(source.text)
        rest.removeFirst()
        continue
      }
      let parts = rest.prefix { $0.part?.source == name }
      texts.append(Self.text(ofTiles: Array(parts), source: name))
      rest = rest.dropFirst(parts.count)
    }
    return texts
  }

  /// Returns a table of the parts of vector tiles, and what stands out in any of them.
  private static func text(ofTiles parts: [CheckedSource], source: String) -> String {
    var table = ReportTable()
    let outcomes = RecordOutcome.allCases.filter { outcome in
      outcome != .limited
        && (!outcome.isRare || parts.contains { ($0.examination?.ledger[outcome] ?? 0) > 0 })
    }
    table.rows = [["layer", "zoom", "features"] + outcomes.map(\.title)]
    var texts = ["source \(source): \(parts[0].type), \(parts[0].file)"]
    var layers: [(name: String, zooms: ClosedRange<Int>, ledger: SourceLedger)] = []
    for checked in parts {
      guard let part = checked.part, let ledger = checked.examination?.ledger else { continue }
      let name = part.layer + part.use.note
      guard let index = layers.firstIndex(where: { $0.name == name }) else {
        layers.append((name, part.zoom...part.zoom, ledger))
        continue
      }
      let zooms = layers[index].zooms
      layers[index].zooms = min(zooms.lowerBound, part.zoom)...max(zooms.upperBound, part.zoom)
      layers[index].ledger.add(ledger)
    }
    for layer in layers {
      let counts = [layer.ledger.read] + outcomes.map { layer.ledger[$0] }
      table.rows.append([layer.name, layer.zooms.words] + counts.map(ReportNumber.count))
    }
    texts.append(table.text)
    let found = marks(of: parts)
    return (texts + (found.isEmpty ? ["  nothing stands out"] : found)).joined(separator: "\n\n")
  }

  /// Returns the rejected records and findings of the parts of vector tiles, each kind once, with its
  /// first example and the parts that have it: those of several zooms differ in numbers only.
  private static func marks(of parts: [CheckedSource]) -> [String] {
    var kinds: [(text: String, zooms: [(layer: String, zooms: ClosedRange<Int>)])] = []
    var places: [String: Int] = [:]
    for checked in parts {
      guard let part = checked.part else { continue }
      for mark in checked.marks {
        let place = places[mark.kind] ?? kinds.count
        if place == kinds.count {
          places[mark.kind] = place
          kinds.append((mark.text, []))
        }
        if let index = kinds[place].zooms.firstIndex(where: { $0.layer == part.layer }) {
          let zooms = kinds[place].zooms[index].zooms
          kinds[place].zooms[index].zooms =
            min(zooms.lowerBound, part.zoom)...max(zooms.upperBound, part.zoom)
        } else {
          kinds[place].zooms.append((part.layer, part.zoom...part.zoom))
        }
      }
    }
    return kinds.map { kind in
      let shown = kind.zooms.prefix(8).map { "\($0.layer) at zoom \($0.zooms.words)" }
      let more = kind.zooms.count > 8 ? " and \(kind.zooms.count - 8) more layers" : ""
      return "  \(shown.joined(separator: ", ").withoutControls)\(more):\n\(kind.text)"
    }
  }
}

extension CheckedSource {
  fileprivate var text: String {
    if let absence {
      return "source \(name): left out, since it cannot be fetched (onFetchError: skip): \(absence)"
    }
    guard let examination else {
      let what = frames.map { $0 == 1 ? "1 frame that is whole" : "\($0) frames that are whole" }
      return "source \(name): \(file), \(what ?? "an image that is whole")"
    }
    let size = ReportNumber.bytes(examination.bytes)
    var parts = ["source \(name): \(type), \(file), \(size) read"]
    if examination.ledger.read > 0 { parts.append(examination.ledger.table) }
    let repairs = examination.ledger.repairSentences(file: file).map { "  \($0)" }
    let lines = repairs + examination.ledger.changeLines(file: file).map { "  \($0)" }
    if !lines.isEmpty { parts.append(lines.joined(separator: "\n")) }
    if let rejected = examination.rejected(file: file) { parts.append(rejected) }
    if examination.coordinates.count > 0 { parts.append(examination.placeLines) }
    if !examination.columns.isEmpty, examination.ledger.read > 0 {
      parts.append(examination.columnTable)
    }
    parts += examination.findings.map { $0.text(source: name, file: file) }
    if examination.findings.isEmpty { parts.append("  nothing stands out") }
    return parts.joined(separator: "\n\n")
  }

  /// The rejected records and the findings of a part of vector tiles, each with what it has in common
  /// with those of other parts.
  fileprivate var marks: [(kind: String, text: String)] {
    guard let examination else { return [] }
    let rejected = examination.rejected(file: file).map { text in
      (kind: examination.ledger.rejected.keys.map(\.rawValue).sorted().joined(), text: text)
    }
    return [rejected].compactMap(\.self)
      + examination.findings.map { finding in
        (
          kind: "\(finding.kind) \(finding.message.filter { !$0.isNumber })",
          text: finding.text(source: part?.source ?? name, file: file)
        )
      }
  }
}

extension SourceLedger {
  fileprivate var table: String {
    var table = ReportTable(text: [])
    let outcomes = RecordOutcome.allCases.filter {
      $0 != .limited && (!$0.isRare || self[$0] > 0)
    }
    table.rows = [
      ["read"] + outcomes.map(\.title),
      ([read] + outcomes.map { self[$0] }).map(ReportNumber.count),
    ]
    return table.text
  }
}

extension SourceExamination {
  /// Returns a table of the reasons of rejected records; `nil` if there are none.
  fileprivate func rejected(file: String) -> String? {
    guard !ledger.examples.isEmpty else { return nil }
    return "  rejected, each reason with its first record:\n" + ledger.exampleTable(file: file)
  }

  fileprivate var placeLines: String {
    let range = coordinates
    let box = range.box
    let kinds = GeometryColumn.Kind.named.compactMap { kind, name in
      let count = shapes.count(of: kind)
      return count > 0 ? "\(ReportNumber.count(count)) \(name)" : nil
    }
    var lines = ["  geometries: \(kinds.joined(separator: ", "))"]
    lines.append(
      "  \(ReportNumber.count(range.count)) positions: longitude "
        + "\(box.minX.shortestText) to \(box.maxX.shortestText), latitude "
        + "\(box.minY.shortestText) to \(box.maxY.shortestText)")
    if range.coincident > 0 {
      let least = range.isCoincidentComplete ? "" : "at least "
      lines.append(
        "  \(least)\(ReportNumber.count(range.coincident)) records of one point lie exactly where "
          + "an earlier one does")
    }
    return lines.joined(separator: "\n")
  }

  fileprivate var columnTable: String {
    var table = ReportTable(
      [["column", "type", "values", "null", "distinct", "least", "most", "first value"]],
      text: [0, 1, 7])
    for column in columns {
      let kinds = column.kinds.map(\.name).filter { $0 != "null" }
      let isEstimate = !column.distinct.isExact
      table.rows.append([
        CheckNumber.cell(column.name), kinds.isEmpty ? "-" : kinds.joined(separator: ", "),
        ReportNumber.count(column.values), ReportNumber.count(column.nulls),
        (isEstimate ? "~" : "") + ReportNumber.count(column.distinct.count),
        column.numbers > 0 ? column.minimum.shortestText : "",
        column.numbers > 0 ? column.maximum.shortestText : "",
        CheckNumber.cell(column.firstValue),
      ])
    }
    return table.text
  }
}

extension Finding {
  /// Returns the finding with its places and the remedy.
  fileprivate func text(source: String, file: String) -> String {
    var lines = ["  \(severity.rawValue) \(kind.rawValue): \(message)"]
    for sample in samples {
      let place = DocumentPlace(file: sample.file ?? file, line: sample.line, column: sample.column)
      lines.append("    \(place)" + (sample.text.isEmpty ? "" : ": \(sample.text)"))
    }
    if !settings.isEmpty {
      lines.append("    set in source \(source):")
      lines += settings.map { "      \($0.yaml)" }
    }
    if !advice.isEmpty { lines.append("    \(advice.withoutControls)") }
    return lines.joined(separator: "\n")
  }
}

/// The formatting of numbers and cells of the table of columns.
enum CheckNumber {
  /// Returns a text that is safe for a table: truncated, and without control characters.
  static func cell(_ text: String) -> String {
    let text = text.withoutControls
    return text.count > 28 ? String(text.prefix(27)) + "…" : text
  }
}

extension GeometryColumn.Kind {
  /// The types of geometries with the names of RFC 7946, in its order.
  static let named: [(kind: GeometryColumn.Kind, name: String)] = [
    (.point, "Point"), (.multiPoint, "MultiPoint"), (.lineString, "LineString"),
    (.multiLineString, "MultiLineString"), (.polygon, "Polygon"),
    (.multiPolygon, "MultiPolygon"), (.collection, "GeometryCollection"),
  ]
}

extension ClosedRange<Int> {
  /// The zooms: `4`, or `4–14`.
  fileprivate var words: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)–\(upperBound)"
  }
}

extension VectorTileSource.Part.Use {
  /// The addition to the name of a layer that is read several times.
  fileprivate var note: String {
    switch self {
    case .query, .shapes: ""
    case .symbols: ", labels"
    case .heat: ", heat"
    }
  }
}
