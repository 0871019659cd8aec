import Baking
import Calendar
import Definition
import Features
package import Inputs
import OrderedCollections
import Platform
package import Reuse
package import Runs
import SourceStages
import SystemPackage
import Tiling

/// A query for records or clusters of a pipeline in one of the forms of ``QueryFormat``.
///
/// Records stream from their files to the output: memory is bounded by a batch, by the sorting
/// budget (``RecordSorter/defaultBudget``), by 25 bytes for each record where a query for a box
/// records places (``PlaceMemory``) and, where features need a key or ids are compared, by a hash
/// for each record. Forms that begin with a list of columns read the sources twice. Clusters are made
/// as in a build, so their points are in memory.
package struct FeatureQuery {
  let pipeline: ResolvedPipeline
  let context: RunContext
  let options: QueryOptions

  package init(_ pipeline: ResolvedPipeline, context: RunContext, options: QueryOptions) {
    var options = options
    options.bounds = options.bounds?.wrapped
    self.pipeline = pipeline
    self.context = context
    self.options = options
  }

  /// Runs the query.
  ///
  /// Sources are in the order of the file, records in the order of the source, clusters in the
  /// order of their zoom, unless ``QueryOptions/order`` says otherwise.
  /// - Parameter write: receives the output piece by piece if it does not go to a file.
  package func run(
    write: @escaping ([UInt8]) throws(PipelineError) -> Void
  ) throws(PipelineError) -> QuerySummary {
    try check()
    let conditions = try options.conditions()
    let clock = context.clock
    if let zoom = options.clusterZoom {
      let sources = try clusters(at: zoom, conditions, clock)
      return try clock.stage("query", unit: .records) { _ in
        var summary = QuerySummary()
        summary.notes = selected.flatMap(\.notes)
        summary.features = try answer(
          with: ClusterFeatures(sources: sources, zoom: zoom, options: options),
          names: sources.map(\.source.definition), write: write)
        return summary
      }
    }
    let sources = selected.compactMap(QuerySource.init)
    return try clock.stage("query", unit: .bytes, total: inputBytes(of: sources)) { advance in
      let records = StreamedRecords(
        sources, options, conditions: conditions, memory: PlaceMemory(of: context, options),
        advance: { try advance($0, nil) })
      var summary = QuerySummary()
      summary.notes = selected.flatMap(\.notes)
      summary.features = try answer(
        with: try producer(of: records), of: records, names: sources.map(\.definition), write: write
      )
      try summary.describe(records, options)
      return summary
    }
  }

  // MARK: Request

  private func check() throws(PipelineError) {
    for name in options.sources {
      guard let source = pipeline.sources.first(where: { $0.nameInFile == name }) else {
        let names = OrderedSet(pipeline.sources.map(\.nameInFile))
        throw PipelineError(
          .usage,
          "there is no source '\(name)'; sources are \(names.joined(separator: ", ")).")
      }
      guard source.records != nil else {
        throw PipelineError(
          .usage, "source '\(name)' is of type \(source.type) and has no records.")
      }
    }
    if options.format == .gpkg, options.output == nil, !options.countsOnly {
      throw PipelineError(.usage, "a GeoPackage needs a file. Name one with -o.")
    }
    if options.clusterZoom != nil, !options.ids.isEmpty || !options.order.isEmpty {
      throw PipelineError(.usage, "--clusters takes neither --id nor --order-by.")
    }
    if let output = options.output {
      try TargetGuard(pipeline.definition, isGeoPackage: options.format == .gpkg).check(output)
      try options.format.requireEnding(of: output)
    }
  }

  /// The definitions of the queried sources, in the order of the file.
  private var selected: [ResolvedSource] {
    pipeline.sources.filter {
      options.sources.isEmpty || options.sources.contains($0.nameInFile)
    }
  }

  private func inputBytes(of sources: [QuerySource]) -> Int? {
    var pipeline = pipeline
    pipeline.sources = sources.map(\.source)
    return pipeline.inputBytes
  }

  private func clusters(
    at zoom: Int, _ conditions: [WhereClause], _ clock: StageClock
  ) throws(PipelineError) -> [ClusteredSource] {
    var pipeline = try self.pipeline.zoomed(to: zoom)
    pipeline.sources = selected
    for index in pipeline.sources.indices {
      pipeline.sources[index].records?.conditions += conditions
    }
    return try SourceReading(pipeline, style: nil, context: context.uncached).clustered(clock)
  }

  // MARK: The answer

  /// Returns a producer of the records in the requested order.
  private func producer(of records: StreamedRecords) throws -> any FeatureProducer {
    let isReadTwice = !options.countsOnly && (options.format == .csv || options.format == .gpkg)
    let sorts = !options.order.isEmpty && !options.countsOnly
    // A pipe delivers its records once, so they are stored in their own order.
    guard sorts || (isReadTwice && !records.sources.allSatisfy(\.canBeReadAgain)) else {
      return records
    }
    let folder = context.options.temporaryFolder ?? getenv("TMPDIR").map { String(cString: $0) }
    let sorter = RecordSorter(
      limit: options.limit ?? .max, folder: FilePath(folder ?? "/tmp"))
    return try SortedRecords(records, by: options.order, into: sorter)
  }

  /// Writes the features.
  ///
  /// - Parameter records: the records that are the features; `nil` for clusters.
  /// - Returns: the number of features.
  private func answer(
    with producer: any FeatureProducer, of records: StreamedRecords? = nil,
    names sources: [SourceDefinition],
    write: @escaping ([UInt8]) throws(PipelineError) -> Void
  ) throws -> Int {
    var count = 0
    if options.countsOnly {
      try producer.forEach { _ in count += 1 }
      // Sorting is skipped, so the features were not cut at the limit.
      count = min(count, options.limit ?? .max)
      try write(Array("\(count)\n".utf8))
      return count
    }
    let file = try options.output.map { try QueryFile($0) }
    let buffer = OutputBuffer { bytes in
      if let file { try file.write(bytes) } else { try write(bytes) }
    }
    let writer = try writer(of: producer, records, sources, into: buffer, file: file)
    try producer.forEach { view in
      try writer.write(view)
      count += 1
    }
    try writer.end()
    // An empty result is a file, too.
    if options.format != .gpkg { try file?.write([]) }
    try file?.commit()
    return count
  }

  private func writer(
    of producer: any FeatureProducer, _ records: StreamedRecords?, _ sources: [SourceDefinition],
    into buffer: OutputBuffer, file: QueryFile?
  ) throws -> any FeatureWriter {
    switch options.format {
    case .geojson, .geojsonseq:
      return GeoJSONFeatureWriter(
        buffer, isSequence: options.format == .geojsonseq, idNames: sources.map(\.records?.id),
        layers: sources.map { $0.vectorTiles?.part?.layer })
    case .csv, .gpkg:
      var schema = QuerySchema(sources: Self.tableNames(of: sources))
      try producer.forEach { schema.observe($0) }
      guard options.format == .gpkg, let file else {
        if let records { schema.takeNames(of: records) }
        return CSVFeatureWriter(buffer, schema: schema)
      }
      try file.create()
      return try GeoPackageWriter(
        path: file.temporary.string, name: file.path, schema: schema,
        lastChange: UTCText.text(secondsSince1970: options.changeTime))
    }
  }
}

extension FeatureQuery {
  /// Returns a name for each source: of vector tiles the layer, if none has the same.
  private static func tableNames(of sources: [SourceDefinition]) -> [String] {
    let names = sources.map { $0.vectorTiles?.part?.layer ?? $0.name }
    return Set(names).count == names.count ? names : sources.map(\.name)
  }
}

extension QuerySource {
  /// Whether the data can be read a second time.
  var canBeReadAgain: Bool { source.canBeReadAgain }
}

extension QuerySummary {
  /// Adds sentences on the outcomes of the records, and on names that no source has.
  fileprivate mutating func describe(
    _ records: StreamedRecords, _ options: QueryOptions
  ) throws {
    for (source, ledger) in zip(records.sources, records.ledgers) {
      guard let ledger else { continue }
      sources.append(
        "\(source.source.title): \(ledger.read) read, \(ledger.used) used, "
          + "\(ledger.noGeometry) without geometry, \(ledger.filtered) filtered, "
          + (ledger.beyondMap > 0 ? "\(ledger.beyondMap) beyond the map, " : "")
          + "\(ledger.rejectedTotal) rejected")
    }
    for (source, numbers) in zip(records.sources, records.numbers) {
      notes += try options.notes(on: numbers, of: source.source)
    }
    if !records.unknownNames.isEmpty {
      let known = records.likelyNames()
      notes += records.unknownNames.map { options.note(onUnknown: $0, known: known) }
    }
    let known = Set(records.names.joined())
    guard !known.isEmpty else { return }
    for name in (options.select ?? []) + options.order.map(\.property)
    where !known.contains(name) && !records.unknownNames.contains(name) {
      notes.append("no feature that was read has a property named '\(name)'.")
    }
  }
}
