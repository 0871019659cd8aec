import Definition
package import Features
import Fetching
package import JSON
import MBTiles
import Runs

extension BuildReport {
  /// The report as JSON: the keys and their order are part of the command line's interface.
  package var json: ReportJSON {
    .object(members.filter { $0.value != .null })
  }

  private var members: [ReportJSON.Member] {
    let all: KeyValuePairs<String, ReportJSON> = [
      "pipeline": .string(pipeline),
      "pipelineFile": pipelineFile.map { .string($0) } ?? .null,
      "result": .string(result.rawValue),
      "sources": .object(sources.map { .init($0.name, $0.json) }),
      "stages": .array(
        stages.map(\.json)),
      "zooms": .array(zooms.map(\.json)),
      "tiles": .members([
        "planned": .integer(tiles.planned), "rendered": .integer(tiles.rendered),
        "reused": .integer(tiles.reused), "distinct": .integer(tiles.distinct),
        "bytes": .integer(tiles.bytes),
      ]),
      "making": making?.json ?? .null,
      "anew": anew.isEmpty ? .null : .array(anew.map { .string($0.rawValue) }),
      "blocks": blocks.map {
        .members(["made": .integer($0.made), "known": .integer($0.known)])
      } ?? .null,
      "grids": grids?.json ?? .null,
      "changes": changes?.json ?? .null,
      "archive": .members([
        "path": .string(archive.path), "bytes": .integer(archive.bytes),
        "sha256": .string(archive.sha256), "digest": .string(archive.digest),
      ]),
      "deltas": deltas.isEmpty
        ? .null
        : .array(
          deltas.map { delta in
            .members([
              "file": .string(delta.file), "before": .string(delta.before),
              "bytes": .integer(delta.bytes),
            ])
          }),
      "packs": packs?.json ?? .null,
      "series": series?.json ?? .null,
      "notes": notes.isEmpty ? .null : .array(notes.map(ReportJSON.string)),
      "peakAnonymousBytes": .integer(memory.anonymous),
      "peakMappedBytes": .integer(memory.mapped),
    ]
    return all.map { ReportJSON.Member($0.key, $0.value) }
  }
}

extension BuildReport.Making {
  fileprivate var json: ReportJSON {
    switch self {
    case .copied: .members(["copied": .bool(true)])
    case .whole(let reason): .members(["copied": .bool(false), "whyNot": .string(reason.rawValue)])
    }
  }

  /// A sentence for people.
  var sentence: String {
    switch self {
    case .copied: "made from the last archive, but for what changed"
    case .whole(let reason): "written as a whole, since \(reason.words)"
    }
  }
}

extension SourceReport {
  /// The counts or the image, and the fetched files.
  fileprivate var json: ReportJSON {
    let base = image?.json ?? ledger.json
    guard case .object(var members) = base else { return base }
    let examples = RejectReason.allCases.flatMap { ledger.examples(of: $0, limit: .max) }
    if image == nil, !examples.isEmpty {
      members.append(.init("examples", .array(examples.map(\.json))))
    }
    if let absence { members.append(.init("skipped", .string(absence))) }
    if isCached { members.append(.init("cached", .bool(true))) }
    if hasCachedClusters { members.append(.init("clustersCached", .bool(true))) }
    guard !fetched.isEmpty else { return .object(members) }
    let files = fetched.map { file in
      ReportJSON.members([
        "uri": .string(file.uri), "origin": .string(file.origin.rawValue),
        "bytes": .integer(Int(file.bytes)), "sha256": .string(file.sha256),
      ])
    }
    return .object(members + [.init("fetched", .array(files))])
  }
}

extension SourceLedger.Example {
  /// The place and the problem there; the file only where it is not the source's own.
  fileprivate var json: ReportJSON {
    let members: KeyValuePairs<String, ReportJSON> = [
      "reason": .string(reason.rawValue), "file": file.map { .string($0) } ?? .null,
      "line": .integer(line), "column": column > 0 ? .integer(column) : .null,
      "message": .string(message),
    ]
    return .object(
      members.filter { $0.value != .null }.map { ReportJSON.Member($0.key, $0.value) })
  }
}

extension StageTime {
  fileprivate var json: ReportJSON {
    let peaks: [ReportJSON.Member] =
      memory == MemoryUse()
      ? []
      : [
        .init("peakAnonymousBytes", .integer(memory.anonymous)),
        .init("peakMappedBytes", .integer(memory.mapped)),
      ]
    return .object([.init("name", .string(name)), .init("seconds", .seconds(seconds))] + peaks)
  }
}

extension ImageReport {
  fileprivate var json: ReportJSON {
    .members([
      "format": .string(format), "width": .integer(width), "height": .integer(height),
    ])
  }
}

extension ZoomReport {
  fileprivate var json: ReportJSON {
    let counts: KeyValuePairs<String, ReportJSON> = [
      "zoom": .integer(zoom), "points": .integer(points), "clusters": .integer(clusters),
      "tiles": .integer(tiles), "empty": .integer(empty), "distinct": .integer(distinct),
      "bytes": .integer(bytes), "limited": .integer(limited),
    ]
    let shares: KeyValuePairs<String, ReportJSON> = [
      "p50": .integer(sizes.median), "p95": .integer(sizes.percentile95),
      "max": .integer(sizes.largest),
    ]
    return .object(
      (Array(counts) + (sizes.largest > 0 ? Array(shares) : []))
        .map { ReportJSON.Member($0.key, $0.value) })
  }
}

extension SourceLedger {
  /// The counts; reasons are in the order of ``RejectReason`` and only listed where they occurred.
  package var json: ReportJSON {
    let reasons =
      RejectReason.allCases.compactMap { reason in
        rejected[reason].map { ReportJSON.Member(reason.rawValue, .integer($0)) }
      } + (rejectedUnexplained > 0 ? [.init("unknown", .integer(rejectedUnexplained))] : [])
    let repeats = repeated > 0 ? [ReportJSON.Member("repeated", .integer(repeated))] : []
    return .object(
      countMembers(rejected: .object(reasons)) + repairMembers + repeats + matchedMembers
        + changeMembers)
  }

  /// Returns the number of records read and their outcomes.
  ///
  /// - Parameter rejected: the value of the member for rejected records.
  func countMembers(rejected: ReportJSON) -> [ReportJSON.Member] {
    [ReportJSON.Member("read", .integer(read))]
      + RecordOutcome.allCases.map {
        ReportJSON.Member($0.rawValue, $0 == .rejected ? rejected : .integer(self[$0]))
      }
  }

  /// The member for the records of the service, if it says how many it has.
  var matchedMembers: [ReportJSON.Member] {
    matched.map { [ReportJSON.Member("matched", .integer($0))] } ?? []
  }

  /// The member for repaired records, if there were any.
  var repairMembers: [ReportJSON.Member] {
    let counts = RecordRepair.allCases.compactMap { repair in
      repaired[repair].map { ReportJSON.Member(repair.rawValue, .integer($0)) }
    }
    return counts.isEmpty ? [] : [ReportJSON.Member("repaired", .object(counts))]
  }
}
