package import Definition
import Features
import Ingest
import Runs

extension PipelineDefinition {
  /// Reads every source to its end and finds out what it is like.
  ///
  /// - Parameter advance: takes the bytes read so far, of all sources.
  package func examineSources(advance: (Int) throws -> Void) throws -> [CheckedSource] {
    var before = 0
    var checked: [CheckedSource] = []
    for source in sources {
      checked.append(try source.examined(self) { try advance(before + $0) })
      before += checked.last?.examination?.bytes ?? 0
    }
    return checked
  }
}

extension SourceDefinition {
  /// Reads the source to its end; what is wrong with its data is in the answer.
  ///
  /// - Parameter definition: the pipeline, for what its layers ask for.
  /// - Throws: ``PipelineError`` where the pipeline itself is wrong, and what `advance` throws.
  func examined(
    _ definition: PipelineDefinition, advance: (Int) throws -> Void
  ) throws -> CheckedSource {
    var checked = CheckedSource(name: name, type: type, file: dataName)
    for property in cluster?.properties ?? [] { _ = try ClusterProperty(property) }
    checked.absence = absence
    if type == .imageSeries || absence != nil { return checked }
    if type == .image {
      // Whether an image is whole shows at its last row.
      _ = try loadImage()
      return checked
    }
    let uses = try PropertyUses(of: self, in: definition)
    let request = try examinationRequest(uses)
    var subject = try subject()
    subject.unknownProperties = { known in
      uses.unknown(among: known) { namesAtBeginning(uses) }.map(\.sentence)
    }
    var examination = try SourceExaminer.examine(
      subject, open: { try reader(request) }, advance: advance)
    examination.failure = examination.failure.map(placed)
    checked.examination = examination
    return checked
  }

  /// The failure of a source in the words of `check` where those say what is the matter with the file,
  /// for which it is read once more.
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
      // The first failure is the one to be said.
    }
    return hinted(failure)
  }

  /// What is asked of the reader to find out what the source is like.
  private func examinationRequest(_ uses: PropertyUses) throws -> ReadRequest {
    var request = ReadRequest()
    request.selected = records.select
    request.tested = try testedProperties()
    // A CSV reader knows the names of all columns; others those that they are asked for.
    if !(format is CSVSource) || !records.changes.isEmpty {
      for name in uses.names where !request.tested.contains(name) { request.tested.append(name) }
    }
    request.wanted = records.select.map { $0 + request.tested + (records.id.map { [$0] } ?? []) }
    return request
  }

  /// The properties of the first records, those too that nothing asks for; none where the data
  /// cannot be read a second time.
  func namesAtBeginning(_ uses: PropertyUses) -> [String] {
    guard canBeReadAgain, let request = try? examinationRequest(uses),
      var reader = try? reader(request)
    else { return [] }
    var batch = FeatureBatch()
    // What is wrong with the records is said where they are read.
    _ = try? reader.read(into: &batch)
    return reader.allNames
  }

  /// The source as the examiner needs to know it.
  private func subject() throws -> ExaminationSubject {
    var subject = ExaminationSubject(format: format?.examination ?? .other, file: dataName)
    subject.id = records.uniqueID
    subject.comparesGivenIDs = records.comparesGivenIDs
    subject.onDuplicateID =
      IngestOptions.DuplicatePolicy(rawValue: records.onDuplicateID.rawValue) ?? .error
    subject.tolerance = records.maxErrors
    subject.condition = records.conditions.first?.text
    subject.filter = BatchFilter.test(try filters(), id: records.id)
    if canBeReadAgain {
      subject.reopen = { () throws(SourceError) in
        do {
          return try inputs()[0].stream()
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
