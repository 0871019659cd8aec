import Definition
import Features
import Fetching
import MBTiles
import Reports
import Reuse
import Runs

extension ReportArticle {
  /// The outcomes of the records, the first of the rejected ones, images, and fetched files.
  var ledgerSections: [HTMLNode] {
    var parts: [HTMLNode] = []
    if let ledger { parts.append(ledger) }
    for source in report.sources where source.image == nil {
      if let rejected = rejected(of: source) { parts.append(rejected) }
      let lines = source.ledger.changeLines(file: source.file)
      if !lines.isEmpty {
        parts.append(.tag("h3", text: "Edits and joins of \(source.name)"))
        parts.append(.tag("ul", [:], lines.map { .tag("li", text: $0) }))
      }
    }
    if let images { parts.append(images) }
    if let fetched { parts.append(fetched) }
    return section("Input", parts)
  }

  private var ledger: HTMLNode? {
    let sources = report.sources.filter { $0.image == nil }
    guard !sources.isEmpty else { return nil }
    let outcomes = sources.outcomes
    let reasons = RejectReason.allCases.filter { reason in
      sources.contains { $0.ledger.rejected[reason] != nil }
    }
    var table = HTMLTable(
      "Every record that was read, and what became of it",
      columns: ["source", "read"] + outcomes.map(\.title) + reasons.map(\.rawValue) + ["file"],
      textColumns: [0, 2 + outcomes.count + reasons.count])
    for source in sources {
      let ledger = source.ledger
      let counts = [ledger.read] + outcomes.map { ledger[$0] }
      table.add(
        [source.name] + counts.map(ReportNumber.count)
          + reasons.map { ReportNumber.count(ledger.rejected[$0] ?? 0) }
          + [source.file + (source.isCached ? " (records from the cache)" : "")])
    }
    return table.node
  }

  /// Returns the first rejected records of each reason; `nil` where none was rejected.
  private func rejected(of source: SourceReport) -> HTMLNode? {
    guard source.ledger.rejectedTotal > 0 else { return nil }
    var table = HTMLTable(
      "The first rejected records of \(source.name), by reason",
      columns: ["place", "reason", "what is wrong"], textColumns: [0, 1, 2])
    for reason in RejectReason.allCases {
      for example in source.ledger.examples(of: reason, limit: SourceLedger.exampleLimit) {
        let place = DocumentPlace(
          file: example.file ?? source.file, line: example.line, column: example.column)
        table.add(["\(place)", reason.rawValue, example.message])
      }
    }
    return table.rows.isEmpty ? nil : table.node
  }

  private var images: HTMLNode? {
    var table = HTMLTable(
      "Images", columns: ["source", "format", "width", "height", "file"], textColumns: [0, 1, 4])
    for source in report.sources {
      guard let image = source.image else { continue }
      table.add(
        [source.name, image.format]
          + [image.width, image.height].map(ReportNumber.count) + [source.file])
    }
    return table.rows.isEmpty ? nil : table.node
  }

  /// The fetched files, a row for each source and origin.
  private var fetched: HTMLNode? {
    var table = HTMLTable("Fetched", columns: ["source", "from", "files", "bytes"])
    for source in report.sources {
      let byOrigin = Dictionary(grouping: source.fetched, by: \.origin.rawValue)
      for (origin, files) in byOrigin.sorted(by: { $0.key < $1.key }) {
        table.add([
          source.name, origin, ReportNumber.count(files.count),
          ReportNumber.bytes(files.reduce(0) { $0 + Int($1.bytes) }),
        ])
      }
    }
    return table.rows.isEmpty ? nil : table.node
  }

  /// The content of each zoom.
  var zoomSections: [HTMLNode] {
    guard !report.zooms.isEmpty else { return [] }
    let isLimited = report.zooms.contains { $0.limited > 0 }
    let hasSizes = report.zooms.contains { $0.sizes.largest > 0 }
    var table = HTMLTable(
      "What each zoom holds"
        + (hasSizes ? "; p50, p95 and max are bytes of the tiles that are not empty" : ""),
      columns: ["zoom", "points", "features"] + (isLimited ? ["limited"] : [])
        + ["tiles", "distinct", "empty", "bytes"] + (hasSizes ? ["p50", "p95", "max"] : []),
      textColumns: [])
    for zoom in report.zooms {
      var counts = [zoom.zoom, zoom.points, zoom.clusters]
      if isLimited { counts.append(zoom.limited) }
      counts += [zoom.tiles, zoom.distinct, zoom.empty, zoom.bytes]
      if hasSizes {
        counts += [zoom.sizes.median, zoom.sizes.percentile95, zoom.sizes.largest]
      }
      table.add(counts.map(ReportNumber.count))
    }
    let all = ["all", "", ""] + (isLimited ? [""] : [])
    let sums = [
      report.zooms.reduce(0) { $0 + $1.tiles }, report.tiles.distinct,
      report.zooms.reduce(0) { $0 + $1.empty }, report.tiles.bytes,
    ]
    let largest = report.zooms.map(\.sizes.largest).max() ?? 0
    table.foot =
      (all + sums.map(ReportNumber.count)
      + (hasSizes ? ["", "", ReportNumber.count(largest)] : [])).map(HTMLNode.text)
    return section("Zooms", [table.node])
  }

  /// The duration of the stages, and the peak memory of the process during each.
  var stageSections: [HTMLNode] {
    guard !report.stages.isEmpty else { return [] }
    let longest = report.stages.map(\.seconds).max() ?? 0
    let peak = report.stages.peakMemory.anonymous
    var table = HTMLTable(
      "How long each stage took, and the most memory that was held meanwhile",
      columns: ["stage", "seconds", "share of the longest"]
        + (peak > 0 ? ["memory", "share of the most", "mapped files"] : []),
      textColumns: [0, 2, 4])
    for stage in report.stages {
      var cells: [HTMLNode] = [
        .text(stage.name), .text(ReportNumber.decimal(stage.seconds, 3)),
        Self.bar(stage.seconds, of: longest),
      ]
      if peak > 0 {
        cells.append(.text(ReportNumber.bytes(stage.memory.anonymous)))
        cells.append(Self.bar(Double(stage.memory.anonymous), of: Double(peak)))
        cells.append(.text(ReportNumber.bytes(stage.memory.mapped)))
      }
      table.rows.append(cells)
    }
    let seconds = report.stages.reduce(0) { $0 + $1.seconds }
    table.foot = [.text("all"), .text(ReportNumber.decimal(seconds, 3)), .text("")]
    if peak > 0 {
      table.foot += [
        .text(ReportNumber.bytes(report.memory.anonymous)), .text(""),
        .text(ReportNumber.bytes(report.memory.mapped)),
      ]
    }
    return section("Stages", [table.node])
  }

  /// Returns a bar whose length is a share; the number is shown beside it, so the bar is optional.
  private static func bar(_ value: Double, of whole: Double) -> HTMLNode {
    let share = whole > 0 ? min(max(value / whole, 0), 1) * 100 : 0
    return .tag(
      "span", ["class": "bar", "aria-hidden": "true"],
      [.tag("span", ["style": "width:\(ReportNumber.decimal(share, 1))%"])])
  }

  /// The pipeline's files.
  var textSections: [HTMLNode] {
    section(
      "Pipeline",
      texts.map { text in
        .tag(
          "details", texts.count == 1 ? ["open": ""] : [:],
          [
            .tag("summary", ["class": "mono"], text: text.file),
            .tag("pre", ["tabindex": "0"], text: text.text),
          ])
      })
  }

  /// Versions, digests, inputs, and the archive's metadata.
  var originSections: [HTMLNode] {
    var digests = HTMLTable(
      "The archive's file", columns: ["what", "value"], textColumns: [0, 1])
    digests.rows = [
      ("size", ReportNumber.bytes(report.archive.bytes)), ("sha256", report.archive.sha256),
      ("digest of the tiles", report.archive.digest), ("layout", exhibit.layout),
    ].filter { !$0.1.isEmpty }.map { [.text($0.0), .tag("span", ["class": "mono"], text: $0.1)] }
    var parts = report.result == .skipped ? [] : [digests.node]
    if !report.deltas.isEmpty {
      var deltas = HTMLTable(
        "Deltas that lead to it", columns: ["file", "bytes", "from the digest"],
        textColumns: [0, 2])
      for delta in report.deltas {
        deltas.add([delta.file, ReportNumber.count(delta.bytes), delta.before])
      }
      parts.append(deltas.node)
    }
    if let inputs { parts.append(inputs) }
    if let metadata { parts.append(metadata) }
    return section("Versions, digests and inputs", parts)
  }

  private var inputs: HTMLNode? {
    guard let entry = exhibit.metadata.first(where: { $0.name == Provenance.key }),
      let rows = ProvenanceForm(text: entry.value)?.table
    else { return nil }
    var table = HTMLTable(
      "What it was made of", columns: ["made of", "rows", "file or version", "sha256"],
      textColumns: [0, 2, 3])
    for row in rows { table.add(row) }
    return table.node
  }

  private var metadata: HTMLNode? {
    let entries = exhibit.metadata.filter { $0.name != Provenance.key }
    guard !entries.isEmpty else { return nil }
    var table = HTMLTable(
      "The archive's metadata", columns: ["name", "value"], textColumns: [0, 1])
    for entry in entries.prefix(100) {
      let value = entry.value.count > 2000 ? entry.value.prefix(2000) + "…" : entry.value[...]
      table.rows.append([.text(entry.name), .tag("span", ["class": "mono"], text: String(value))])
    }
    return .tag("details", [:], [.tag("summary", text: "Metadata"), table.node])
  }
}
