/// One thing that a verification found.
package struct ArchiveFinding: Hashable, Sendable {
  /// How much it matters.
  package enum Severity: String, Sendable {
    /// Some reader fails or shows something wrong.
    case error
    /// Readers cope, but Quadrille would not have written it.
    case warning
  }

  /// What it is about.
  package enum Topic: String, Sendable, CaseIterable {
    /// The file itself: missing, cut off, no SQLite file.
    case file
    /// The first 100 bytes.
    case header
    /// Files beside the archive that SQLite takes for a part of it.
    case companion
    /// SQLite's own check, or pages that cannot be read.
    case integrity
    /// Reading failed in the system, whatever the file holds.
    case reading
    /// Tables, views, columns, indexes.
    case schema
    /// Rows of the table `metadata`.
    case metadata
    /// Bounds and centre against the tiles.
    case bounds
    /// The set of zooms against the metadata, and its gaps.
    case zooms
    /// Rows that name tiles, and tiles without bytes.
    case tiles
    /// Images that are missing, unused, misnamed or double.
    case images
    /// Bytes that are no PNG of the right size.
    case png
    /// The fingerprints in the metadata.
    case hashes
    /// Counts against those of the build.
    case counts
    /// Grids of taps, their keys and what those stand for.
    case grids
    /// The conservation ledger.
    case ledger
  }

  package let severity: Severity
  package let topic: Topic

  /// A sentence that names the place.
  package let message: String
}

extension ArchiveFinding: CustomStringConvertible {
  package var description: String { "\(severity): \(topic): \(message)" }
}

/// Findings in the order in which they were made, the first ten of a topic in full.
struct FindingLog {
  /// Findings of one topic and severity that are kept.
  static let limit = 10

  private var kept: [ArchiveFinding] = []
  private var counts: [Kind: Int] = [:]

  private struct Kind: Hashable {
    let topic: ArchiveFinding.Topic
    let severity: ArchiveFinding.Severity
  }

  /// Notes what some reader fails on; the sentence is made only if it is kept.
  mutating func error(_ topic: ArchiveFinding.Topic, _ message: @autoclosure () -> String) {
    add(.error, topic, message)
  }

  /// Notes what readers cope with.
  mutating func warning(_ topic: ArchiveFinding.Topic, _ message: @autoclosure () -> String) {
    add(.warning, topic, message)
  }

  private mutating func add(
    _ severity: ArchiveFinding.Severity, _ topic: ArchiveFinding.Topic, _ message: () -> String
  ) {
    let kind = Kind(topic: topic, severity: severity)
    counts[kind, default: 0] += 1
    guard counts[kind, default: 0] <= Self.limit else { return }
    kept.append(ArchiveFinding(severity: severity, topic: topic, message: message()))
  }

  /// Whether anything of these topics is wrong.
  func hasErrors(in topics: [ArchiveFinding.Topic]) -> Bool {
    kept.contains { $0.severity == .error && topics.contains($0.topic) }
  }

  /// Appends what another log holds.
  mutating func append(_ other: FindingLog) {
    for finding in other.kept {
      let earlier = kept.count { $0.topic == finding.topic && $0.severity == finding.severity }
      if earlier < Self.limit { kept.append(finding) }
    }
    counts.merge(other.counts) { $0 + $1 }
  }

  /// All that were kept, and after them how many more there were of each topic.
  var findings: [ArchiveFinding] {
    var findings = kept
    for topic in ArchiveFinding.Topic.allCases {
      for severity in [ArchiveFinding.Severity.error, .warning] {
        let more = counts[Kind(topic: topic, severity: severity), default: 0] - Self.limit
        guard more > 0 else { continue }
        let message = "\(more) more of the same kind."
        findings.append(ArchiveFinding(severity: severity, topic: topic, message: message))
      }
    }
    return findings
  }
}
