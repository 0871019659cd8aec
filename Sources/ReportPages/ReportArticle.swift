import Definition
import Features
import MBTiles
import Reports
import Runs

/// The part of a report's page for one archive.
struct ReportArticle {
  let exhibit: ReportExhibit

  /// The position in the page, from 1.
  let number: Int
  let definition: PipelineDefinition
  let texts: [ConfigText]

  var report: BuildReport { exhibit.report }

  /// The name by which the page links to it.
  var anchor: String { "archive-\(number)" }

  /// Returns the whole part.
  ///
  /// - Parameter budget: the remaining budget for images.
  func node(_ budget: inout PictureBudget) -> HTMLNode {
    var parts: [HTMLNode] = [header]
    if report.result != .skipped {
      parts.append(facts)
      if !report.notes.isEmpty { parts.append(notes) }
      parts += ledgerSections
      parts += zoomSections
      parts += stageSections
      parts += sheetSections(&budget)
      parts += frameSections(&budget)
      parts += changeSections(&budget)
      parts += biggestSections(&budget)
    }
    parts += textSections
    parts += originSections
    return .tag("article", ["id": anchor, "aria-labelledby": "\(anchor)-title"], parts)
  }

  /// Returns a section with a heading; empty if it has no content.
  func section(_ title: String, _ children: [HTMLNode]) -> [HTMLNode] {
    children.isEmpty ? [] : [.tag("section", [:], [.tag("h2", text: title)] + children)]
  }

  private var header: HTMLNode {
    let word: String
    switch report.result {
    case .published: word = "A new archive took the place of the last."
    case .unchanged:
      word =
        "Unchanged: the inputs are those of the archive in place. The counts and times below "
        + "are of the build that published it."
    case .skipped: word = "Skipped, since another run is building this archive."
    }
    var parts: [HTMLNode] = [
      .tag(
        "h1", ["id": "\(anchor)-title"],
        [
          .text(report.pipeline),
          .tag("span", ["class": "result \(report.result.rawValue)"], text: report.result.rawValue),
        ]),
      .tag("p", ["class": "path mono"], text: report.archive.path),
      .tag("p", ["class": "soft"], text: word),
    ]
    if !definition.description.isEmpty { parts.append(.tag("p", text: definition.description)) }
    if let fault = exhibit.fault {
      parts.append(.tag("p", ["class": "notes"], text: "There are no pictures: \(fault)"))
    }
    return .tag("header", [:], parts)
  }

  private var facts: HTMLNode {
    let ledgers = report.sources.filter { $0.image == nil }.map(\.ledger)
    let seconds = report.stages.reduce(0) { $0 + $1.seconds }
    var rows: [(String, String)] = []
    if let series = report.series { rows.append(("frames", ReportNumber.count(series.frames))) }
    let tiles = report.zooms.reduce(0) { $0 + $1.tiles }
    if tiles > 0 { rows.append(("tiles", ReportNumber.count(tiles))) }
    if report.tiles.distinct > 0 {
      rows.append(("distinct images", ReportNumber.count(report.tiles.distinct)))
    }
    rows.append(("archive", ReportNumber.bytes(report.archive.bytes)))
    if let grids = report.grids {
      rows.append(
        (
          grids.isCompact ? "shapes and entries for taps" : "grids and keys for taps",
          ReportNumber.bytes(grids.bytes + grids.keyBytes)
        ))
    }
    if !ledgers.isEmpty {
      rows.append(("records used", ReportNumber.count(ledgers.reduce(0) { $0 + $1.used })))
      rows.append(("rejected", ReportNumber.count(ledgers.reduce(0) { $0 + $1.rejectedTotal })))
    }
    if let changes = report.changes {
      rows.append(("tiles that differ", ReportNumber.count(changes.differing)))
    }
    if seconds > 0 { rows.append(("time", ReportNumber.seconds(seconds))) }
    if report.memory.anonymous > 0 {
      rows.append(("memory at most", ReportNumber.bytes(report.memory.anonymous)))
      rows.append(("mapped files at most", ReportNumber.bytes(report.memory.mapped)))
    }
    return .tag(
      "dl", ["class": "facts"],
      rows.map { name, value in
        .tag("div", [:], [.tag("dt", text: name), .tag("dd", text: value)])
      })
  }

  private var notes: HTMLNode {
    .tag("div", ["class": "notes"], report.notes.map { .tag("p", text: $0) })
  }
}
