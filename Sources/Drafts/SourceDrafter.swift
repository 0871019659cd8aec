import Baking
import Definition
import Examination
import Inputs
import Features
import Ingest
import OrderedCollections
import Runs
import SourceStages
import SystemPackage

/// The drafting of a source of records: its keys are settled by what `check` finds in the file.
struct SourceDrafter {
  /// The pipeline file whose folder the paths are relative to.
  let pipeline: String

  let data: DraftData

  /// The choices that the user made instead of the drafter.
  let choices: PipelineDraft.Choices

  /// Ends the work if the run is over, and shows how many bytes were read.
  let advance: (Int) throws -> Void

  /// The most readings of a file: type, delimiter, encoding, header and coordinates may each hide
  /// the next.
  private static let rounds = 8

  /// Findings that are no problem, but whose setting makes a better map.
  private static let heededHints: Set<Finding.Kind> = [
    .namedNulls, .leadingZeros, .nullIsland, .commaNumbers, .guessedOrder,
  ]

  /// Returns the draft of a file.
  ///
  /// - Throws: ``PipelineError`` with the finding of `check` where no setting makes the file readable.
  func records(
    name: String, keys: OrderedDictionary<String, PropertyValue>
  ) throws -> SourceDraft {
    var keys = keys
    var comments: [String: String] = [:]
    if let crs = choices.crs, keys["type"] != .string(GeoPackageSource.type) {
      keys["crs"] = .string(crs)
    }
    let isTable = ["csv", OGRSource.type].contains { keys["type"] == .string($0) }
    let columns = [("x", choices.x), ("y", choices.y)] + [("encoding", choices.encoding)]
    for (key, value) in columns where isTable { keys[key] = value.map(PropertyValue.string) }
    if let geometry = choices.geometry, keys["type"] == .string(CSVSource.type) {
      keys["geometry"] = .string(geometry)
    }
    var examined = try settled(name, &keys, &comments)
    try requireOrder(examined, keys, &comments)
    if let absence = examined.ledger.absence, examined.ledger.used == 0 {
      let found = examined.findings.first { $0.kind == absence.kind } ?? absence
      throw PipelineError(.badData, found.sentence, at: DocumentPlace(file: dataPath(keys)))
    }
    let connections = try connections(name, &keys, &examined)
    var roles = self.roles(examined, keys, connections)
    if let id = roles.id {
      var identified = keys
      identified["id"] = .string(id)
      let again = try examination(name, identified)
      if again.failure == nil, again.ledger.rejectedTotal == examined.ledger.rejectedTotal {
        (keys, examined) = (identified, again)
      } else {
        roles.id = nil
      }
    }
    let survey = try RecordSurvey(
      source(name, keys), roles: roles, count: examined.ledger.read, advance: advance)
    var facts = SourceDraft.RecordFacts(examination: examined, roles: roles, survey: survey)
    if let connections {
      (facts.connections, facts.tracks) = (connections, examined.ledger.used)
      let end = connections.destination
      keys["line"] = .object(["x": .string(end.x), "y": .string(end.y)])
      comments["line"] =
        "A great circle from each place to a second one; 'quadrille new --no-lines' leaves points."
    }
    let isWanted = choices.lines == true || choices.groupBy != nil
    if let track = roles.track, choices.lines != false,
      let count = survey.trackCount ?? (isWanted ? 1 : nil)
    {
      facts.tracks = count
      // A track has the values of its first point, which say little of the others.
      let isFew = track.by != nil && (2...ColumnRoles.categoryLimit).contains(count)
      let isColored = isFew && facts.roles.ownColors.isEmpty
      facts.roles.lead = isColored ? track.by.map(ColumnRoles.Lead.category) : nil
      facts.roles.others = []
      if isColored {
        facts.survey = try RecordSurvey(
          source(name, keys), roles: facts.roles, count: examined.ledger.read, advance: advance)
      }
      keys["id"] = nil
      keys["line"] = Self.value(track)
      comments["line"] =
        "Points that follow one another are joined; 'quadrille new --no-lines' leaves them points."
    }
    facts.look = facts.possibleLooks.first { $0 == choices.look }
    if facts.look == .time, let frames = facts.frames {
      keys["time"] = .object([
        "property": .string(frames.property), "every": .string(frames.every),
      ])
      comments["time"] =
        "A map for each \(frames.words); with 'window: cumulative' each has the earlier records, too."
    }
    return SourceDraft(name: name, keys: keys, comments: comments, content: .records(facts))
  }

  /// Examines a source until no finding changes its keys.
  private func settled(
    _ name: String, _ keys: inout OrderedDictionary<String, PropertyValue>,
    _ comments: inout [String: String]
  ) throws -> SourceExamination {
    var examined = try examination(name, keys)
    for _ in 0..<Self.rounds {
      let found = examined.findings.filter {
        !$0.settings.isEmpty && ($0.severity == .problem || Self.heededHints.contains($0.kind))
      }
      guard found.contains(where: { apply($0, to: &keys, &comments) }) else { break }
      examined = try examination(name, keys)
    }
    if let failure = examined.failure {
      var refusal = Self.refusal(failure, examined)
      if choices.crs == nil, examined.findings.contains(where: { $0.kind == .metres }) {
        refusal.message += " Then: quadrille new FILE --crs EPSG:…"
      }
      if examined.findings.contains(where: { $0.kind == .coordinateColumns }) {
        refusal.message +=
          " Or: quadrille new FILE --x COLUMN --y COLUMN, and for a table without places: quadrille new "
          + "FILE --join PLACES"
      }
      throw refusal
    }
    return examined
  }

  /// Says in the draft where the order of two numbers is a guess, and refuses to guess without reason.
  private func requireOrder(
    _ examined: SourceExamination, _ keys: OrderedDictionary<String, PropertyValue>,
    _ comments: inout [String: String]
  ) throws(PipelineError) {
    if let pair = examined.findings.first(where: { $0.kind == .pairOrder }) {
      comments["geometry"] = pair.message
    }
    guard choices.x == nil, choices.y == nil else { return }
    let guess = examined.findings.first { $0.kind == .guessedOrder }
    let (xs, ys) = (
      coordinate("x", CSVOptions.longitudeNames, examined, keys),
      coordinate("y", CSVOptions.latitudeNames, examined, keys)
    )
    guard let x = xs.first, let y = ys.first else { return }
    let isSaid = CoordinateName.tell(x: x, y: y)
    if isSaid, CoordinateName(x).means(longitude: true) || CoordinateName(y).means(longitude: false)
    {
      // The data may be of the sea.
      if let guess { comments[keys["x"] == nil ? "data" : "x"] = guess.message }
      return
    }
    guard !isSaid || guess != nil else { return }
    if !isSaid {
      comments["x"] = "x and y are guesses: the names of the columns do not say which is which."
    }
    guard let guess else { return }
    guard examined.coordinates.order.verdict == .asRead || choices.answersQuestions else {
      let columns = ["--x \(x) --y \(y)", "--x \(y) --y \(x)"]
      let doubt =
        isSaid
        ? "their names say something else than their values about"
        : "neither their names nor their values say"
      throw PipelineError(
        .badData,
        "columns '\(x)' and '\(y)' hold degrees, but \(doubt) which is the longitude. Write: "
          + "quadrille new FILE \(columns[0]), or \(columns[1])",
        at: DocumentPlace(file: dataPath(keys)))
    }
    comments["x"] = "x and y are guesses: \(guess.message)"
  }

  /// Returns the columns of a coordinate: the one that a key names, or those with known names.
  private func coordinate(
    _ key: String, _ known: [String], _ examined: SourceExamination,
    _ keys: OrderedDictionary<String, PropertyValue>
  ) -> [String] {
    if case .string(let name)? = keys[key] { return [name] }
    return examined.columns.map(\.name).filter { known.contains($0.lowercased()) }
  }

  /// Returns the columns of origins and destinations, of which the origins become the places of a table;
  /// `nil` for other data.
  private func connections(
    _ name: String, _ keys: inout OrderedDictionary<String, PropertyValue>,
    _ examined: inout SourceExamination
  ) throws -> Connections? {
    let hasColumns = keys["type"] == .string(CSVSource.type) || keys["x"] != nil
    guard choices.lines != false, choices.groupBy == nil, keys["crs"] == nil,
      examined.shapes.count(of: .point) == examined.ledger.used,
      let found = Connections(
        examined.columns, hasGeometry: !hasColumns || keys["geometry"] != nil)
    else { return nil }
    guard let origin = found.origin, choices.x == nil, choices.y == nil else { return found }
    var own = keys
    (own["x"], own["y"]) = (.string(origin.x), .string(origin.y))
    if own != keys {
      examined = try examination(name, own)
      keys = own
    }
    return found
  }

  private static func value(_ track: ColumnRoles.Track) -> PropertyValue {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    if let by = track.by { members["by"] = .string(by) }
    if let order = track.order { members["order"] = .string(order) }
    return .object(members)
  }

  /// Returns the failure of a reader, in the words of the finding that explains it.
  private static func refusal(
    _ failure: SourceError, _ examined: SourceExamination
  ) -> PipelineError {
    var error = PipelineError(failure)
    // What is wrong with a record, the failure says by an example.
    let cause = examined.findings.first {
      $0.severity == .problem && $0.kind != .unreadable && $0.kind != .rejectedRecords
    }
    if let cause, !examined.isExplained { error.message = cause.sentence }
    return error
  }

  /// Applies the settings of a finding.
  ///
  /// - Returns: whether they changed anything.
  func apply(
    _ finding: Finding, to keys: inout OrderedDictionary<String, PropertyValue>,
    _ comments: inout [String: String]
  ) -> Bool {
    let before = keys
    for (index, setting) in finding.settings.enumerated() {
      // What the user said stays.
      let chosen = [
        "x": choices.x, "y": choices.y, "geometry": choices.geometry, "encoding": choices.encoding,
      ]
      if let value = chosen[setting.key] ?? nil, finding.kind != .wrongType {
        keys[setting.key] = .string(value)
        continue
      }
      keys[setting.key] = setting.value
      if index == 0, let comment = Self.comment(finding) { comments[setting.key] = comment }
    }
    if finding.kind == .wrongType { keys = keys.filter { Self.survivesRetyping($0.key) } }
    // A table of a GeoPackage is a layer for GDAL.
    if keys["type"] == .string(OGRSource.type), let table = keys.removeValue(forKey: "table") {
      keys["layer"] = table
    }
    return keys != before
  }

  private static func survivesRetyping(_ key: String) -> Bool {
    ["type", "data", "delimiter", "encoding", "crs"].contains(key)
  }

  private static func comment(_ finding: Finding) -> String? {
    switch finding.kind {
    case .rejectedRecords:
      finding.count == 1
        ? "One record cannot be read."
        : "\(ReportNumber.count(finding.count)) records cannot be read."
    case .wrongEncoding: finding.advice.isEmpty ? nil : finding.advice
    case .nullIsland: "Positions at 0, 0 are no places."
    case .namedNulls: "Words that stand for no value."
    case .commaNumbers, .commaDecimals: "Numbers such as 1.234,56."
    case .leadingZeros: "Codes, not numbers."
    case .swappedCoordinates: "The values are exchanged in the file."
    default: nil
    }
  }

  /// Returns the columns by their use.
  private func roles(
    _ examined: SourceExamination, _ keys: OrderedDictionary<String, PropertyValue>,
    _ connections: Connections?
  ) -> ColumnRoles {
    let isTable = keys["type"] == .string("csv") || keys["x"] != nil
    let coordinates =
      isTable
      ? coordinate("x", CSVOptions.longitudeNames, examined, keys)
        + coordinate("y", CSVOptions.latitudeNames, examined, keys) : []
    let shapes = examined.shapes
    let hasShapes = [.lineString, .multiLineString, .polygon, .multiPolygon, .collection]
      .contains { shapes.count(of: $0) > 0 }
    var subject = ColumnRoles.Subject(
      records: examined.ledger.read, coordinates: coordinates + (connections?.names ?? []),
      hasShapes: hasShapes,
      isDots: !hasShapes && shapes.count(of: .multiPoint) == 0 && connections == nil,
      areConnections: connections != nil, choices: choices)
    if case .object(let join)? = keys["join"], case .array(let names)? = join["select"] {
      subject.joined = Set(
        names.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }
    return ColumnRoles(examined.columns, of: subject)
  }

  // MARK: Reading

  func examination(
    _ name: String, _ keys: OrderedDictionary<String, PropertyValue>
  ) throws -> SourceExamination {
    let pipeline = try pipeline(name, keys)
    try pipeline.definition.requireFiles()
    guard let found = try pipeline.examineSources(advance: advance).first?.examination else {
      throw PipelineError(.bug, "a source of records was not examined.")
    }
    return found
  }

  func source(
    _ name: String, _ keys: OrderedDictionary<String, PropertyValue>
  ) throws(PipelineError) -> ResolvedSource {
    guard let source = try pipeline(name, keys).sources.first else {
      throw PipelineError(.bug, "a drafted source is missing.")
    }
    return source
  }

  /// Returns a pipeline of nothing but this source, with its data on this machine.
  func pipeline(
    _ name: String, _ keys: OrderedDictionary<String, PropertyValue>
  ) throws(PipelineError) -> ResolvedPipeline {
    let entries: [DraftEntry] = [
      DraftEntry("version", .number(1)),
      DraftEntry("sources", .object([name: .object(keys)])),
    ]
    let text = DraftText.text(entries)
    return try data.localized(
      PipelineDefinition(
        Document(bytes: Array(text.utf8), file: pipeline, environment: { _ in nil })))
  }

  /// Returns the file on this machine that holds the data of a source with these keys, unpacked.
  func localPath(_ keys: OrderedDictionary<String, PropertyValue>) throws(PipelineError) -> FilePath
  {
    let source = try source("data", keys)
    guard let path = try PipelineError.wrapping({ try source.origin.path() }) else {
      throw PipelineError(.missingInput, "there is no such file.", at: source.place)
    }
    return path
  }

  private func dataPath(_ keys: OrderedDictionary<String, PropertyValue>) -> String {
    if case .string(let path)? = keys["data"] { path } else { "" }
  }
}
