import Features

// The encoding of a source's ledger as columns of its records' artifact.
extension ArtifactWriter {
  mutating func append(_ ledger: SourceLedger) {
    append([ledger.read, ledger.repeated, ledger.matched ?? -1, ledger.isCut ? 1 : 0])
    append(Column(RecordOutcome.allCases.lazy.map { ledger[$0] }))
    append(Column(RecordRepair.allCases.lazy.map { ledger.repaired[$0] ?? 0 }))
    append(Column(RecordRepair.allCases.lazy.map { ledger.firstRepaired[$0]?.record ?? 0 }))
    append(Column(RecordRepair.allCases.lazy.map { ledger.firstRepaired[$0]?.line ?? 0 }))
    append(Column(RejectReason.allCases.lazy.map { ledger.rejected[$0] ?? -1 }))
    append(ledger.examples)
    append(ledger.furtherExamples)
    append(ledger.edits.map { [$0.edited, $0.deleted, $0.inserted, $0.dangling] } ?? [])
    append(notes: [ledger.edits?.firstDangling])
    append(texts: ledger.joins.map(\.file))
    for join in ledger.joins {
      append([join.matched, join.missing, join.unused, join.repeated])
      append(notes: [join.firstMissing, join.firstUnused, join.firstRepeated])
    }
    append(ledger.numbers)
  }

  private mutating func append(_ numbers: [QuantityRequest: QuantityCensus]) {
    let requests = numbers.keys.sorted()
    let censuses = requests.compactMap { numbers[$0] }
    append(texts: requests.map(\.name))
    append(Column(requests.lazy.map { Int($0.use.rawValue) }))
    append(Column(censuses.lazy.map(\.values)))
    append(Column(censuses.lazy.map(\.texts)))
    append(Column(censuses.lazy.map { $0.hasDecimalComma ? 1 : 0 }))
    append(Column(censuses.lazy.map(\.untimed)))
    append(Column(censuses.lazy.map(\.written)))
    append(Column(censuses.lazy.map(\.dayFirst)))
    append(Column(censuses.lazy.map(\.monthFirst)))
    append(notes: censuses.map(\.first))
    append(notes: censuses.map(\.firstUntimed))
  }

  private mutating func append(_ examples: [SourceLedger.Example]) {
    append(texts: examples.map(\.reason.rawValue))
    append(texts: examples.map(\.file))
    append(texts: examples.map(\.message))
    append(Column(examples.lazy.map(\.line)))
    append(Column(examples.lazy.map(\.column)))
  }
}

extension ArtifactReader {
  /// Reads a ledger.
  mutating func ledger() throws(ArtifactDamage) -> SourceLedger {
    let counts = try numbers(4)
    let outcomes = Dictionary(
      zip(RecordOutcome.allCases, try numbers(RecordOutcome.allCases.count)),
      uniquingKeysWith: { $1 })
    let repairs = Dictionary(
      zip(RecordRepair.allCases, try numbers(RecordRepair.allCases.count)),
      uniquingKeysWith: { $1 })
    let firstRecords = try numbers(RecordRepair.allCases.count)
    let firstLines = try numbers(RecordRepair.allCases.count)
    let rejections = try numbers(RejectReason.allCases.count)
    let rejected = Dictionary(
      zip(RejectReason.allCases, rejections).filter { $0.1 >= 0 }, uniquingKeysWith: { $1 })
    var ledger = SourceLedger(
      rejected: rejected, examples: try examples(), furtherExamples: try examples())
    ledger.read = counts[0]
    ledger.repeated = counts[1]
    ledger.matched = counts[2] >= 0 ? counts[2] : nil
    ledger.isCut = counts[3] != 0
    ledger.restore(counts: { outcomes[$0] ?? 0 }, repairs: { repairs[$0] ?? 0 })
    for (index, repair) in RecordRepair.allCases.enumerated() where firstRecords[index] > 0 {
      ledger.restore(
        SourceLedger.RecordPlace(record: firstRecords[index], line: firstLines[index]), of: repair)
    }
    ledger.edits = try edits()
    for file in try texts() {
      guard let file else { throw ArtifactDamage("a join has no file") }
      ledger.joins.append(try join(of: file))
    }
    ledger.numbers = try numberCensuses()
    return ledger
  }

  private mutating func numberCensuses() throws(ArtifactDamage) -> [QuantityRequest: QuantityCensus]
  {
    let names = try texts()
    let uses = try numbers(names.count)
    let values = try numbers(names.count)
    let textCounts = try numbers(names.count)
    let commas = try numbers(names.count)
    let untimed = try numbers(names.count)
    let written = try numbers(names.count)
    let dayFirst = try numbers(names.count)
    let monthFirst = try numbers(names.count)
    let first = try notes()
    let firstUntimed = try notes()
    guard first.count == names.count, firstUntimed.count == names.count else {
      throw ArtifactDamage("values of numbers do not fit together")
    }
    var found: [QuantityRequest: QuantityCensus] = [:]
    for index in names.indices {
      guard let name = names[index],
        let use = UInt8(exactly: uses[index]).flatMap(QuantityUse.init(rawValue:))
      else { throw ArtifactDamage("a use of numbers is unknown") }
      var census = QuantityCensus(
        values: values[index], texts: textCounts[index], first: first[index],
        hasDecimalComma: commas[index] != 0)
      census.untimed = untimed[index]
      census.firstUntimed = firstUntimed[index]
      (census.written, census.dayFirst) = (written[index], dayFirst[index])
      census.monthFirst = monthFirst[index]
      found[QuantityRequest(name, use)] = census
    }
    return found
  }

  private mutating func examples() throws(ArtifactDamage) -> [SourceLedger.Example] {
    let reasons = try texts().map { $0.flatMap(RejectReason.init(rawValue:)) }
    let files = try texts()
    let messages = try texts()
    let lines = try numbers(reasons.count)
    let columns = try numbers(reasons.count)
    guard files.count == reasons.count, messages.count == reasons.count else {
      throw ArtifactDamage("examples do not fit together")
    }
    var examples: [SourceLedger.Example] = []
    for index in reasons.indices {
      guard let reason = reasons[index], let message = messages[index] else {
        throw ArtifactDamage("an example has no reason")
      }
      examples.append(
        SourceLedger.Example(
          reason: reason, file: files[index], line: lines[index], column: columns[index],
          message: message))
    }
    return examples
  }

  private mutating func edits() throws(ArtifactDamage) -> EditCounts? {
    let counts = try column(of: Int.self)
    let note = try notes()
    guard !counts.isEmpty else { return nil }
    guard counts.count == 4, note.count == 1 else { throw ArtifactDamage("edits are not four") }
    var edits = EditCounts()
    edits.edited = counts[0]
    edits.deleted = counts[1]
    edits.inserted = counts[2]
    edits.dangling = counts[3]
    edits.firstDangling = note[0]
    return edits
  }

  private mutating func join(of file: String) throws(ArtifactDamage) -> JoinCounts {
    let counts = try numbers(4)
    let notes = try notes()
    guard notes.count == 3 else { throw ArtifactDamage("a join has not three notes") }
    var join = JoinCounts(file: file)
    join.matched = counts[0]
    join.missing = counts[1]
    join.unused = counts[2]
    join.repeated = counts[3]
    join.firstMissing = notes[0]
    join.firstUnused = notes[1]
    join.firstRepeated = notes[2]
    return join
  }

  /// Reads a column of a given number of integers.
  private mutating func numbers(_ count: Int) throws(ArtifactDamage) -> Column<Int> {
    let numbers = try column(of: Int.self)
    guard numbers.count == count else { throw ArtifactDamage("\(numbers.count) numbers") }
    return numbers
  }
}
