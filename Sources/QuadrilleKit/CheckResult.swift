import Baking
import Definition
import Examination
import Ingest
import Runs
import SourceStages

/// The findings of a check in a pipeline and its data.
public struct CheckResult: Hashable, Sendable {
  /// Something that looks wrong in the data of a source.
  public struct Finding: Hashable, Sendable {
    /// The name of the source.
    public let source: String

    /// A word for the kind, such as `swappedCoordinates`.
    public let kind: String

    /// Whether records are lost or drawn in the wrong place; otherwise the data is usable, but may
    /// have another meaning than it seems.
    public let isProblem: Bool

    /// The problem and its remedy, as one sentence or a few.
    public let sentence: String

    /// The keys of the source that settle it, with their values as YAML: `delimiter: ";"`.
    public let settings: [String]

    /// The first lines of the file where it shows, at most three.
    public let lines: [Int]
  }

  /// A summary of the pipeline in one line.
  public let conclusion: String

  /// The records of each source that has some.
  public let sources: [SourceResult]

  /// The findings in the data, by source.
  public let findings: [Finding]

  /// Notes on keys and layers that have no effect, a sentence each.
  public let notes: [String]

  /// The error with which a build would end; `nil` if it would succeed.
  public let failure: QuadrilleError?

  init(_ summary: CheckSummary, hiding redactions: RedactionList) {
    conclusion = redactions.redact(summary.conclusion)
    let examined = summary.sources.compactMap { source in
      source.examination.map { (name: source.name, examination: $0) }
    }
    sources = examined.map { SourceResult(name: $0.name, $0.examination.ledger) }
    findings = examined.flatMap { name, examination in
      examination.findings.map { finding in
        Finding(
          source: name, kind: finding.kind.rawValue, isProblem: finding.severity == .problem,
          sentence: redactions.redact(finding.sentence), settings: finding.settings.map(\.yaml),
          lines: finding.samples.map(\.line))
      }
    }
    notes = (summary.notes.map(\.description) + summary.layerNotes).map { redactions.redact($0) }
    failure = summary.failure.map { QuadrilleError($0.redacted(by: redactions)) }
  }
}
