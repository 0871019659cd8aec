package import Definition
import Examination
import Features
import Ingest
package import Inputs
import Runs
import Styling

extension ResolvedPipeline {
  /// Reads every source to its end and examines it.
  ///
  /// - Parameter advance: receives the number of bytes read so far, of all sources.
  package func examineSources(advance: (Int) throws -> Void) throws -> [CheckedSource] {
    var before = 0
    var checked: [CheckedSource] = []
    for source in drawnSources {
      checked.append(try source.examined(definition) { try advance(before + $0) })
      before += checked.last?.examination?.bytes ?? 0
    }
    return checked
  }
}

extension ResolvedSource {
  /// Reads the source to its end; errors in its data are part of the result.
  ///
  /// - Parameter pipeline: the pipeline, for the properties that its layers use.
  /// - Throws: ``PipelineError`` where the pipeline itself is wrong, and the errors of `advance`.
  package func examined(
    _ pipeline: PipelineDefinition, advance: (Int) throws -> Void
  ) throws -> CheckedSource {
    var checked = CheckedSource(name: name, type: type, file: dataName)
    for property in records?.cluster?.properties ?? [] { _ = try ClusterProperty(property) }
    checked.absence = absence?.reason
    checked.part = definition.vectorTiles?.part.map {
      CheckedSource.Part(
        source: nameInFile, layer: $0.layer, zoom: $0.zoom, use: $0.use)
    }
    if series != nil && records == nil || absence != nil { return checked }
    guard let records else {
      // Whether an image is complete is only known at its last row.
      checked.imageNote = try loadImage().note
      return checked
    }
    let uses = try PropertyUses(of: self.definition, in: pipeline)
    let request = try examinationRequest(records, uses)
    var subject = try subject(records)
    subject.unknownProperties = { known in
      uses.unknown(among: known) { namesAtBeginning(uses) }.map(\.sentence)
    }
    subject.numbers = uses.numbers
    subject.fillsInFileOrder = pipeline.layers.contains { layer in
      layer.source == name && layer.type == .fill
        && !layer.layout.contains { $0.key == "fill-sort-key" }
    }
    var examination = try SourceExaminer.examine(
      subject, open: { try reader(request) }, advance: advance)
    examination.failure = examination.failure.map(placed)
    checked.examination = examination
    return checked
  }

  /// Returns the failure of a source as `check` explains it, if that describes the problem with the
  /// file, which is read once more for it.
  func explained(
    _ error: any Error, in definition: PipelineDefinition, advance: (Int) throws -> Void
  ) -> any Error {
    guard let failure = error as? SourceError, canBeReadAgain,
      failure.code == .badData || failure.code == .configuration
    else { return error }
    do {
      if let found = try examined(definition, advance: advance).examination, found.isExplained,
        let explained = found.failure
      {
        return explained
      }
    } catch let stop as PipelineError where stop.isStop {
      return stop
    } catch {
      // The first failure is the one to report.
    }
    return hinted(failure)
  }

  /// Returns the request to the reader for an examination of the source.
  private func examinationRequest(
    _ records: RecordDefinition, _ uses: PropertyUses
  ) throws -> ReadRequest {
    var request = ReadRequest()
    request.selected = records.select
    request.tested = try definition.testedProperties()
    // A CSV reader knows the names of all columns; other readers only those that are requested.
    if !(records.format is CSVSource) || !records.changes.isEmpty {
      for name in uses.names where !request.tested.contains(name) { request.tested.append(name) }
    }
    request.wanted = records.select.map { $0 + request.tested + (records.id.map { [$0] } ?? []) }
    return request
  }

  /// Returns the properties of the first records, including unused ones; empty if the data cannot
  /// be read a second time.
  package func namesAtBeginning(_ uses: PropertyUses) -> [String] {
    guard canBeReadAgain, let records, var request = try? examinationRequest(records, uses) else {
      return []
    }
    (request.selected, request.wanted) = (nil, nil)
    guard var reader = try? reader(request) else { return [] }
    var batch = FeatureBatch()
    // Errors in the records are reported where they are read.
    _ = try? reader.read(into: &batch)
    return reader.allNames
  }

  /// Returns the source in the form that the examiner needs.
  private func subject(_ records: RecordDefinition) throws -> ExaminationSubject {
    var subject = ExaminationSubject(format: records.format.examination, file: dataName)
    subject.columns = records.format.columnsInDegrees
    if records.format is OGRSource { subject.foreignTexts = OGRSource.foreignTexts }
    subject.id = records.uniqueID
    subject.comparesGivenIDs = records.comparesGivenIDs
    subject.onDuplicateID = records.onDuplicateID
    subject.tolerance = records.tolerance
    subject.refusesIncomplete = refusesIncomplete
    subject.condition = records.conditions.first?.text
    subject.filter = BatchFilter.test(try definition.filters(), id: records.id)
    if canBeReadAgain {
      subject.reopen = { () throws(SourceError) in
        do {
          guard let input = try origin.content().first() else {
            throw SourceError(code: .io, file: dataName, message: "has no data")
          }
          let csv = (records.format as? CSVSource)?.options
          let table = try csv.flatMap { try CSVSource.table(input, delimiter: $0.delimiter) }
          return try (table ?? input).stream()
        } catch let error as SourceError {
          throw error
        } catch {
          throw SourceError(code: .io, file: dataName, message: "\(error)")
        }
      }
    }
    return subject
  }
}
