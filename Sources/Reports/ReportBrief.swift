import Features
import MBTiles
import Runs

extension [BuildReport] {
  /// The reports on the archives of one pipeline for people, some lines each, and the command that
  /// shows what was built.
  package var brief: String {
    var lines = flatMap(\.briefLines)
    if let shown = first(where: { $0.result != .skipped }) {
      lines.append(BuildReport.line("next", "quadrille preview \(shown.archive.path.shellWord)"))
    }
    return lines.joined(separator: "\n")
  }
}

extension BuildReport {
  /// The outcome, its notes, the archive, its tiles and the records.
  fileprivate var briefLines: [String] {
    if result == .skipped { return [summary] }
    let seconds = stages.reduce(0) { $0 + $1.seconds }
    let time = stages.isEmpty ? "" : " in \(ReportNumber.seconds(seconds))"
    var lines = ["\(pipeline): \(result.rawValue)\(time)"]
    lines += notes.map { "  note: \($0)" }
    let name = series == nil ? "archive" : "series"
    lines.append(Self.line(name, "\(archive.path), \(ReportNumber.bytes(archive.bytes))"))
    if let series { lines.append(Self.line("frames", series.brief)) }
    if let tileText { lines.append(Self.line("tiles", tileText)) }
    if let recordText { lines.append(Self.line("records", recordText)) }
    if let deltaText { lines.append(Self.line("deltas", deltaText)) }
    if let packs { lines.append(Self.line("packs", packs.text)) }
    return lines
  }

  /// Returns a line whose text begins in the same column as the texts of the others.
  fileprivate static func line(_ name: String, _ text: String) -> String {
    "  \(name)" + String(repeating: " ", count: 9 - name.count) + text
  }

  /// The number of tiles, their zooms, and how many differ from those of the last archive; `nil`
  /// where it is not known.
  private var tileText: String? {
    let known = zooms.isEmpty ? standing?.zooms ?? [] : zooms
    let count =
      known.isEmpty ? standing?.tiles.planned ?? 0 : known.reduce(0) { $0 + $1.tiles }
    guard count > 0, series == nil else { return nil }
    var text = ReportNumber.count(count)
    if let first = known.first?.zoom, let last = known.last?.zoom {
      text += first == last ? " in zoom \(first)" : " in zooms \(first) to \(last)"
    }
    if let changes {
      text += changes.differing == 0 ? "; none changed" : "; \(changes.differences)"
    }
    return text
  }

  /// The outcomes of the records of all sources; `nil` where there are none.
  private var recordText: String? {
    let read = (sources.isEmpty ? standing?.sources ?? [] : sources).filter { $0.image == nil }
    guard !read.isEmpty else { return nil }
    func count(_ outcome: RecordOutcome) -> Int { read.reduce(0) { $0 + $1.ledger[outcome] } }
    var parts = [ReportNumber.count(read.reduce(0) { $0 + $1.ledger.read }) + " read"]
    for outcome in RecordOutcome.allCases where outcome != .rejected {
      let count = count(outcome)
      if count > 0 || outcome == .used {
        let words = outcome == .noGeometry ? "without geometry" : outcome.title
        parts.append("\(ReportNumber.count(count)) \(words)")
      }
    }
    return parts.joined(separator: ", ") + ", " + rejectedText(count(.rejected), of: read)
  }

  /// Returns the number of rejected records with the first of them.
  private func rejectedText(_ count: Int, of sources: [SourceReport]) -> String {
    guard count > 0 else { return "none rejected" }
    let text = "\(ReportNumber.count(count)) rejected"
    guard let source = sources.first(where: { !$0.ledger.examples.isEmpty }),
      let example = source.ledger.examples.first
    else { return text }
    let place = DocumentPlace(
      file: example.file ?? source.file, line: example.line, column: example.column)
    return "\(text)\(count == 1 ? ":" : ", the first is") \(place): \(example.message)"
  }
}

extension SeriesReport {
  /// The number of frames, what became of them, and what is missing.
  fileprivate var brief: String {
    var text =
      "\(ReportNumber.count(frames)), \(first) to \(latest); "
      + "\(ReportNumber.count(built)) built, \(ReportNumber.count(unchanged)) unchanged"
    if !gaps.isEmpty {
      text += ", \(ReportNumber.count(gaps.reduce(0) { $0 + $1.missing })) missing"
    }
    if !unusable.isEmpty {
      text += ", \(ReportNumber.count(unusable.count)) rejected: \(unusable[0])"
    }
    return text
  }
}
