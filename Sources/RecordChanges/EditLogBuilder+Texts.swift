import Features
import Ingest
import JSON

// GeoJSON text sequences of edits: one Feature per line (or behind each record separator).
extension EditLogBuilder {
  /// Adds all entries of a GeoJSON text sequence.
  ///
  /// A Feature's members `op` and `time`, beside its `properties`, describe the entry. A Feature
  /// without a member `op` may have both in its properties instead, since most programs cannot
  /// write other members; there they are not properties of the record. Only an upsert needs a
  /// member `geometry`.
  mutating func readTexts(_ source: ByteSource) throws(SourceError) {
    try open(source.name)
    var geoJSON = options.geoJSON
    geoJSON.requiresGeometry = false
    for name in [options.key, options.operation, options.time].compactMap({ $0 })
    where geoJSON.wanted?.contains(name) == false {
      geoJSON.wanted?.append(name)
    }
    var texts = GeoJSONTexts(source: source, maximumBytes: geoJSON.lineBytes)
    var parser = GeoJSONParser(JSONTokenizer(limits: geoJSON.json), options: geoJSON)
    var batch = FeatureBatch()
    parser.prepare(&batch)
    while let text = try texts.next() {
      switch text {
      case .text(let bytes, let place):
        try read(bytes, at: place, &parser, &batch)
      case .tooLong(let place):
        reject(place.line, "the text is longer than \(geoJSON.lineBytes) bytes")
      }
    }
  }

  /// Adds the entry of one text.
  private mutating func read(
    _ text: UnsafeRawBufferPointer, at place: JSONPlace, _ parser: inout GeoJSONParser,
    _ batch: inout FeatureBatch
  ) throws(SourceError) {
    parser.json.attach(text, at: place)
    var members = EditMembers()
    do {
      try members.read(&parser.json, operation: options.operation, time: options.time)
    } catch {
      // A violation of the grammar is found again, and reported, when the Feature is read.
      if error.recordReason != nil { return reject(error.place.line, error.message) }
    }
    if members.isCollection {
      return reject(place.line, "an entry of a log is a Feature on a line of its own")
    }
    parser.json.attach(text, at: place)
    batch.removeAll()
    var root = GeoJSONRoot(remedy: "put each on a line of its own")
    while root.position != .end {
      do {
        try root.step(&parser, into: &batch)
      } catch {
        return refuse(error)
      }
    }
    parser.finish(&batch)
    guard batch.count == 1 else { return }
    try take(batch, members: members, lacksGeometry: parser.lacksGeometry)
  }

  private mutating func refuse(_ fault: GeoJSONRoot.Fault) {
    let example =
      switch fault {
      case .record(let example): example
      case .text(let failure):
        SourceLedger.Example(
          reason: failure.reason, line: failure.place.line, column: failure.place.column,
          message: failure.message)
      }
    var refused = SourceLedger()
    refused.read = 1
    refused.reject(example, as: example.reason)
    add(refused)
  }

  /// Adds the single record of a batch as an entry.
  private mutating func take(
    _ batch: FeatureBatch, members: EditMembers, lacksGeometry: Bool
  ) throws(SourceError) {
    func column(_ name: String) -> Int? { batch.columns.firstIndex { $0.name == name } }
    var claim = Claim(operation: members.operation, time: members.time)
    var own: [Int] = []
    if members.operation == nil {
      for (name, path) in [(options.operation, \Claim.operation), (options.time, \Claim.time)] {
        guard claim[keyPath: path] == nil, let place = column(name),
          batch.columns[place].kinds[0] != .missing
        else { continue }
        claim[keyPath: path] = batch.columns[place].text(0)
        own.append(place)
        noteOwnColumn(name)
      }
    }
    // A deletion needs no position, and an update keeps the record's.
    if lacksGeometry, (claim.operation ?? "upsert") == EditOperation.upsert.rawValue {
      return reject(batch.lines[0], GeoJSONParser.missingGeometry)
    }
    try take(
      batch, 0, claim: claim, keyColumn: options.key.flatMap(column), own: own, isSparse: false)
  }
}

/// The description of an edit in members of a GeoJSON object that GeoJSON does not define (RFC
/// 7946, 6.1).
struct EditMembers {
  private(set) var operation: String?
  private(set) var time: String?

  /// Whether the object is a FeatureCollection.
  private(set) var isCollection = false

  /// Reads the members of the object at the start of a text and skips the rest.
  ///
  /// - Throws: ``JSONFailure``; of kind `record` where a member is unusable although the text is
  ///   valid JSON.
  mutating func read(
    _ json: inout JSONTokenizer, operation operationName: String, time timeName: String
  ) throws(JSONFailure) {
    guard try json.peek() == JSONByte.openBrace else { return }
    try json.beginObject()
    while try json.nextName() {
      if json.text.elementsEqual(operationName.utf8) {
        try refuseTwin(operation, operationName, json.place())
        operation = try Self.text(&json)
      } else if json.text.elementsEqual(timeName.utf8) {
        try refuseTwin(time, timeName, json.place())
        time = try Self.text(&json)
      } else if json.text.elementsEqual("type".utf8) {
        isCollection = try Self.text(&json) == GeoJSONType.featureCollection.rawValue
      } else {
        try json.skipValue()
      }
    }
  }

  private func refuseTwin(
    _ before: String?, _ name: String, _ place: JSONPlace
  ) throws(JSONFailure) {
    guard before != nil else { return }
    throw JSONFailure(.record(.invalidEdit), place, "the member '\(name)' occurs twice")
  }

  /// Returns a value as text: null counts as absent, and anything but a string is written as JSON.
  private static func text(_ json: inout JSONTokenizer) throws(JSONFailure) -> String? {
    switch try JSONValueParser.value(from: &json, maximumBytes: 1 << 10) {
    case .null: nil
    case .string(let text): text
    case let other: JSONWriter.text(other)
    }
  }
}
