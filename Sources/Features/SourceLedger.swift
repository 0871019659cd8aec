/// The outcomes of all records of a source; none is dropped without being counted here.
///
/// Invariant: read = used + filtered + noGeometry + beyondMap + limited + rejected.
package struct SourceLedger: Hashable, Sendable {
  /// The number of rejected records of a reason that are kept as examples.
  package static let exampleLimit = 5

  /// A rejected record as an example.
  package struct Example: Hashable, Sendable {
    package var reason: RejectReason
    /// The file, if it is not the source's own: a log of edits or a joined table.
    package var file: String?
    /// The line in the file, from 1.
    package var line: Int
    /// The column in bytes, from 1; 0 if the whole record is meant.
    package var column: Int
    /// The problem, without the place and without control characters of the data.
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

  /// The number of records by repair, whatever their outcome.
  package var repaired: [RecordRepair: Int] = [:]

  /// The first record of some repairs, whose notes name it.
  package private(set) var firstRepaired: [RecordRepair: RecordPlace] = [:]

  /// The place of a record: its number among all that were read, from 1, and its line in the file.
  package struct RecordPlace: Hashable, Sendable {
    package let record: Int
    package let line: Int

    package init(record: Int, line: Int) {
      self.record = record
      self.line = line
    }
  }

  /// The number of records that two responses to a template url share; they are read once, so no
  /// other count includes the second.
  package var repeated = 0

  /// The number of records that a service has, according to its answers; `nil` if they do not
  /// tell.
  package var matched: Int?

  /// Whether an answer says that it lacks records.
  package var isCut = false

  /// The number of rejected records by reason.
  package private(set) var rejected: [RejectReason: Int] = [:]

  /// The number of rejected records whose reason is no longer known: an archive stores only their
  /// sum per source.
  package var rejectedUnexplained = 0

  /// The first rejected record of each reason, in the order of the file.
  package private(set) var examples: [Example] = []

  /// The effects of a log of edits, `nil` for a source without one. The counts above describe the
  /// edited source, as if a snapshot of it had been read.
  package var edits: EditCounts?

  /// The values of properties that a filter uses as numbers, of all records that were read.
  package var numbers: [QuantityRequest: QuantityCensus] = [:]

  /// The counts of each joined table, in the order of the joins.
  package var joins: [JoinCounts] = []
  /// The second to fifth rejected record of each reason, for more detail than a summary.
  package private(set) var furtherExamples: [Example] = []

  package init() {}

  /// Creates a ledger of counts alone.
  package init(rejected: [RejectReason: Int]) { self.rejected = rejected }

  /// Restores a ledger that counts only rejected records.
  package init(
    rejected: [RejectReason: Int], examples: [Example], furtherExamples: [Example]
  ) {
    self.rejected = rejected
    self.examples = examples
    self.furtherExamples = furtherExamples
  }

  /// The number of rejected records.
  package var rejectedTotal: Int { rejected.values.reduce(rejectedUnexplained, +) }

  /// The number of received records among those that ``matched`` counts.
  package var received: Int {
    read + repeated + (edits.map { $0.deleted - $0.inserted } ?? 0)
  }

  /// Whether the data says that it lacks records.
  package var isIncomplete: Bool { isCut || received < matched ?? 0 }

  /// Whether every record is accounted for.
  package var balances: Bool { read == RecordOutcome.allCases.reduce(0) { $0 + self[$1] } }

  /// The number of records with an outcome.
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

  /// Restores the counts of all outcomes but rejection, and of all repairs.
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

  /// Counts a repaired record.
  package mutating func repair(_ repair: RecordRepair) { repaired[repair, default: 0] += 1 }

  /// Counts a repaired record that a note may name.
  package mutating func repair(_ repair: RecordRepair, at place: RecordPlace) {
    self.repair(repair)
    firstRepaired[repair] = firstRepaired[repair] ?? place
  }

  /// Restores the first record of a repair.
  package mutating func restore(_ place: RecordPlace, of repair: RecordRepair) {
    firstRepaired[repair] = place
  }

  /// Counts a rejected record and keeps it as an example if it is among the first of its reason.
  ///
  /// - Parameter count: the number of records that are rejected like it.
  package mutating func reject(
    _ example: @autoclosure () -> Example, as reason: RejectReason, count: Int = 1
  ) {
    let before = rejected[reason, default: 0]
    rejected[reason] = before + count
    if before == 0 {
      examples.append(example())
    } else if before < Self.exampleLimit {
      furtherExamples.append(example())
    }
  }

  /// Returns the first rejected records of a reason, in the order of the file.
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
    firstRepaired.merge(other.firstRepaired) { first, _ in first }
    rejectedUnexplained += other.rejectedUnexplained
    repeated += other.repeated
    if let more = other.matched { matched = (matched ?? 0) &+ more }
    isCut = isCut || other.isCut
    var kept = [RejectReason: Int]()
    for example in examples + furtherExamples { kept[example.reason, default: 0] += 1 }
    for example in other.examples + other.furtherExamples {
      let count = kept[example.reason, default: 0]
      guard count < Self.exampleLimit else { continue }
      kept[example.reason] = count + 1
      if count == 0, rejected[example.reason] == nil {
        examples.append(example)
      } else {
        furtherExamples.append(example)
      }
    }
    rejected.merge(other.rejected, uniquingKeysWith: +)
    if let more = other.edits { edits = edits.map { $0.adding(more) } ?? more }
    joins += other.joins
  }

  /// Returns the ledger of a reader that continued in the same file, with the counts and examples
  /// of reading both parts as one.
  ///
  /// - Parameter later: the ledger of the second part, without edits and joins.
  /// - Complexity: O(examples · log examples).
  package func followed(by later: SourceLedger) -> SourceLedger {
    var both = self
    both.read += later.read
    both.used += later.used
    both.filtered += later.filtered
    both.noGeometry += later.noGeometry
    both.beyondMap += later.beyondMap
    both.limited += later.limited
    both.repeated += later.repeated
    both.matched = later.matched ?? matched
    both.isCut = isCut || later.isCut
    both.rejectedUnexplained += later.rejectedUnexplained
    both.repaired.merge(later.repaired, uniquingKeysWith: +)
    both.firstRepaired.merge(later.firstRepaired) { first, _ in first }
    // A reader rejects in the order of the file.
    let rejects = (later.examples + later.furtherExamples).sorted {
      ($0.line, $0.column) < ($1.line, $1.column)
    }
    for example in rejects { both.reject(example, as: example.reason) }
    both.rejected = rejected.merging(later.rejected, uniquingKeysWith: +)
    return both
  }

  /// Moves the lines of all examples, those of the reader's own file, by a number of lines.
  package mutating func moveLines(by lines: Int) { changeExamples { $0.line += lines } }

  /// Names the file of the examples without one, which come from the source's own file.
  package mutating func nameFile(_ file: String) { changeExamples { $0.file = $0.file ?? file } }

  /// Applies a function to the message of every example.
  package mutating func rewordExamples(_ reword: (String) -> String) {
    changeExamples { $0.message = reword($0.message) }
  }

  private mutating func changeExamples(_ change: (inout Example) -> Void) {
    for index in examples.indices { change(&examples[index]) }
    for index in furtherExamples.indices { change(&furtherExamples[index]) }
  }

  /// Sorts the examples in the order of the file, after two parts of it were counted separately;
  /// those of other files come last.
  package mutating func sortExamples() {
    examples.sort { ($0.file ?? "", $0.line, $0.column) < ($1.file ?? "", $1.line, $1.column) }
  }
}
