import Baking
import Examination
import Features
import Ingest
package import JSON
import Reports
import Runs
package import SourceStages
import Tiling

extension CheckSummary {
  /// Returns the findings as JSON: the keys and their order are part of the command line's
  /// interface.
  ///
  /// - Parameter file: the path of the pipeline as the user entered it.
  package func json(file: String) -> ReportJSON {
    var members: [ReportJSON.Member] = [
      .init("file", .string(file)), .init("pipeline", .string(pipeline)),
      .init("result", .string(failure == nil ? "good" : "refused")),
    ]
    if let failure { members.append(.init("error", .string(failure.description))) }
    members += [
      .init("notes", .array(layerNotes.map { .string($0) })),
      .init("sources", .array(sources.map(\.json))),
    ]
    return .object(members)
  }
}

extension CheckedSource {
  fileprivate var json: ReportJSON {
    var members: [ReportJSON.Member] = [
      .init("name", .string(name)), .init("type", .string(type)),
      .init("file", .string(file)),
    ]
    if let frames { members.append(.init("frames", .integer(frames))) }
    if let examination { members += examination.members(file: file) }
    return .object(members)
  }
}

extension SourceExamination {
  fileprivate func members(file: String) -> [ReportJSON.Member] {
    var members: [ReportJSON.Member] = [
      .init("bytes", .integer(bytes)), .init("records", ledger.json),
    ]
    if let failure { members.append(.init("error", .string(failure.description))) }
    members += [
      .init(
        "geometries",
        .object(
          GeometryColumn.Kind.named.compactMap { kind, name in
            let count = shapes.count(of: kind)
            return count > 0 ? .init(name, .integer(count)) : nil
          })),
      .init("positions", coordinates.json),
      .init("columns", .array(columns.map(\.json))),
      .init("findings", .array(findings.map { $0.json(file: file) })),
    ]
    return members
  }
}

extension CoordinateProfile {
  fileprivate var json: ReportJSON {
    .members([
      "count": .integer(count),
      "bounds": count == 0
        ? .null : .array([box.minX, box.minY, box.maxX, box.maxY].map(ReportJSON.number)),
      "coincident": .integer(coincident), "beyondLongitude": .integer(beyondLongitude.count),
      "beyondMap": .integer(beyondMap.count), "beyondPoles": .integer(beyondPoles.count),
      "atZero": .integer(atZero), "nearZero": .integer(nearZero.count), "whole": .integer(whole),
    ])
  }
}

extension ColumnProfile {
  fileprivate var json: ReportJSON {
    .members([
      "name": .string(name), "numbers": .integer(numbers), "texts": .integer(texts),
      "booleans": .integer(booleans), "nested": .integer(nested), "nulls": .integer(nulls),
      "distinct": .integer(distinct.count), "isEstimate": .bool(!distinct.isExact),
      "least": numbers > 0 ? .number(minimum) : .null,
      "most": numbers > 0 ? .number(maximum) : .null, "longestText": .integer(longestText),
      "first": .string(firstValue),
    ])
  }
}

extension Finding {
  fileprivate func json(file: String) -> ReportJSON {
    .members([
      "kind": .string(kind.rawValue), "severity": .string(severity.rawValue),
      "message": .string(message), "count": .integer(count),
      "samples": .array(
        samples.map { sample in
          let file = sample.file.map { [ReportJSON.Member("file", .string($0))] } ?? []
          return .object(
            file + [
              .init("line", .integer(sample.line)), .init("column", .integer(sample.column)),
              .init("text", .string(sample.text)),
            ])
        }),
      "set": .array(settings.map { .string($0.yaml) }), "advice": .string(advice),
    ])
  }
}
