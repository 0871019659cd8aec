package import Definition
import Examination
import Expressions
package import Features
import Ingest
package import Inputs
import JSON
import OrderedCollections
import RecordChanges
package import Reuse
package import Runs
package import Styling

/// A source whose records are read.
package struct LoadedSource {
  package let resolved: ResolvedSource
  package let points: PointSet
  package let shapes: ShapeSet
  package let ledger: SourceLedger
  /// The size of the data in bytes.
  package let bytes: Int

  /// The image, for a source that has one instead of records.
  package var image: LoadedImage?

  /// The properties that hold the geometry, see ``FeatureReader/geometryColumns``; empty where the
  /// records were taken from the cache, whose readers need none.
  package var geometryColumns: [String] = []

  /// The names of the requested properties that its records have.
  package var propertyNames: [String] = []

  /// The key of its records in the cache; `nil` where they are not cached.
  package var key: ArtifactKey?

  /// Whether the records were taken from the cache.
  package var isCached = false

  /// Whether a log of edits was laid over records that are in the cache themselves.
  var isLaidOver = false

  package var definition: SourceDefinition { resolved.definition }
}

extension LoadedSource {
  /// The note that the data says it lacks records.
  var incompletenessNote: String? {
    ledger.incompleteness.map { "source '\(definition.name)': \(resolved.dataName): \($0)." }
  }

  /// Creates a source that has an image, or nothing, instead of records.
  package init(_ resolved: ResolvedSource, image: LoadedImage?) {
    self.init(
      resolved: resolved, points: PointSet(), shapes: ShapeSet(), ledger: SourceLedger(),
      bytes: image?.bytes ?? 0, image: image)
  }
}

extension ResolvedSource {
  /// Reads the points of the source, or its image.
  ///
  /// - Parameter advance: receives the number of bytes read so far.
  package func load(
    by reading: SourceReading, advance: @escaping (Int) throws -> Void
  ) throws -> LoadedSource {
    let (style, definition) = (reading.style, reading.definition)
    guard let records else {
      // A query for records does not need pixels.
      let image = style == nil || absence != nil ? nil : try loadImage()
      try advance(image?.bytes ?? 0)
      return LoadedSource(self, image: image)
    }
    var request = try request(records, style: style, definition: definition)
    let limit = reading.recordLimit
    // What is read ahead of a limit would be in vain.
    request.threads = limit == nil ? reading.context.threads : 1
    let base: any FeatureReader
    do {
      // Columns of a joined table that are not used may collide with others.
      let readsAll =
        request.identifies && records.id == nil && records.changes.joins.isEmpty
        && !records.joinsPoints
      base = try reader(readsAll ? request.ofAllProperties : request)
      if request.identifies { try requireSelected(of: base) }
    } catch {
      throw explained(error, in: definition, advance: advance)
    }
    var reader = WatchedReader(base, limit: limit, advance: advance)
    var options = try ingestOptions(records)
    options.scratch = reading.context.scratch
    options.refusesIncomplete = options.refusesIncomplete && limit == nil
    if request.identifies, !records.joinsPoints {
      options.identifiers = FeatureIdentifiers(
        idColumn: records.id, ignoring: base.geometryColumns,
        numbersGiven: records.numbersGivenIDs, joinsAlike: self.definition.vectorTiles != nil)
      if records.id == nil {
        let hasSchema = base.hasSchema
        options.keeps = { request.keeps($0, hasSchema: hasSchema) }
      }
    }
    var ingested: IngestedSource
    do {
      ingested = try IngestStage.read(&reader, file: dataName, options: options)
      if let line = records.line {
        ingested = try line.lines(of: ingested, file: dataName, tolerance: records.tolerance)
      }
      if let windows = records.windows {
        do throws(SourceError) {
          ingested = try ingested.dated(
            by: windows.property, file: dataName, tolerance: records.tolerance,
            known: base.hasSchema ? base.allNames : nil)
        } catch {
          throw placed(error)
        }
      }
    } catch {
      throw reader.failure ?? explained(error, in: definition, advance: advance)
    }
    if let failure = reader.failure { throw failure }
    return LoadedSource(
      resolved: self, points: ingested.points, shapes: ingested.shapes, ledger: ingested.ledger,
      bytes: reader.bytesRead, geometryColumns: base.geometryColumns,
      // A format without a schema has a column for every requested name.
      propertyNames: reader.propertyNames.filter {
        base.hasSchema || reader.namesSeen.contains($0)
      })
  }

  /// Whether data that says it lacks records is refused: the answer of a service, of which all pages
  /// are wanted. A file of this machine is taken, with a note.
  var refusesIncomplete: Bool { !origin.fetched.isEmpty && definition.remote.pages == .all }

  /// Returns the options by which records are judged, without those of taps.
  func ingestOptions(_ records: RecordDefinition) throws(PipelineError) -> IngestOptions {
    var options = IngestOptions()
    let filters = try definition.filters()
    options.filter = BatchFilter.test(filters, id: records.id)
    options.numbers = filters.quantityRequests
    options.id = records.uniqueID
    options.comparesGivenIDs = records.comparesGivenIDs
    options.tolerance = records.tolerance
    options.onDuplicateID = records.onDuplicateID
    options.refusesIncomplete = refusesIncomplete
    return options
  }

  /// Opens the source and reads its first records, to find errors in its columns or its format
  /// without a build.
  package func sniff(style: Style, definition: PipelineDefinition) throws(PipelineError) {
    if absence != nil { return }
    guard let records else {
      // Whether an image is complete is only known at its last row.
      _ = try loadImage()
      return
    }
    do {
      var reader = try reader(try request(records, style: style, definition: definition))
      var batch = FeatureBatch()
      _ = try reader.read(into: &batch)
      guard records.tolerance.isExceeded(by: reader.ledger),
        let example = reader.ledger.examples.first
      else { return }
      throw SourceError(
        code: .badData, file: dataName, line: example.line, column: example.column,
        message: example.message)
    } catch {
      throw PipelineError(wrapping: hinted(error))
    }
  }

  /// Returns the properties that layers, filters, ids, aggregates or hit tests use; `nil` for all.
  ///
  /// The names are sorted, so that records read for one order of layers can be reused for another.
  private func wantedProperties(
    _ records: RecordDefinition, style: Style?, definition: PipelineDefinition, tested: [String]
  ) throws -> [String]? {
    guard let style, var names = style.propertyNames(of: name) else {
      return records.select.map { $0 + tested }
    }
    func add(_ more: [String]) {
      for name in more where !names.contains(name) { names.append(name) }
    }
    add(records.select ?? [])
    add(records.id.map { [$0] } ?? [])
    add(tested)
    for property in records.cluster?.properties ?? [] {
      add(try ClusterProperty(property).propertyNames)
    }
    if let interactivity = definition.tiles.interactivity {
      if interactivity.fields == nil, records.select == nil { return nil }
      add(interactivity.fields ?? [])
      if let text = interactivity.text {
        guard let read = text.propertyNames else { return nil }
        add(read)
      }
    }
    add(records.featureLimit.map { [$0.property] } ?? [])
    add(records.line?.properties ?? [])
    add(records.windows.map { [$0.property] } ?? [])
    return names.sorted()
  }

  /// Returns the request to the reader: the properties that layers, filters, ids or hit tests use.
  func request(
    _ records: RecordDefinition, style: Style?, definition: PipelineDefinition
  ) throws -> ReadRequest {
    var request = ReadRequest()
    request.tested = try self.definition.testedProperties()
    request.wanted = try wantedProperties(
      records, style: style, definition: definition, tested: request.tested)
    request.selected = records.select
    request.conditions = records.conditions
    request.countsFiltered = true
    request.identifies =
      style != nil
      && (definition.tiles.interactivity != nil || definition.output.hasClusterChanges)
    return request
  }
}

extension [CompiledFilter] {
  /// The properties that filters use as numbers.
  package var quantityRequests: [QuantityRequest] {
    Set(flatMap { filter in filter.quantityUses.map { QuantityRequest($0.key, $0.value) } })
      .sorted()
  }
}
