import Features
import Ingest
import OrderedCollections

/// The interpretation of an examination's numbers: findings with their remedies, and whether a
/// build would refuse the source.
struct Diagnosis {
  let subject: ExaminationSubject
  let examination: SourceExamination

  /// The number of records that the profiles cover.
  var profiled = 0
  /// The names of all columns of the file, including those that are not kept.
  var names: [String] = []
  /// Records that repeat an earlier one.
  var repeated = Occurrences()
  var areTwinsComplete = true
  var withoutProperties = Occurrences()
  /// The number of CSV records rejected for more fields than columns, and for fewer.
  var tooLong = 0
  var tooShort = 0
  /// The first two numbers in a column of geometries.
  var pair: String?
  /// Texts of a file that GDAL reads, a line each, that are not UTF-8.
  var foreignTexts: [UInt8] = []
  /// The texts of the first records, if the file has no geometries.
  var bareRecords: [[String]] = []
  /// The values of the properties that are used as numbers.
  var numbers: [QuantityUsage: QuantityCensus] = [:]
  /// Whether `id` names a property that does not exist.
  var idIsMissing = false

  /// Whether the reader's error is meaningless, since it reads bytes of another format.
  var replacesFailure = false

  private(set) var findings: [Finding] = []

  var ledger: SourceLedger { examination.ledger }

  mutating func add(_ finding: Finding?) {
    if let finding { findings.append(finding) }
  }

  func found(_ kinds: Finding.Kind...) -> Bool {
    findings.contains { kinds.contains($0.kind) }
  }

  /// Returns the findings in the order of their kinds, the reason why a build would refuse the
  /// source, and whether the findings explain its cause.
  mutating func concluded() -> (findings: [Finding], failure: SourceError?, isExplained: Bool) {
    let failure = examination.failure ?? missingID ?? duplicateID ?? intolerance ?? incompleteness
    let isLegacy = subject.csvOptions?.encoding.isUnicode == false
    if failure != nil || ledger.rejectedTotal > 0 || hasGarbledText || isLegacy {
      examineHead(failure)
    }
    addCoordinateFindings()
    addShapeFindings()
    addOutlineFindings()
    addColumnFindings()
    addRecordFindings()
    addRejects(failure)
    if let failure, !isExplained(failure) { add(Self.unreadable(failure)) }
    let order = Finding.Kind.allCases
    let sorted = findings.enumerated().sorted { left, right in
      let leftOrder = order.firstIndex(of: left.element.kind) ?? 0
      let rightOrder = order.firstIndex(of: right.element.kind) ?? 0
      return (leftOrder, left.offset) < (rightOrder, right.offset)
    }
    let cause = failure.flatMap { _ in sorted.map(\.element).first { Self.causes.contains($0.kind) }
    }
    return (sorted.map(\.element), failure.map { explained($0, by: cause) }, cause != nil)
  }

  /// The kinds of findings that are more informative than the reader's error.
  private static let causes: Set<Finding.Kind> = [
    .wrongType, .wrongEncoding, .titleRows, .swappedCoordinates, .metres, .scaledDegrees,
    .commaDecimals,
  ]

  private func explained(_ failure: SourceError, by cause: Finding?) -> SourceError {
    guard let cause else { return failure }
    var explained = failure
    if replacesFailure, cause.kind == .wrongType {
      (explained.line, explained.column) = (0, 0)
      explained.message = cause.sentence
      explained.fact = nil
    } else if cause.kind == .titleRows {
      (explained.line, explained.message, explained.fact) = (1, cause.sentence, nil)
    } else {
      explained.message += (failure.message.hasSuffix(".") ? " " : ". ") + cause.sentence
    }
    return explained
  }

  /// Whether a finding explains why the source is refused, not only that it is.
  private func isExplained(_ failure: SourceError) -> Bool {
    if examination.failure == nil { return findings.contains { $0.severity == .problem } }
    return found(
      .wrongType, .wrongEncoding, .wrongDelimiter, .titleRows, .recordAsHeader, .headerAsRecord,
      .coordinateColumns, .referenceSystem)
  }

  private var hasGarbledText: Bool { examination.columns.contains { $0.mojibake.count > 0 } }

  static func unreadable(_ failure: SourceError) -> Finding {
    let samples =
      failure.line > 0 ? [Finding.Sample(line: failure.line, column: failure.column)] : []
    return Finding(.unreadable, "The source is refused.", samples: samples, advice: failure.message)
  }

  private static func capitalized(_ sentence: String) -> String {
    sentence.prefix(1).uppercased() + sentence.dropFirst()
  }

  /// Returns a share in words: `3 of 200 records`.
  static func part(_ count: Int, of total: Int, _ noun: String) -> String {
    count == total
      ? (total == 1 ? "The only \(noun)" : "All \(total) \(noun)s")
      : "\(count) of \(total) \(noun)s"
  }
}

// MARK: - Refusals of a build

extension Diagnosis {
  private var missingID: SourceError? {
    guard idIsMissing, let id = subject.id else { return nil }
    return SourceError(
      UnknownColumn(
        .property(id), " in \(subject.file)", known: examination.columns.map(\.name), key: "id"),
      file: subject.file)
  }

  private var duplicateID: SourceError? {
    guard subject.onDuplicateID == .error,
      let example = ledger.examples.first(where: { $0.reason == .duplicateKey })
    else { return nil }
    return SourceError(
      code: .badData, file: example.file ?? subject.file, line: example.line,
      message: "\(example.message). Set 'onDuplicateId: first' or 'last' to keep one of them.")
  }

  /// Records that count against the tolerance.
  var held: Int { subject.tolerance.held(in: ledger) }

  private var incompleteness: SourceError? {
    subject.refusesIncomplete ? ledger.incomplete(file: subject.file) : nil
  }

  private var intolerance: SourceError? {
    guard subject.tolerance.isExceeded(by: ledger) else { return nil }
    let counts = RejectReason.allCases.compactMap { reason in
      ledger.rejected[reason].map { "\($0) \(reason.rawValue)" }
    }
    let first = ledger.examples.first { $0.reason != .duplicateKey }
    return SourceError(
      code: .badData, file: first?.file ?? subject.file, line: first?.line ?? 0,
      column: first?.column ?? 0,
      message: "\(first?.message ?? ""); \(held) rejected (\(counts.joined(separator: ", "))) and "
        + "\(subject.tolerance.count) tolerated. Fix the file or raise 'onError: {max: …}'.")
  }

  /// Whether nothing is left of the source, however many broken records are tolerated.
  var isAllRejected: Bool { ledger.used == 0 && ledger.rejectedTotal > 0 }

  /// The `onError` setting that tolerates all records rejected now.
  var toleratingAll: Setting { Setting("onError", .object(["max": .number(Double(held))])) }

  /// Adds a finding for each reason of rejected records that no other finding explains.
  private mutating func addRejects(_ failure: SourceError?) {
    addDuplicateIDs()
    guard subject.tolerance.isExceeded(by: ledger) || isAllRejected else { return }
    for reason in RejectReason.allCases where reason != .duplicateKey {
      guard let count = ledger.rejected[reason], !isExplained(reason) else { continue }
      let examples = ledger.examples(of: reason)
      var finding = Finding(
        .rejectedRecords,
        "\(Self.part(count, of: ledger.read, "record")) \(count == 1 ? "is" : "are") rejected "
          + "(\(reason.rawValue)).", count: count,
        samples: examples.map {
          Finding.Sample(file: $0.file, line: $0.line, column: $0.column, text: $0.message)
        })
      // A few broken records are best dropped; many are a sign of something else.
      if held * 10 <= ledger.read { finding.settings = [toleratingAll] }
      if reason == .raggedRow { finding.settings += fieldSettings }
      finding.advice = Self.advice(reason, examples.first?.message ?? "")
      add(finding)
    }
  }

  /// The settings that make records with too many or too few fields usable.
  private var fieldSettings: [Setting] {
    (tooLong > 0 ? [Setting("extraFields", .string(CSVOptions.ExtraFields.join.rawValue))] : [])
      + (tooShort > 0
        ? [Setting("missingFields", .string(CSVOptions.MissingFields.null.rawValue))] : [])
  }

  private mutating func addDuplicateIDs() {
    guard let count = ledger.rejected[.duplicateKey], subject.onDuplicateID == .error else {
      return
    }
    add(
      Finding(
        .duplicateIDs,
        "\(Self.part(count, of: ledger.read, "record")) repeat\(count == 1 ? "s" : "") the id of an "
          + "earlier one.", count: count,
        samples: ledger.examples(of: .duplicateKey).map {
          Finding.Sample(file: $0.file, line: $0.line, text: $0.message)
        },
        settings: [Setting("onDuplicateId", .string("first"))],
        advice: "Or 'last'; or another column for 'id'."))
  }

  private func isExplained(_ reason: RejectReason) -> Bool {
    switch reason {
    case .latitudeOutOfRange, .longitudeOutOfRange:
      found(.swappedCoordinates, .metres, .scaledDegrees)
    case .invalidCoordinate: found(.titleRows, .commaDecimals, .headerAsRecord, .wrongDelimiter)
    case .raggedRow: found(.wrongDelimiter, .wrongEncoding, .titleRows)
    case .invalidEncoding: found(.wrongEncoding)
    case .invalidJSON: found(.wrongType, .wrongEncoding)
    case .invalidQuoting: found(.wrongDelimiter)
    case .invalidGeometry: found(.wrongType)
    case .invalidTile, .invalidValue, .tooLarge, .duplicateKey, .invalidEdit, .noTrack,
      .noInstant:
      false
    }
  }

  private static func advice(_ reason: RejectReason, _ message: String) -> String {
    switch reason {
    case .raggedRow:
      "Look for fields with the delimiter in them that are not quoted, and for delimiters at line "
        + "ends; 'extraFields: ignore' leaves the last fields out, and in 'columns' '…' stands for any "
        + "number of fields before the last columns."
    case .invalidQuoting: "A quote inside a quoted field is written twice: \"a \"\"b\"\" c\"."
    case .latitudeOutOfRange, .longitudeOutOfRange: "No place on the map has these coordinates."
    case .invalidGeometry where message.contains(" ring"):
      "GDAL repairs polygons: ogr2ogr -makevalid repaired.geojson FILE"
    default: ""
    }
  }
}

// MARK: - Records

extension Diagnosis {
  private mutating func addRecordFindings() {
    guard examination.failure == nil else { return }
    var absence = ledger.absence
    if absence?.kind == .noGeometry { absence?.advice = adviceOnPlaces() }
    add(absence)
    if absence?.kind == .noRecords { return }
    for sentence in subject.unknownProperties(names) { add(Finding(.unknownProperty, sentence)) }
    if !subject.refusesIncomplete, let sentence = ledger.incompleteness {
      add(Finding(.incompleteAnswer, Self.capitalized(sentence) + "."))
    }
    addBeyondMap()
    if let count = ledger.repaired[.closedRings] {
      add(
        Finding(
          .openRings,
          "\(Self.part(count, of: ledger.read, "record")) \(count == 1 ? "has" : "have") rings whose "
            + "last position is not the first: a build closes them.", count: count))
    }
    if let count = ledger.repaired[.turnedEdges] {
      add(
        Finding(
          .turnedEdges,
          "\(Self.part(count, of: ledger.read, "record")) \(count == 1 ? "has" : "have") edges longer "
            + "than 270°: a build draws them the short way, across the antimeridian.", count: count,
          samples: ledger.firstRepaired[.turnedEdges].map {
            [Finding.Sample(line: $0.line, text: "record \($0.record)")]
          } ?? [], advice: RecordRepair.turnedEdges.advice + "."))
    }
    addRepeated()
    let position = examination.coordinates
    let share = Double(position.crowd) / Double(max(profiled, 1))
    if position.crowd >= 20, share >= 0.05, position.crowd < profiled,
      CoordinateProfile.isNearZero(position.crowdPosition) == false
    {
      add(
        Finding(
          .crowdedPosition,
          "\(position.crowd) of \(profiled) records are at exactly the same place: is it where a "
            + "geocoder puts addresses that it does not find?", count: position.crowd,
          samples: [
            Finding.Sample(
              line: position.crowdLine, text: CoordinateProfile.text(position.crowdPosition))
          ]))
    }
  }

  private mutating func addBeyondMap() {
    let count = ledger.beyondMap
    guard count > 0, !found(.swappedCoordinates, .metres, .scaledDegrees) else { return }
    add(
      Finding(
        .beyondMap,
        "\(Self.part(count, of: ledger.read, "record")) \(count == 1 ? "lies" : "lie") beyond "
          + "±85.0511° of latitude, where the map ends: "
          + (count == 1 ? "it is" : "they are") + " not drawn.", count: count,
        samples: examination.coordinates.beyondMap.samples))
  }

  private mutating func addRepeated() {
    // Where there are only coordinates, equal places do not make equal things.
    let coordinates = coordinateNames.map { [$0.x, $0.y] } ?? []
    guard repeated.count > 0,
      examination.columns.contains(where: { !coordinates.contains($0.name) })
    else { return }
    let least = areTwinsComplete ? "" : "At least "
    add(
      Finding(
        .repeatedRecords,
        least + Self.part(repeated.count, of: profiled, "record")
          + " repeat\(repeated.count == 1 ? "s" : "") an earlier one in place and every property.",
        count: repeated.count, samples: repeated.samples,
        advice: subject.csvOptions == nil
          ? "Nothing in a pipeline drops them." : "awk '!seen[$0]++' FILE drops lines that repeat.")
    )
  }
}
