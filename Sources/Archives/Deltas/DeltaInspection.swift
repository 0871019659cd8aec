import ArchiveDeltas
import JSON
import MBTiles
package import Runs
import SystemPackage

/// The inspection of a delta by `inspect`.
package struct DeltaInspection {
  private let delta: DeltaReader

  /// Whether a path names a delta rather than an archive.
  package static func isDelta(_ path: String) -> Bool { path.hasSuffix(DeltaFormat.suffix) }

  package init(_ path: String) throws(PipelineError) {
    delta = try PipelineError.wrapping { try DeltaReader(FilePath(path)) }
  }

  /// The facts for `inspect --json`.
  var members: [ReportJSON.Member] {
    let facts = delta.facts
    return .of([
      "container": .string("delta"), "name": .string(facts.name),
      "layout": .string(facts.layout.rawValue), "before": .string(facts.before),
      "after": .string(facts.after), "tilesBefore": .integer(facts.tilesBefore),
      "tilesAfter": .integer(facts.tilesAfter), "added": .integer(facts.added),
      "changed": .integer(facts.changed), "removed": .integer(facts.removed),
      "newImages": .integer(facts.images), "droppedImages": .integer(facts.dropped),
      "minzoom": Int(facts.minZoom).map { .integer($0) } ?? .null,
      "maxzoom": Int(facts.maxZoom).map { .integer($0) } ?? .null,
      "bytes": .integer(facts.bytes), "sha256": .string(facts.sha256),
    ])
  }

  /// The states that the delta connects, and the SQL by which an app applies it without this
  /// program.
  package var text: String {
    let facts = delta.facts
    var table = ReportTable(
      [
        ["name", facts.name], ["layout", facts.layout.rawValue], ["before", facts.before],
        ["after", facts.after], ["tiles before", ReportNumber.count(facts.tilesBefore)],
        ["tiles after", ReportNumber.count(facts.tilesAfter)],
        ["added", ReportNumber.count(facts.added)], ["changed", ReportNumber.count(facts.changed)],
        ["removed", ReportNumber.count(facts.removed)],
        ["new images", ReportNumber.count(facts.images)],
        ["dropped images", ReportNumber.count(facts.dropped)],
        ["zooms", "\(facts.minZoom) to \(facts.maxZoom)"],
        ["archive", "\(ReportNumber.bytes(facts.bytes)), SHA-256 \(facts.sha256)"],
      ], text: [0, 1])
    if let merged = facts.merged { table.rows.append(["merged from", "\(merged) deltas"]) }
    if let taps = facts.taps {
      table.rows += [
        ["taps before", taps.before], ["taps after", taps.after],
        [taps.form == .grids ? "new grids" : "new blocks", ReportNumber.count(taps.grids)],
        [taps.form == .grids ? "new entries" : "new pages", ReportNumber.count(taps.entries)],
      ]
    }
    let name = (delta.path.lastComponent?.string ?? "")
      .split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    return """
      \(delta.path): a delta

      \(table.text)

      -- In an app, with the archive open: the query must answer 1.
      ATTACH '\(name)' AS delta;
      \(DeltaFormat.question)
      BEGIN;
      \(DeltaFormat.statements(facts.form).joined(separator: "\n"))
      COMMIT;
      -- Where this answers 1, run VACUUM at the end: then the file has grown beyond half as much again.
      \(DeltaFormat.sizeQuestion)
      DETACH delta;
      """
  }
}
