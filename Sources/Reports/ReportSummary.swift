import Definition
package import Features
import Fetching
import Runs

extension BuildReport {
  /// The report for people: every record accounted for, then zooms, stages and the archive.
  package var summary: String {
    if result == .skipped {
      return "\(pipeline): skipped, since another run is building \(archive.path)"
    }
    var parts = ["\(pipeline): \(result.rawValue)"]
    if !notes.isEmpty { parts.append(notes.map { "  note: \($0)" }.joined(separator: "\n")) }
    if let fetched = sources.fetchTable { parts.append(fetched) }
    if sources.contains(where: { $0.image == nil }) { parts.append(sourceTable) }
    if let cached = sources.cacheLine { parts.append(cached) }
    if let images = sources.imageTable { parts.append(images) }
    if let series { parts.append(series.table) }
    for source in sources where !source.ledger.examples.isEmpty {
      parts.append(source.examples)
    }
    for source in sources {
      let lines = source.ledger.changeLines(file: source.file)
      if !lines.isEmpty {
        parts.append("  \(source.name):\n" + lines.map { "    \($0)" }.joined(separator: "\n"))
      }
    }
    if !zooms.isEmpty { parts.append(zoomTable) }
    if let grids { parts.append("  taps: \(grids.sentence)") }
    if let changes { parts.append("  tiles: \(changes.sentence)") }
    if let making { parts.append("  archive: \(making.sentence)") }
    parts += anew.map { "  made for all data, since \($0.words)" }
    if !stages.isEmpty { parts.append(stageTable) }
    parts.append(archiveLines)
    return parts.joined(separator: "\n\n")
  }

  private var sourceTable: String {
    var table = ReportTable()
    let outcomes = sources.outcomes
    table.rows = [["source", "read"] + outcomes.map(\.title)]
    for source in sources where source.image == nil {
      let counts = [source.ledger.read] + outcomes.map { source.ledger[$0] }
      table.rows.append([source.name] + counts.map(ReportNumber.count))
    }
    return table.text
  }

  private var zoomTable: String {
    var table = ReportTable(text: [])
    let isLimited = zooms.contains { $0.limited > 0 }
    let limited = isLimited ? ["limited"] : []
    table.rows = [
      ["zoom", "points", "features"] + limited + ["tiles", "empty", "distinct", "bytes"]
    ]
    for zoom in zooms {
      let counts =
        [zoom.zoom, zoom.points, zoom.clusters] + (isLimited ? [zoom.limited] : [])
        + [zoom.tiles, zoom.empty, zoom.distinct, zoom.bytes]
      table.rows.append(counts.map(ReportNumber.count))
    }
    let tileCount = zooms.reduce(0) { $0 + $1.tiles }
    let emptyCount = zooms.reduce(0) { $0 + $1.empty }
    table.rows.append(
      ["all", "", ""] + limited.map { _ in "" }
        + [tileCount, emptyCount, tiles.distinct, tiles.bytes].map(ReportNumber.count))
    return table.text
  }

  private var stageTable: String {
    var table = ReportTable([["stage", "seconds"]])
    for stage in stages {
      table.rows.append([stage.name, ReportNumber.decimal(stage.seconds, 3)])
    }
    let all = stages.reduce(0) { $0 + $1.seconds }
    table.rows.append(["all", ReportNumber.decimal(all, 3)])
    return table.text
  }

  /// The number of deltas, their size and their list; `nil` without any.
  var deltaText: String? {
    guard !deltas.isEmpty else { return nil }
    let bytes = ReportNumber.bytes(deltas.reduce(0) { $0 + $1.bytes })
    let list = ReportFile.updateListPath(besideArchive: archive.path)
    return "\(deltas.count), \(bytes), listed in \(list)"
  }

  private var archiveLines: String {
    var table = ReportTable(
      [
        [series == nil ? "archive" : "manifest", archive.path],
        ["size", ReportNumber.bytes(archive.bytes)],
      ], text: [0, 1])
    if series == nil { table.rows.append(["digest", archive.digest]) }
    if let deltaText { table.rows.append(["deltas", deltaText]) }
    if let packs { table.rows.append(["packs", packs.text]) }
    if memory.anonymous > 0 {
      let (own, files) = (ReportNumber.bytes(memory.anonymous), ReportNumber.bytes(memory.mapped))
      table.rows.append(["memory", "\(own) at most, besides \(files) of mapped files"])
    }
    return table.text
  }
}

extension Collection<SourceReport> {
  /// The outcomes that have columns in tables for people.
  package var outcomes: [RecordOutcome] {
    RecordOutcome.allCases.filter { outcome in
      !outcome.isRare || contains { $0.ledger[outcome] > 0 }
    }
  }
}

extension [SourceReport] {
  /// The table of fetched files; `nil` where nothing is remote.
  fileprivate var fetchTable: String? {
    var table = ReportTable([["fetched", "from", "files", "bytes"]], text: [0, 1])
    for source in self where !source.fetched.isEmpty {
      for origin in FetchedFile.Origin.allCases {
        let files = source.fetched.filter { $0.origin == origin }
        if files.isEmpty { continue }
        table.rows.append([
          source.name, origin.rawValue, ReportNumber.count(files.count),
          ReportNumber.bytes(files.reduce(0) { $0 + Int($1.bytes) }),
        ])
      }
    }
    return table.rows.count > 1 ? table.text : nil
  }

  /// The sources taken from the cache; `nil` where all were read.
  fileprivate var cacheLine: String? {
    let names = filter(\.isCached).map { source in
      "\(source.name) (records\(source.hasCachedClusters ? ", clusters" : ""))"
    }
    return names.isEmpty ? nil : "  from the cache: " + names.joined(separator: ", ")
  }

  /// The table of the images among the sources; `nil` without any.
  var imageTable: String? {
    var table = ReportTable([["image", "format", "width", "height"]], text: [0, 1])
    for source in self {
      guard let image = source.image else { continue }
      table.rows.append(
        [source.name, image.format] + [image.width, image.height].map(ReportNumber.count))
    }
    return table.rows.count > 1 ? table.text : nil
  }
}

extension SourceReport {
  /// The rejected records by reason, each with its first example.
  fileprivate var examples: String {
    "  rejected from \(name), each reason with its first record:\n"
      + ledger.exampleTable(file: file)
  }
}

extension SourceLedger {
  /// Returns the first rejected record of each reason, with the number of its records.
  ///
  /// - Parameter file: the source's own file.
  package func exampleTable(file: String) -> String {
    var table = ReportTable(text: [1, 2])
    for example in examples {
      let place = DocumentPlace(
        file: example.file ?? file, line: example.line, column: example.column)
      table.rows.append([
        ReportNumber.count(rejected[example.reason] ?? 0), example.reason.rawValue,
        "\(place): \(example.message)",
      ])
    }
    return table.text
  }
}
