package import Definition
package import Expressions
package import Features
import Fetching
import GDAL
import Ingest
import JSON
import OrderedCollections
package import Reuse
package import Runs
package import Styling
import SystemPackage
import Tiling

/// A source whose records are read.
package struct LoadedSource {
  package let definition: SourceDefinition
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
  var propertyNames: [String] = []

  /// The key of its records in the cache; `nil` where they are not cached.
  var key: ArtifactKey?

  /// Whether the records were taken from the cache.
  var isCached = false

  package init(
    definition: SourceDefinition,
    points: PointSet,
    shapes: ShapeSet,
    ledger: SourceLedger,
    bytes: Int,
    image: LoadedImage? = nil,
    geometryColumns: [String] = [],
    propertyNames: [String] = [],
    key: ArtifactKey? = nil,
    isCached: Bool = false
  ) {
    self.definition = definition
    self.points = points
    self.shapes = shapes
    self.ledger = ledger
    self.bytes = bytes
    self.image = image
    self.geometryColumns = geometryColumns
    self.propertyNames = propertyNames
    self.key = key
    self.isCached = isCached
  }
}

extension SourceDefinition {
  /// Reads the points of the source.
  ///
  /// - Parameters:
  ///   - style: the layers, whose properties are kept; `nil` keeps all properties.
  ///   - limit: the number of records after which the reading may end; `nil` reads all.
  ///   - threads: the number of threads that may read.
  ///   - scratch: decides where the columns of points lie; `nil` for memory.
  ///   - advance: receives the number of bytes read so far.
  func load(
    style: Style?, definition: PipelineDefinition, limit: Int? = nil, threads: Int = 1,
    in scratch: Scratch? = nil, advance: @escaping (Int) throws -> Void
  ) throws -> LoadedSource {
    guard let records else {
      // A query for records does not need pixels.
      let image = style == nil || absence != nil ? nil : try loadImage()
      try advance(image?.bytes ?? 0)
      return LoadedSource(
        definition: self, points: PointSet(), shapes: ShapeSet(), ledger: SourceLedger(),
        bytes: image?.bytes ?? 0, image: image)
    }
    var request = try request(records, style: style, definition: definition)
    // What is read ahead of a limit would be in vain.
    request.threads = limit == nil ? threads : 1
    let base: any FeatureReader
    do {
      // Columns of a joined table that are not used may collide with others.
      let readsAll =
        request.identifies && records.id == nil && records.changes.joins.isEmpty
        && records.line == nil
      base = try reader(readsAll ? request.ofAllProperties : request)
      if request.identifies { try requireSelected(of: base) }
    } catch {
      throw explained(error, in: definition, advance: advance)
    }
    var reader = WatchedReader(base, limit: limit, advance: advance)
    var options = IngestOptions()
    options.scratch = scratch
    let filters = try filters()
    options.filter = BatchFilter.test(filters, id: records.id)
    options.numbers = filters.quantityRequests
    options.id = records.uniqueID
    options.comparesGivenIDs = records.comparesGivenIDs
    options.tolerance = records.maxErrors
    options.onDuplicateID = records.onDuplicateID
    if request.identifies, records.line == nil {
      options.identifiers = FeatureIdentifiers(
        idColumn: records.id, ignoring: base.geometryColumns,
        numbersGiven: !records.comparesGivenIDs)
      if records.id == nil {
        let hasSchema = base.hasSchema
        options.keeps = { request.keeps($0, hasSchema: hasSchema) }
      }
    }
    var ingested: IngestedSource
    do {
      ingested = try IngestStage.read(&reader, file: dataName, options: options)
      if let line = records.line {
        ingested = try line.lines(of: ingested, file: dataName, tolerance: records.maxErrors)
      }
    } catch {
      throw reader.failure ?? explained(error, in: definition, advance: advance)
    }
    if let failure = reader.failure { throw failure }
    return LoadedSource(
      definition: self, points: ingested.points, shapes: ingested.shapes, ledger: ingested.ledger,
      bytes: reader.bytesRead, geometryColumns: base.geometryColumns,
      // A format without a schema has a column for every requested name.
      propertyNames: reader.propertyNames.filter {
        base.hasSchema || reader.namesSeen.contains($0)
      })
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
      guard reader.ledger.rejectedTotal > records.maxErrors,
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
    for property in records.cluster?.properties ?? [] { add(property.node.namesRead) }
    if let interactivity = definition.tiles.interactivity {
      if interactivity.fields == nil, records.select == nil { return nil }
      add(interactivity.fields ?? [])
      if let text = interactivity.text {
        guard let read = text.propertyNames else { return nil }
        add(read)
      }
    }
    add(records.featureLimit.map { [$0.property] } ?? [])
    add([records.line?.by, records.line?.order].compactMap(\.self))
    return names.sorted()
  }

  /// Returns the properties that determine which records are used, beyond `select`.
  func testedProperties() throws(PipelineError) -> [String] {
    var names: [String] = []
    for name in try filters().flatMap(\.propertyNames)
    where !names.contains(name) && records?.select?.contains(name) != true {
      names.append(name)
    }
    return names
  }

  /// Returns the `filter:` and the conditions, all of which a record must pass.
  package func filters() throws(PipelineError) -> [CompiledFilter] {
    let conditions = (records?.conditions ?? []).map(\.filter)
    guard let node = records?.filter else { return conditions }
    do {
      return [try CompiledFilter.compile(node.propertyValue)] + conditions
    } catch {
      let first = error.errors.first
      throw PipelineError(
        .definition,
        "source '\(name)': \(node.filterAdvice ?? first?.message ?? "invalid filter")",
        at: node.place(at: (first?.key ?? []).map(DocumentStep.init)))
    }
  }

  /// Opens the data of the source.
  package func reader(_ request: ReadRequest) throws -> any FeatureReader {
    do {
      return try unplacedReader(request)
    } catch let error as SourceError {
      throw placed(error)
    }
  }

  /// Returns the place of a key of the source, or of the join that reads the file.
  private func place(ofKey key: String, for file: String) -> DocumentPlace? {
    let joins = node["join"].map { $0.items ?? [$0] } ?? []
    let join = zip(records?.changes.joins ?? [], joins).first { $0.0.path == file }?.1
    return (join?.member(key) ?? node.member(key))?.keyPlace
  }

  /// Returns the error with the place of the key that fixes it, if it names one.
  func placed(_ error: SourceError) -> SourceError {
    error.placingKey { place(ofKey: $0, for: error.file) }
  }

  private func unplacedReader(_ request: ReadRequest) throws -> any FeatureReader {
    guard let records else {
      throw PipelineError(
        .definition, "source type \(type) cannot be read as records.", at: place)
    }
    if absence != nil { return AbsentReader() }
    let own = records.changes.request(request, id: records.id)
    let base = try reader(of: records.format, own)
    return try records.changes.reader(
      over: base, csv: (records.format as? CSVSource)?.options, id: records.id, request: request)
  }

  /// Opens the data without its changes.
  private func reader(
    of format: any FeatureSource, _ request: ReadRequest
  ) throws -> any FeatureReader {
    if case .parts(let parts) = data {
      let reader = try PartsReader(
        parts.map { part in
          PartsReader.Part(name: part.name) { () throws(SourceError) in
            try format.reader(of: try opened(part), request.ofPart)
          }
        }, hasRepeats: false)
      try requireSelected(of: reader, wanted: request.wanted)
      return reader
    }
    func open(_ input: SourceInput) throws(SourceError) -> any FeatureReader {
      try format.reader(of: input, request)
    }
    let inputs = try inputs()
    guard inputs.count > 1 else { return try open(inputs[0]) }
    return try PartsReader(
      inputs.map { input in
        PartsReader.Part(name: nil) { () throws(SourceError) in try open(input) }
      }, hasRepeats: true)
  }

  private func opened(_ part: DataPart) throws(SourceError) -> SourceInput {
    do {
      return try input(of: part)
    } catch let error as SourceError {
      throw error
    } catch {
      throw SourceError(code: .io, file: part.name, message: "\(error)")
    }
  }

  /// Refuses a `select:` with a name that was not requested from the reader and that it does not
  /// have.
  ///
  /// - Parameter wanted: the requested properties, `nil` for all.
  package func requireSelected(
    of reader: any FeatureReader, wanted: [String]? = nil
  ) throws(SourceError) {
    guard reader.hasSchema, let records else { return }
    let names = reader.propertyNames
    for name in records.select ?? [] where !records.changes.mayGain(name) {
      guard !names.contains(name), wanted?.contains(name) ?? true else { continue }
      throw SourceError(
        UnknownColumn(
          .column(name), " in \(dataName)", key: "select",
          keyPlace: place(ofKey: "select", for: dataName)),
        file: dataName)
    }
  }

  /// Returns the error with the format that the data seems to have, if it differs from the declared
  /// one.
  func hinted(_ error: any Error) -> any Error {
    guard var hinted = (error as? SourceError).map(placed) else { return error }
    guard let format = records?.format, hinted.code == .badData || hinted.code == .configuration,
      let head = try? inputs().first?.head(), !head.isEmpty,
      !head.withUnsafeBytes({ Swift.type(of: format).sniff($0) }),
      let likely = SourceRegistry.sniffed(head).first
    else { return hinted }
    hinted.message += hinted.message.hasSuffix(".") ? "" : "."
    hinted.message += " The file begins like \(likely): is 'type: \(type)' right?"
    return hinted
  }

  /// Returns the inputs from which the data is read, of several files only the first: at least one.
  ///
  /// - Throws: ``PipelineError`` where the data is no file, and the errors of unpacking it.
  func inputs() throws -> [SourceInput] {
    if let packed { return [try unpackedInput(packed)] }
    if let converted { return [.file(try converted.content().path, name: converted.name)] }
    if let member {
      throw SourceError(
        code: .configuration, file: dataName,
        message: "cannot be read: the file is no zip file, and has no '\(member)' in it")
    }
    switch data {
    case .file(let path): return [.file(FilePath(path), name: path)]
    case .parts(let parts) where !parts.isEmpty: return [try input(of: parts[0])]
    case .inline(let node):
      let text = JSONWriter.text(node.propertyValue)
      return [.bytes(Array(text.utf8), name: node.place.description)]
    case .fetched(let files) where !files.isEmpty:
      return files.map { .file($0.path, name: $0.uri) }
    case .standardInput(let input?): return [.spooled(input)]
    case .fetched, .url, .patterns, .parts, .standardInput, .connection, .none:
      throw PipelineError(.definition, "the data of source '\(name)' is not a file.", at: place)
    }
  }

  /// Returns the request to the reader: the properties that layers, filters, ids or hit tests use.
  func request(
    _ records: RecordDefinition, style: Style?, definition: PipelineDefinition
  ) throws -> ReadRequest {
    var request = ReadRequest()
    request.tested = try testedProperties()
    request.wanted = try wantedProperties(
      records, style: style, definition: definition, tested: request.tested)
    request.selected = records.select
    request.conditions = records.conditions
    request.countsFiltered = true
    request.identifies = style != nil && definition.tiles.interactivity != nil
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

extension SourceDefinition {
  /// Whether the data can be read a second time; a pipe delivers its bytes once.
  var canBeReadAgain: Bool {
    if case .parts = data { return true }
    return records == nil || absence != nil || packed != nil || converted != nil
      || (try? inputs().allSatisfy(\.canBeReadAgain)) == true
  }
}

extension PipelineDefinition {
  /// Whether all data can be read a second time.
  package var canBeReadAgain: Bool { sources.allSatisfy(\.canBeReadAgain) }

  /// The size of all input files in bytes; `nil` where one has no known size, is packed or converted.
  package var inputBytes: Int? {
    if sources.contains(where: { $0.packed != nil || $0.converted != nil }) { return nil }
    var total = 0
    for source in sources {
      if case .parts(let parts) = source.data {
        for part in parts {
          guard part.packed == nil, part.converted == nil, let size = Build.size(of: part.path)
          else { return nil }
          total += size
        }
      }
      if case .fetched(let files) = source.data {
        total += files.reduce(0) { $0 + Int($1.bytes) }
      }
      if case .standardInput(let input?) = source.data { total += Int(input.bytes) }
      guard case .file(let path) = source.data else { continue }
      guard let size = Build.size(of: path) else { return nil }
      total += size
    }
    return total
  }
}

/// The reader of a source that is left out of a run: no records.
struct AbsentReader: FeatureReader {
  var propertyNames: [String] { [] }
  var ledger: SourceLedger { SourceLedger() }
  var bytesRead: Int { 0 }

  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    batch.removeAll()
    return false
  }
}

extension FeatureReader {
  /// Whether the format knows its columns, and thus the names valid in `select:`, before the first
  /// record: CSV and GeoPackage do.
  package var hasSchema: Bool { !geometryColumns.isEmpty || !layer.isEmpty }
}

extension DocumentNode {
  /// The names that `get` and `has` read anywhere in an expression.
  var namesRead: [String] {
    guard let items else { return [] }
    if items.count == 2, ["get", "has"].contains(items[0].text), let name = items[1].text {
      return [name]
    }
    return items.flatMap(\.namesRead)
  }
}
