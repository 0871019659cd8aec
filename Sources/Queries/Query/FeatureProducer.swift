import Baking
import Definition
import Expressions
import Features
import Inputs
import SourceStages

/// A producer of the features of a result in their order. Iterating again gives the same ones.
protocol FeatureProducer {
  /// Passes every feature to `visit`; a view is valid until `visit` returns.
  func forEach(_ visit: (RecordView) throws -> Void) throws
}

/// A producer of the records of a query's sources as a stream: in the order of the sources in the
/// pipeline file, then of the records in theirs.
final class StreamedRecords: FeatureProducer {
  let sources: [QuerySource]
  private let options: QueryOptions
  private let conditions: [WhereClause]
  /// A function that receives the number of bytes of all sources read so far.
  private let advance: (Int) throws -> Void
  /// The places of records that this query and others have found; `nil` where they play no part.
  private let memory: PlaceMemory?
  /// The detectors of repeated ids, by source; made once for each source that is read as a whole.
  private var repetitions: [Int: RepeatedIdentifiers?] = [:]

  /// The choice of each source's properties, known once it was read.
  private(set) var choices: [PropertyChoice]

  /// The names of each source's columns, as far as it was read.
  private(set) var names: [[String]]

  /// The names of properties in the conditions that no record of any source has; empty where a
  /// source was not read to its end, so that this is unknown.
  private(set) var unknownNames: [String] = []

  /// The outcomes of each source's records in the last pass; `nil` where it was not read.
  private(set) var ledgers: [SourceLedger?]

  /// The values of the properties that conditions use as numbers, by source, in the last pass.
  private(set) var numbers: [[QuantityRequest: QuantityCensus]]

  /// - Parameter conditions: the conditions of `--where` and `--filter`.
  init(
    _ sources: [QuerySource], _ options: QueryOptions, conditions: [WhereClause],
    memory: PlaceMemory? = nil, advance: @escaping (Int) throws -> Void
  ) {
    self.sources = sources
    self.options = options
    self.conditions = conditions
    self.memory = memory
    self.advance = advance
    choices = sources.map { _ in PropertyChoice() }
    names = sources.map { _ in [] }
    ledgers = sources.map { _ in nil }
    numbers = sources.map { _ in [:] }
  }

  func forEach(_ visit: (RecordView) throws -> Void) throws {
    let plans = try sources.map { try plan(of: $0) }
    for (number, plan) in plans.enumerated()
    where plan.guide == nil && repetitions[number] == nil {
      repetitions[number] = .some(try findRepetitions(in: sources[number]))
    }
    var request = ReadRequest()
    request.bounds = options.bounds
    request.conditions = conditions
    var unknown = Set(sought)
    unknownNames = []
    var readSources = 0
    var left = options.order.isEmpty ? options.limit ?? .max : .max
    var done = 0
    for (number, source) in sources.enumerated() where left > 0 {
      let plan = plans[number]
      let recorder =
        plan.guide == nil
        ? memory?.recorder(for: source, plan.request, counting: plan.counted) : nil
      let scan = try RecordScan(
        source, number: number, select: options.select, wanted: plan.request.wanted,
        sought: sought, counted: plan.counted, request: request, guide: plan.guide,
        recorder: recorder, repetitions: plan.guide == nil ? repetitions[number] ?? nil : nil)
      if sources.count == 1, let select = options.select { try scan.requireSelected(select) }
      let selection = try RecordSelection(scan, options, conditions: conditions)
      choices[number] = scan.view.choice
      do {
        try scan.run(advance: { try advance(done + $0) }) {
          guard selection.takes() else { return true }
          try visit(scan.view)
          left -= 1
          return left > 0
        }
      } catch {
        if plan.guide != nil { memory?.forget(source, plan.request) }
        throw error
      }
      if let recorder { memory?.keep(recorder, of: source, plan.request, after: scan) }
      names[number] = scan.propertyNames
      ledgers[number] = scan.totals
      numbers[number] = scan.numbers
      done += scan.bytesRead
      unknown.formIntersection(scan.unseen)
      readSources += scan.knowsAll ? 1 : 0
    }
    guard readSources == sources.count else { return }
    unknownNames = sought.filter { unknown.contains($0) && !isColumn($0) }
  }

  /// The way in which a source is read.
  private struct Plan {
    var request = ReadRequest()
    var counted: [QuantityRequest] = []
    /// The records that are read; `nil` for all.
    var guide: PlaceGuide?
  }

  private func plan(of source: QuerySource) throws -> Plan {
    var plan = Plan()
    plan.request.wanted = try wanted(from: source)
    plan.counted =
      (try source.definition.filters() + conditions.map(\.filter)).quantityRequests
    plan.guide = memory?.guide(to: source, plan.request, counting: plan.counted)
    return plan
  }

  /// Whether a source has a column that it returns only on request: the primary key of a
  /// GeoPackage.
  private func isColumn(_ name: String) -> Bool {
    sources.contains { source in
      guard source.canBeReadAgain, let reader = try? source.open(wanted: [name], ReadRequest()),
        reader.hasSchema
      else { return false }
      return reader.propertyNames.contains(name)
    }
  }

  /// The names that the conditions read, each once. Properties that a filter tests with `has`, or
  /// replaces with `coalesce`, may be missing.
  private lazy var sought: [String] = {
    let guarded = options.guardedNames
    var names: [String] = []
    for name in conditions.flatMap(\.filter.propertyNames)
    where !guarded.contains(name) && !names.contains(name) { names.append(name) }
    return names
  }()

  /// Returns the properties of the sources, as far as their columns or first records show them: to
  /// find the intended name for a wrong one.
  func likelyNames() -> [String] {
    sources.filter(\.canBeReadAgain).flatMap { source -> [String] in
      guard var reader = try? source.open(wanted: nil, ReadRequest()) else { return [] }
      var batch = FeatureBatch()
      _ = try? reader.read(into: &batch)
      return reader.propertyNames
    }
  }

  private func findRepetitions(in source: QuerySource) throws -> RepeatedIdentifiers? {
    try RepeatedIdentifiers(of: source, advance: { _ in try advance(0) })
  }

  /// Returns the properties that are read: all where the features' contents determine their keys or
  /// all are written.
  private func wanted(from source: QuerySource) throws -> [String]? {
    let records = source.records
    let filters = try source.definition.filters() + conditions.map(\.filter)
    let written = options.countsOnly ? [] : options.select ?? records.select
    guard !options.needsKeys, let written, !filters.contains(where: \.usesAllProperties) else {
      return nil
    }
    let all = [
      written, filters.flatMap(\.propertyNames), options.order.map(\.property),
      records.select ?? [], records.id.map { [$0] } ?? [],
    ]
    var names: [String] = []
    for name in all.joined() where !names.contains(name) { names.append(name) }
    return names
  }
}

/// A producer of records in the order of some of their properties, or stored in their own.
final class SortedRecords: FeatureProducer {
  private let sorter: RecordSorter
  private let names: [[String]]
  private let choices: [PropertyChoice]

  /// Creates the producer by iterating over the records once.
  ///
  /// - Complexity: O(records · log records), in the memory of the sorter's budget.
  init(_ records: StreamedRecords, by rules: [SortRule], into sorter: RecordSorter) throws {
    self.sorter = sorter
    var key = SortKey(rules)
    var stored = StoredRecord()
    var number: UInt64 = 0
    try records.forEach { view in
      key.make(view, number: number)
      number += 1
      guard sorter.wants(key.bytes) else { return }
      stored.store(view)
      try sorter.add(key: key.bytes, record: stored.bytes)
    }
    names = records.names
    choices = records.choices
  }

  func forEach(_ visit: (RecordView) throws -> Void) throws {
    var reader = StoredRecordReader(names: names)
    let views = choices.enumerated().map { RecordView(source: $0, choice: $1) }
    try sorter.forEach { bytes in
      try reader.read(bytes)
      let view = views[reader.source]
      view.look(at: reader.batch)
      view.key = reader.key
      try visit(view)
      view.release()
    }
  }
}
