package import ArchiveDeltas
package import JSON
package import MBTiles
import Reports
import Runs
package import Tiling

/// The result of `diff`.
package struct DifferenceSummary: Hashable, Sendable {
  /// A delta that was written.
  package struct Delta: Hashable, Sendable {
    package var path: String

    /// The size of the file in bytes.
    package var bytes: Int

    package var facts: DeltaFacts
  }

  package var old: String
  package var new: String
  package var changes: TileChanges
  package var delta: Delta?

  /// The result for people: the counts, also by zoom, and the delta.
  package var text: String {
    var parts = [
      "\(old) → \(new)\ntiles: \(changes.sentence)", changes.table,
    ]
    if let delta {
      let facts = delta.facts
      parts.append(
        "delta: \(delta.path), \(ReportNumber.bytes(delta.bytes)), from "
          + "\(facts.start.short) to \(facts.end.short)")
    }
    return parts.joined(separator: "\n\n")
  }

  /// Returns the line of JSON for a tile that differs, with the kind of its change.
  package static func line(_ kind: String, _ tile: TileCoord) -> String {
    ReportJSON.members(["tile": .string("\(tile)"), "change": .string(kind)]).line + "\n"
  }

  /// Returns the result as JSON, with the tiles if they are given.
  package func json(
    tiles: [(kind: String, tile: TileCoord)]? = nil
  ) -> ReportJSON {
    var members: [ReportJSON.Member] = [
      .init("old", .string(old)), .init("new", .string(new)), .init("changes", changes.json),
    ]
    if let tiles {
      members.append(
        .init(
          "tiles",
          .object(
            TileChange.Kind.allCases.map { kind in
              let those = tiles.filter { $0.kind == kind.rawValue }
              return .init(kind.rawValue, .array(those.map { .string("\($0.tile)") }))
            })))
    }
    if let delta {
      members.append(
        .init(
          "delta",
          .members([
            "path": .string(delta.path), "bytes": .integer(delta.bytes),
            "before": .string(delta.facts.before), "after": .string(delta.facts.after),
            "images": .integer(delta.facts.images),
          ])))
    }
    return .object(members)
  }
}
