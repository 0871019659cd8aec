/// A finding of a verification.
package struct ArchiveFinding: Hashable, Sendable {
  /// The severity of a finding.
  package enum Severity: String, Sendable {
    /// A reader fails or shows something wrong.
    case error
    /// Readers cope, but Quadrille would not have written it.
    case warning
  }

  /// The subject of a finding.
  package enum Topic: String, Sendable, CaseIterable {
    /// The file itself: missing, truncated, not a SQLite file.
    case file
    /// The first 100 bytes.
    case header
    /// Files beside the archive that SQLite takes for part of it.
    case companion
    /// SQLite's own check, or pages that cannot be read.
    case integrity
    /// A system call failed while reading, whatever the file contains.
    case reading
    /// Tables, views, columns, indexes.
    case schema
    /// Rows of the table `metadata`.
    case metadata
    /// Bounds and centre compared with the tiles.
    case bounds
    /// The set of zooms compared with the metadata, and its gaps.
    case zooms
    /// Rows that name tiles, and tiles without bytes.
    case tiles
    /// Images that are missing, unused, misnamed or duplicate.
    case images
    /// Bytes that are no picture of the right size and format.
    case picture
    /// The fingerprints in the metadata.
    case hashes
    /// Counts compared with those of the build.
    case counts
    /// UTFGrids, their keys and the data of these.
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

/// The findings in the order in which they were made; the first ten of a topic are kept in full.
package struct FindingLog {
  /// The number of findings of one topic and severity that are kept.
  static let limit = 10

  private var kept: [ArchiveFinding] = []
  private var counts: [Kind: Int] = [:]

  private struct Kind: Hashable {
    let topic: ArchiveFinding.Topic
    let severity: ArchiveFinding.Severity
  }

  /// Adds an error, on which some reader fails; the sentence is only built if it is kept.
  mutating func error(_ topic: ArchiveFinding.Topic, _ message: @autoclosure () -> String) {
    add(.error, topic, message)
  }

  /// Adds a warning, with which readers cope.
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

  /// Whether there are errors on any of these topics.
  func hasErrors(in topics: [ArchiveFinding.Topic]) -> Bool {
    kept.contains { $0.severity == .error && topics.contains($0.topic) }
  }

  /// Appends the findings of another log.
  mutating func append(_ other: FindingLog) {
    for finding in other.kept {
      let earlier = kept.count { $0.topic == finding.topic && $0.severity == finding.severity }
      if earlier < Self.limit { kept.append(finding) }
    }
    counts.merge(other.counts) { $0 + $1 }
  }

  /// All findings that were kept, followed by the number of further ones per topic.
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
