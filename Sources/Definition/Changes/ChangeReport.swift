package import Features
package import JSON
import Runs

// The counts of edits and joins, for the report.
extension SourceLedger {
  /// The members `edits` and `joins`, for a source that has them.
  package var changeMembers: [ReportJSON.Member] {
    var members: [ReportJSON.Member] = []
    if let edits { members.append(.init("edits", edits.json)) }
    if !joins.isEmpty { members.append(.init("joins", .array(joins.map(\.json)))) }
    return members
  }

  /// Returns a line for each noteworthy count: edits, and misses with their first example.
  ///
  /// - Parameter file: the source's own file.
  package func changeLines(file: String) -> [String] {
    var lines: [String] = []
    func place(_ note: LedgerNote?) -> String {
      note.map { ": \(DocumentPlace(file: $0.file ?? file, line: $0.line)): \($0.message)" } ?? ""
    }
    func add(_ count: Int, _ words: String, _ note: LedgerNote?) {
      if count > 0 { lines.append("\(ReportNumber.count(count)) \(words)\(place(note))") }
    }
    if let edits {
      lines.append(
        "\(ReportNumber.count(edits.edited)) edited, \(ReportNumber.count(edits.deleted)) deleted, "
          + "\(ReportNumber.count(edits.inserted)) inserted")
      add(edits.dangling, "edits found no record", edits.firstDangling)
    }
    for join in joins {
      lines.append("\(ReportNumber.count(join.matched)) records found a row of \(join.file)")
      add(join.missing, "records found none", join.firstMissing)
      add(join.unused, "rows were not asked for", join.firstUnused)
      add(join.repeated, "rows gave way to another with their key", join.firstRepeated)
    }
    return lines
  }
}

extension EditCounts {
  fileprivate var json: ReportJSON {
    .members([
      "edited": .integer(edited), "deleted": .integer(deleted), "inserted": .integer(inserted),
      "dangling": .integer(dangling),
    ])
  }
}

extension JoinCounts {
  fileprivate var json: ReportJSON {
    .members([
      "data": .string(file), "matched": .integer(matched), "missing": .integer(missing),
      "unused": .integer(unused), "repeated": .integer(repeated),
    ])
  }
}
