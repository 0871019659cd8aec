import Features
import Files
import Ingest

// Findings that explain why a file cannot be read as it is: its type, encoding, delimiter, header
// and coordinate columns.
extension Diagnosis {
  /// Examines the beginning of the file for causes that the reader's errors do not name.
  mutating func examineHead(_ failure: SourceError?) {
    if subject.foreignTexts != nil { return addForeignTexts() }
    guard let source = try? subject.reopen?(), let head = try? SourceHead(source) else { return }
    addType(head, failure)
    if found(.wrongType) { return }
    if subject.isText { addEncoding(head, failure) }
    guard let options = subject.csvOptions else { return addReferenceSystem(failure) }
    guard failure != nil || ledger.rejectedTotal > subject.tolerance.count || isAllRejected else {
      return
    }
    let encoding = found(.wrongEncoding) ? head.guess.encoding : options.encoding
    let text = head.text(as: encoding)
    var declared = options
    declared.delimiter = CSVPreamble.delimiter(text) ?? options.delimiter
    let table = TableHead.best(
      text, delimiter: declared.delimiter, isWhole: head.isWhole, skip: options.skip)
    addTableFindings(table, declared)
  }

  // MARK: Type

  private mutating func addType(_ head: SourceHead, _ failure: SourceError?) {
    guard failure != nil, !subject.isVectorTiles else { return }
    let file = subject.file
    func packed(_ what: String, _ advice: String) -> Finding {
      Finding(.wrongType, "The file is \(what).", advice: advice)
    }
    switch head.signature {
    case .foreign(.sqlite) where !subject.isText: break
    case .foreign(.sqlite):
      var finding = packed(FileSignature.sqlite.words, "")
      finding.settings = [Setting("type", .string("gpkg"))]
      add(finding)
    case .foreign(.spreadsheet):
      replacesFailure = true
      var finding = packed(FileSignature.spreadsheet.words, "")
      if subject.csvOptions == nil {
        finding.settings = [Setting("type", .string("csv"))]
      } else {
        finding.advice = "It is damaged: save it again. 'type: csv' reads a sound one."
      }
      add(finding)
    case .foreign(let format) where format.isConverted:
      replacesFailure = true
      add(converted(format.words))
    case .foreign(let format):
      replacesFailure = true
      add(packed(format.words, format.conversion(of: file)))
    case .html:
      add(packed("a web page", "Fetch the data itself: the page is about it, or an error."))
    case .xml: add(converted("XML, such as GML, KML or GPX"))
    case .object where subject.csvOptions != nil: add(retyped(head))
    case .object: addJSONType(head)
    case .array: addArray(head, failure)
    case .script where subject.isJSON:
      add(packed("JavaScript", "Keep only what stands between the first { and the last }."))
    case .script: break
    case .binary:
      replacesFailure = true
      let bytes = head.bytes.prefix(4).map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
      }
      add(
        packed(
          "binary data of no known format, and no text: it begins with the bytes "
            + bytes.joined(separator: " "),
          "Name the file of the data, or convert it: ogrinfo \(file) says whether GDAL reads it."))
    case .text: if subject.isJSON { addTextType(head) }
    case .empty: break
    }
  }

  /// Returns the finding for a format that GDAL reads.
  private func converted(_ words: String) -> Finding {
    Finding(
      .wrongType, "The file is \(words).", settings: [Setting("type", .string("ogr"))])
  }

  private func retyped(_ head: SourceHead) -> Finding {
    let isSequence = head.objectLines > 1 && !head.contains("\"FeatureCollection\"")
    return Finding(
      .wrongType, "The file is JSON, not CSV.",
      settings: [Setting("type", .string(isSequence ? "geojsonseq" : "geojson"))])
  }

  /// Adds a finding for an array where an object or a table is expected; an array of features is
  /// easily turned into a sequence.
  private mutating func addArray(_ head: SourceHead, _ failure: SourceError?) {
    let isRefused = failure?.message.contains("must be an object") == true
    guard isRefused || subject.csvOptions != nil || !subject.isText else { return }
    replacesFailure = true
    if subject.csvOptions == nil, ObjectTable.isLikely(head.bytes) { return add(Self.objects) }
    add(
      Finding(
        .wrongType, "The file is a JSON array, neither a GeoJSON object nor a table.",
        advice: head.contains("\"Feature\"")
          ? "jq -c '.[]' \(subject.file) > features.geojsonl, and 'type: geojsonseq'." : ""))
  }

  private static let objects = Finding(
    .wrongType, "The file is an array of JSON objects, which is a table.",
    settings: [Setting("type", .string("csv"))])

  private mutating func addJSONType(_ head: SourceHead) {
    if head.contains("\"Topology\"") {
      add(converted("TopoJSON"))
    } else if head.contains("\"esriGeometry") {
      add(converted("JSON of an ArcGIS service"))
    } else if let foreign = ForeignJSON.allCases.first(where: { head.contains($0.mark) }) {
      replacesFailure = true
      add(
        Finding(.wrongType, "The file is \(foreign.words).", advice: foreign.advice(subject.file)))
    } else if ObjectTable.isLikely(head.bytes) {
      replacesFailure = true
      add(Self.objects)
    } else if case .geojson = subject.format, head.objectLines > 1,
      examination.failure?.message.contains("another object") == true
    {
      add(
        Finding(
          .wrongType, "The file has a GeoJSON text on each line.", count: head.objectLines,
          settings: [Setting("type", .string("geojsonseq"))]))
    } else if case .geojsonseq = subject.format, ledger.read > ledger.used,
      head.contains("\"FeatureCollection\"")
    {
      add(
        Finding(
          .wrongType, "The file is one GeoJSON text over many lines, not one on each.",
          settings: [Setting("type", .string("geojson"))]))
    }
  }

  /// Adds a finding for text where JSON is expected: CSV if a delimiter separates it evenly.
  private mutating func addTextType(_ head: SourceHead) {
    let text = head.text(as: head.guess.encoding)
    let table = TableHead.best(text, delimiter: UInt8(ascii: ","), isWhole: head.isWhole)
    guard table.isRegular, table.records.count > 1 else { return }
    var finding = Finding(
      .wrongType, "The file is not JSON but a table of \(table.width.fields) columns.",
      settings: [Setting("type", .string("csv"))])
    if table.delimiter != UInt8(ascii: ",") {
      finding.settings.append(
        Setting("delimiter", .string(TableHead.name(of: table.delimiter))))
    }
    add(finding)
  }

  // MARK: Encoding

  private mutating func addEncoding(_ head: SourceHead, _ failure: SourceError?) {
    let invalid = ledger.rejected[.invalidEncoding] ?? 0
    let set = subject.csvOptions?.encoding ?? .utf8
    var guess = head.guess
    if invalid > 0 || failure != nil, guess.encoding == .utf8, let source = try? subject.reopen?(),
      let whole = try? EncodingGuess.guess(source)
    {
      guess = whole
    }
    let isGarbled =
      !set.isUnicode && guess.encoding == .utf8 && guess.sequences > 0
    let isBroken =
      set == .utf8 && guess.encoding != .utf8
      && (invalid > 0 || failure != nil)
    guard isGarbled || isBroken || !set.isUnicode && guess.isImpossible(set) else { return }
    let isMarked = guess.encoding == .utf8 ? "" : ", judging by its bytes"
    var finding = Finding(
      .wrongEncoding, "The text is \(guess.encoding.name), not \(set.name)\(isMarked).",
      count: max(invalid, 1),
      samples: ledger.examples(of: .invalidEncoding).map {
        Finding.Sample(line: $0.line, column: $0.column)
      })
    if subject.isJSON {
      finding.advice =
        "iconv -f \(guess.encoding.name) -t UTF-8 \(subject.file) > utf8.json; JSON is UTF-8."
    } else {
      finding.settings = [Setting("encoding", .string(guess.encoding.configName))]
    }
    finding.advice = [finding.advice, Self.doubt(guess.legacy)].filter { !$0.isEmpty }
      .joined(separator: " ")
    add(finding)
  }

  private mutating func addForeignTexts() {
    guard let legacy = LegacyGuess(foreignTexts) else { return }
    let name = legacy.best.encoding.name
    add(
      Finding(
        .wrongEncoding,
        "The file does not say the encoding of its texts: judging by its bytes it is \(name).",
        count: max(ledger.rejected[.invalidEncoding] ?? 0, 1),
        settings: [Setting("encoding", .string(name))], advice: Self.doubt(legacy)))
  }

  /// Returns a sentence where another encoding is about as likely.
  private static func doubt(_ legacy: LegacyGuess?) -> String {
    guard let legacy, let rival = legacy.rival else { return "" }
    return
      "That is not sure: in \(legacy.best.encoding.name) there stands '\(legacy.best.words)', in "
      + "\(rival.encoding.name) '\(rival.words)'."
  }

  private mutating func addReferenceSystem(_ failure: SourceError?) {
    let mark = subject.isJSON ? "the coordinates are in" : "with the table as 'layer'"
    guard let failure, failure.message.contains(mark) else { return }
    add(
      Finding(
        .referenceSystem, "The file says that its coordinates are not longitudes and latitudes.",
        samples: [Finding.Sample(line: failure.line, column: failure.column)],
        settings: [Setting("type", .string("ogr"))]))
  }
}

extension TextEncoding {
  /// The name that `encoding:` takes; the byte order is determined by the mark or the first
  /// character.
  fileprivate var configName: String {
    switch self {
    case .utf16LittleEndian, .utf16BigEndian: "utf-16"
    default: name
    }
  }
}
