import Features
import MBTiles
import Reports
package import Runs

/// The metrics of a run in the format that the textfile collector of Prometheus' node_exporter
/// reads.
///
/// Samples that describe the archive in place are kept from the last file where this run has no
/// newer ones, for example after a failure. If nothing changed, they are taken from the archive's
/// report or from the archive.
package struct RunMetrics {
  private let outcomes: [PipelineOutcome]
  /// The end of the run in seconds since 1970.
  private let time: Double
  private let last: LastMetrics
  /// Secrets that labels must not contain.
  private let redactions: RedactionList

  /// - Parameters:
  ///   - last: the text of the last file; a damaged file or another format counts as empty.
  ///   - time: the end of the run in seconds since 1970.
  package init(
    _ outcomes: [PipelineOutcome], last: String, time: Double,
    redactions: RedactionList = RedactionList()
  ) {
    self.redactions = redactions
    self.last = LastMetrics(last)
    self.time = time
    self.outcomes = outcomes
  }

  /// The file: families in a fixed order, within each the pipelines in theirs.
  package var text: String {
    let pipelines = zip(names, outcomes).map { name, outcome in
      (name: name, outcome: outcome, samples: samples(of: outcome, named: name))
    }
    return MetricFamily.allCases.map { family in
      let lines = pipelines.map { pipeline in
        let fresh = pipeline.samples.filter { $0.family == family }
        // A run without rejected records has no samples of them, but the last file may have some.
        if family == .rejected, pipeline.samples.contains(where: { $0.family == .records }) {
          return fresh.map(\.line)
        }
        return fresh.map(\.line) + kept(family, pipeline.name, pipeline.outcome, besides: fresh)
      }
      return lines.allSatisfy(\.isEmpty) ? "" : family.head + lines.joined().joined()
    }.joined()
  }

  /// Returns the lines of the last file that are still valid: all where the run has none, otherwise
  /// those of archives that the run left as they were.
  private func kept(
    _ family: MetricFamily, _ name: String, _ outcome: PipelineOutcome,
    besides fresh: [MetricSample]
  ) -> [String] {
    guard family.isKept || outcome.exitCode == nil else { return [] }
    let lines = last.lines(of: family, pipeline: name)
    guard !fresh.isEmpty else { return lines }
    let told = Set(fresh.compactMap { $0["archive"] })
    let left = outcome.reports.map { redactions.redact($0.archive.path) }
      .filter { !told.contains($0) }
      .map { ",archive=\"\(MetricSample.escaped($0))\"" }
    return lines.filter { line in left.contains { line.contains($0) } }
  }

  /// The label of each pipeline: its name, if it is known, with its file if another one has the
  /// same name.
  private var names: [String] {
    var seen: Set<String> = []
    return outcomes.map { outcome in
      let file = redactions.redact(outcome.file)
      let name = outcome.name.map(redactions.redact) ?? last.name(ofFile: file) ?? file
      var label = name
      // One file may be named more than twice.
      while !seen.insert(label).inserted { label += " (\(file))" }
      return label
    }
  }

  /// Returns the samples of this run for a pipeline; empty for a pipeline that it did not reach.
  private func samples(of outcome: PipelineOutcome, named name: String) -> [MetricSample] {
    guard let exitCode = outcome.exitCode else { return [] }
    // An archive that was left to another run does not count as a success of this one.
    let isDone = exitCode == 0 && outcome.reports.contains { $0.result != .skipped }
    let isUnchanged =
      !outcome.reports.isEmpty && outcome.reports.allSatisfy { $0.result == .unchanged }
    let notes = Set(outcome.reports.flatMap(\.notes)).count
    let memory = outcome.reports.reduce(outcome.stages.peakMemory) { $0.maximum($1.memory) }
    var samples: [MetricSample] = [
      .init(.lastRun, ["pipeline": name], time),
      .init(.exitCode, ["pipeline": name], Double(exitCode)),
      .init(
        .stalled, ["pipeline": name], exitCode == FailureCode.stalled.exitStatus ? 1 : 0),
      .init(.duration, ["pipeline": name], outcome.seconds),
      .init(.unchanged, ["pipeline": name], isUnchanged ? 1 : 0),
      .init(.notes, ["pipeline": name], Double(notes)),
      .init(.memory, ["pipeline": name, "kind": "anonymous"], Double(memory.anonymous)),
      .init(.memory, ["pipeline": name, "kind": "mapped"], Double(memory.mapped)),
    ]
    samples += outcome.stages.map {
      .init(.stage, ["pipeline": name, "stage": $0.name], $0.seconds)
    }
    if isDone {
      samples.append(.init(.lastSuccess, ["pipeline": name], time))
    } else if last.lines(of: .lastSuccess, pipeline: name).isEmpty {
      samples.append(.init(.lastSuccess, ["pipeline": name], 0))
    }
    samples += records(of: outcome, named: name)
    for report in outcome.reports { samples += archive(of: report, outcome, named: name) }
    return samples
  }

  /// Returns the outcomes of the records; every density and every series reads the same ones.
  private func records(of outcome: PipelineOutcome, named name: String) -> [MetricSample] {
    var seen: Set<String> = []
    let sources = outcome.reports.flatMap {
      $0.sources.isEmpty ? $0.standing?.sources ?? [] : $0.sources
    }
    return sources.flatMap { source -> [MetricSample] in
      guard source.image == nil, seen.insert(source.name).inserted else { return [] }
      let ledger = source.ledger
      let outcomes = RecordOutcome.allCases.map { outcome in
        MetricSample(
          .records,
          ["pipeline": name, "source": redactions.redact(source.name), "outcome": outcome.label],
          Double(ledger[outcome]))
      }
      let reasons = RejectReason.allCases.compactMap { reason in
        ledger.rejected[reason].map {
          MetricSample(
            .rejected,
            [
              "pipeline": name, "source": redactions.redact(source.name), "reason": reason.rawValue,
            ],
            Double($0))
        }
      }
      return outcomes + reasons
    }
  }

  /// Returns the samples of a report's archive; empty if that was left to another run.
  private func archive(
    of report: BuildReport, _ outcome: PipelineOutcome, named name: String
  ) -> [MetricSample] {
    guard report.result != .skipped else { return [] }
    let path = redactions.redact(report.archive.path)
    var samples: [MetricSample] = [
      .init(.archiveBytes, ["pipeline": name, "archive": path], Double(report.archive.bytes)),
      .init(
        .info,
        [
          "pipeline": name, "file": redactions.redact(outcome.file), "archive": path,
          "digest": report.archive.digest, "version": PipelineVersion.current,
        ], 1),
    ]
    if let changes = report.changes {
      let kinds: KeyValuePairs<String, Int> = [
        "added": changes.added, "changed": changes.changed, "removed": changes.removed,
      ]
      samples += kinds.map { kind, count in
        .init(.changed, ["pipeline": name, "archive": path, "change": kind], Double(count))
      }
    }
    switch report.making {
    case .whole(let reason)?:
      samples.append(
        .init(.whole, ["pipeline": name, "archive": path, "reason": reason.rawValue], 1))
    case .copied?:
      samples.append(.init(.whole, ["pipeline": name, "archive": path, "reason": "none"], 0))
    case nil: break
    }
    samples += report.anew.map {
      .init(.anew, ["pipeline": name, "archive": path, "reason": $0.rawValue], 1)
    }
    let tiles = report.tiles == TileReport() ? report.standing?.tiles ?? report.tiles : report.tiles
    guard tiles != TileReport() else { return samples }
    let kinds: KeyValuePairs<String, Int> = [
      "planned": tiles.planned, "rendered": tiles.rendered, "reused": tiles.reused,
      "distinct": tiles.distinct,
    ]
    samples += kinds.map { kind, count in
      .init(.tiles, ["pipeline": name, "archive": path, "kind": kind], Double(count))
    }
    return samples
  }
}

/// The file of metrics of the last run, as far as the next one needs it: lines in this program's
/// own format.
struct LastMetrics {
  private let lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n").filter { $0.hasPrefix("quadrille_") }
  }

  /// Returns the lines of a family and a pipeline, each with its line feed.
  func lines(of family: MetricFamily, pipeline: String) -> [String] {
    let start = MetricSample.start(family, pipeline: pipeline)
    var seen: Set<Substring> = []
    return lines.filter { line in
      guard line.hasPrefix(start), let next = line.dropFirst(start.count).first,
        next == "," || next == "}", let end = line.lastIndex(of: "}"),
        let value = Double(line[line.index(after: end)...].drop { $0 == " " }), value.isFinite
      else { return false }
      // Two samples of the same labels would make the whole file invalid.
      return seen.insert(line[...end]).inserted
    }.map { "\($0)\n" }
  }

  /// Returns the name that the pipeline of a file had.
  func name(ofFile file: String) -> String? {
    let start = "\(MetricFamily.info.rawValue){pipeline=\""
    let mark = "\",file=\"\(MetricSample.escaped(file))\","
    for line in lines where line.hasPrefix(start) {
      guard let range = line.firstRange(of: mark) else { continue }
      return MetricSample.unescaped(
        line[line.index(line.startIndex, offsetBy: start.count)..<range.lowerBound])
    }
    return nil
  }
}
