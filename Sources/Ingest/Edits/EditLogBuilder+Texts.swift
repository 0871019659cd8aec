import Features
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
