/// What became of every record of a source; nothing is dropped without a count here.
///
/// Invariant: read = used + filtered + noGeometry + beyondMap + limited + rejected.
package struct SourceLedger: Hashable, Sendable {
  /// How many rejected records of a reason are kept as examples.
  package static let exampleLimit = 5

  /// One rejected record as an example.
  package struct Example: Hashable, Sendable {
    package var reason: RejectReason
    /// The file, where it is not the source's own: a log of edits or a joined table.
    package var file: String?
    /// Line in the file, from 1.
    package var line: Int
    /// Column in bytes, from 1; 0 when the whole record is meant.
    package var column: Int
    /// What is wrong, without the place and without control characters of the data.
    package var message: String

    package init(
      reason: RejectReason, file: String? = nil, line: Int, column: Int, message: String
    ) {
      self.reason = reason
      self.file = file
      self.line = line
      self.column = column
      self.message = message.withoutControls
    }
  }

  package var read = 0
  package var used = 0
  package var filtered = 0
  package var noGeometry = 0
  package var beyondMap = 0
  package var limited = 0

  /// Records by what was put right while they were read, whatever became of them.
  package var repaired: [RecordRepair: Int] = [:]

  /// Records that two answers to a template url both had; they are read once, so no other count
  /// has the second.
  package var repeated = 0

  /// Rejected records by reason.
  package private(set) var rejected: [RejectReason: Int] = [:]

  /// Rejected records of which nobody knows the reason any more: what an archive says of its sources
  /// has only their sum.
  package var rejectedUnexplained = 0

  /// The first rejected record of each reason, in the order of the file.
  package private(set) var examples: [Example] = []

  /// What a log of edits did, `nil` for a source without one. The counts above are those of the
  /// edited source, as if a snapshot of it had been read.
  package var edits: EditCounts?

  /// What each joined table gave, in the order of the joins.
  package var joins: [JoinCounts] = []
  /// The second to fifth rejected record of each reason, for who looks closer than a summary.
  package private(set) var furtherExamples: [Example] = []

  package init() {}

  /// A ledger of counts alone.
  package init(rejected: [RejectReason: Int]) { self.rejected = rejected }

  /// A ledger without counts but those of rejected records, as they were set aside.
  package init(
    rejected: [RejectReason: Int], examples: [Example], furtherExamples: [Example]
  ) {
    self.rejected = rejected
    self.examples = examples
    self.furtherExamples = furtherExamples
  }

  /// All rejected records.
  package var rejectedTotal: Int { rejected.values.reduce(rejectedUnexplained, +) }

  /// Whether every record is accounted for.
  package var balances: Bool { read == RecordOutcome.allCases.reduce(0) { $0 + self[$1] } }

  /// The records of an outcome.
  package subscript(outcome: RecordOutcome) -> Int {
    switch outcome {
    case .used: used
    case .filtered: filtered
    case .noGeometry: noGeometry
    case .beyondMap: beyondMap
    case .limited: limited
    case .rejected: rejectedTotal
    }
  }

  /// Takes the counts of all outcomes but that of rejected records, and of all repairs, from
  /// wherever they were kept.
  package mutating func restore(
    counts: (RecordOutcome) -> Int, repairs: (RecordRepair) -> Int
  ) {
    used = counts(.used)
    filtered = counts(.filtered)
    noGeometry = counts(.noGeometry)
    beyondMap = counts(.beyondMap)
    limited = counts(.limited)
    repaired = [:]
    for repair in RecordRepair.allCases where repairs(repair) > 0 {
      repaired[repair] = repairs(repair)
    }
  }

  /// Counts a record that was put right.
  package mutating func repair(_ repair: RecordRepair) { repaired[repair, default: 0] += 1 }

  /// Counts a rejected record and keeps it as the example if it is the first of its reason.
  package mutating func reject(_ example: @autoclosure () -> Example, as reason: RejectReason) {
    let before = rejected[reason, default: 0]
    rejected[reason] = before + 1
    if before == 0 {
      examples.append(example())
    } else if before < Self.exampleLimit {
      furtherExamples.append(example())
    }
  }

  /// The first rejected records of a reason, in the order of the file.
  package func examples(of reason: RejectReason, limit: Int = 3) -> [Example] {
    let all = (examples + furtherExamples).filter { $0.reason == reason }
    return Array(all.sorted { ($0.line, $0.column) < ($1.line, $1.column) }.prefix(limit))
  }

  /// Adds the counts of another part of the same source.
  package mutating func add(_ other: SourceLedger) {
    read += other.read
    used += other.used
    filtered += other.filtered
    noGeometry += other.noGeometry
    beyondMap += other.beyondMap
    limited += other.limited
    repaired.merge(other.repaired, uniquingKeysWith: +)
    rejectedUnexplained += other.rejectedUnexplained
    repeated += other.repeated
    for example in other.examples {
      if rejected[example.reason] == nil {
        examples.append(example)
      } else {
        furtherExamples.append(example)
      }
    }
    furtherExamples += other.furtherExamples
    rejected.merge(other.rejected, uniquingKeysWith: +)
    if let more = other.edits { edits = edits.map { $0.adding(more) } ?? more }
    joins += other.joins
  }

  /// Says of all examples that they stand in this file and not in the source's own.
  package mutating func nameFile(_ file: String) {
    for index in examples.indices where examples[index].file == nil { examples[index].file = file }
    for index in furtherExamples.indices where furtherExamples[index].file == nil {
      furtherExamples[index].file = file
    }
  }

  /// Passes the message of every example through a function.
  package mutating func rewordExamples(_ reword: (String) -> String) {
    for index in examples.indices { examples[index].message = reword(examples[index].message) }
    for index in furtherExamples.indices {
      furtherExamples[index].message = reword(furtherExamples[index].message)
    }
  }

  /// Puts the examples into the order of the file, after two parts of it were counted apart; those
  /// of other files come behind.
  package mutating func sortExamples() {
    examples.sort { ($0.file ?? "", $0.line, $0.column) < ($1.file ?? "", $1.line, $1.column) }
  }
}
