package import Definition
package import Expressions
package import Features
import Ingest
import Projections
package import Runs
import Unpacking

extension SourceDefinition {
  /// Returns the properties that determine which records are used, and in which frames, beyond
  /// `select`.
  package func testedProperties() throws(PipelineError) -> [String] {
    var names: [String] = []
    let instant = records?.windows.map { [$0.property] } ?? []
    for name in try filters().flatMap(\.propertyNames) + instant
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
}

// How the records of a source are opened.
extension ResolvedSource {
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
    let join = zip(records?.changes.joins ?? [], joins).first { $0.0.name == file }?.1
    return (join?.member(key) ?? node.member(key))?.keyPlace
  }

  /// Returns the error with the place of the key that fixes it, if it names one.
  package func placed(_ error: SourceError) -> SourceError {
    error.placingKey { place(ofKey: $0, for: error.file) }
  }

  private func unplacedReader(_ request: ReadRequest) throws -> any FeatureReader {
    guard let records else {
      throw place.fault("source type \(type) cannot be read as records.")
    }
    if absence != nil { return AbsentReader() }
    let own = records.changes.request(request, id: records.id)
    let base = try reader(of: records.format, own)
    let read = try records.changes.reader(
      over: base, csv: (records.format as? CSVSource)?.options, id: records.id, request: request,
      tables: try packedTables.mapValues { try $0.unpacked().input($0.name) })
    guard let system = records.format.system, system != .degrees else { return read }
    return ProjectedReader(read, try projection(from: system))
  }

  private func projection(from system: ReferenceSystem) throws(PipelineError) -> Projection {
    do throws(ProjectionError) {
      return try Projection(from: system)
    } catch {
      throw PipelineError(error.failureCode, error.sentence, at: node["crs"]?.place ?? place)
    }
  }

  /// Opens the data without its changes.
  private func reader(
    of format: any FeatureSource, _ request: ReadRequest
  ) throws -> any FeatureReader {
    func open(_ input: SourceInput) throws(SourceError) -> any FeatureReader {
      guard let tiles = definition.vectorTiles, let part = tiles.part else {
        return try format.reader(of: input, request)
      }
      return try reader(of: part, in: tiles, input, request)
    }
    switch try origin.content() {
    case .whole(let input): return try open(input)
    case .answers(let answers):
      return try ConcatenatingReader(
        answers.map { answer in
          ConcatenatingReader.Part(name: nil, isPage: answer.isPage, matched: answer.matched) {
            () throws(SourceError) in try open(answer.input)
          }
        }, hasRepeats: true)
    case .files(let parts):
      let reader = try ConcatenatingReader(
        parts.map { part in
          ConcatenatingReader.Part(name: part.name) { () throws(SourceError) in
            try format.reader(of: try part.opened(), request.ofPart)
          }
        }, hasRepeats: false)
      try requireSelected(of: reader, wanted: request.wanted)
      return reader
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
  package func hinted(_ error: any Error) -> any Error {
    guard var hinted = (error as? SourceError).map(placed) else { return error }
    guard let format = records?.format, hinted.code == .badData || hinted.code == .configuration,
      let head = try? origin.content().first()?.head(), !head.isEmpty,
      !head.withUnsafeBytes({ Swift.type(of: format).sniff($0) }),
      let likely = SourceRegistry.sniffed(head).first
    else { return hinted }
    hinted.message += hinted.message.hasSuffix(".") ? "" : "."
    hinted.message += " The file begins like \(likely): is 'type: \(type)' right?"
    return hinted
  }
}

extension DataContent.Part {
  /// Opens the file.
  fileprivate func opened() throws(SourceError) -> SourceInput {
    do {
      return try open()
    } catch let error as SourceError {
      throw error
    } catch {
      throw SourceError(code: .io, file: name, message: "\(error)")
    }
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
