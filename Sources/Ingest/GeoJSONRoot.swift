package import Features
package import JSON

/// The state of reading a GeoJSON text: at the members of its object, or among its features.
package struct GeoJSONRoot {
  package enum Position {
    case start
    case members
    case features
    case end
  }

  package private(set) var position = Position.start
  /// What the members of a collection say about records that it lacks.
  private(set) var extent = AnswerExtent()
  /// The remedy for a second object behind the first.
  private let remedy: String
  private var object = GeoJSONParser.Object(place: JSONPlace(line: 1, column: 1))

  /// Creates the state at the start of a text.
  ///
  /// - Parameter remedy: the remedy for a second object behind the first.
  package init(remedy: String) { self.remedy = remedy }

  /// A step through a text that failed.
  package enum Fault: Error {
    /// One record is lost and counted; reading continues.
    case record(SourceLedger.Example)
    /// The text is unusable, or unusable from this place on.
    case text(JSONFailure)

    /// Creates the fault of a failure, after which the parser continues after the record, inside
    /// `kept` containers, if only that is lost.
    init(_ error: JSONFailure, _ parser: inout GeoJSONParser, unwindingTo kept: Int) {
      guard let reason = error.recordReason else {
        self = .text(error)
        return
      }
      // The rest of the record is only skipped: a violation of the grammar there is an error of the
      // text.
      do {
        try parser.json.unwind(to: kept)
      } catch {
        self = .text(error)
        return
      }
      self = .record(
        SourceLedger.Example(
          reason: reason, line: error.place.line, column: error.place.column,
          message: error.message))
    }
  }

  /// Reads until at most one more record has been appended to the batch.
  ///
  /// - Throws: ``Fault``; after one of kind `record` the next step continues after that record.
  package mutating func step(
    _ parser: inout GeoJSONParser, into batch: inout FeatureBatch
  ) throws(Fault) {
    let begun = position
    do {
      switch begun {
      case .start: try begin(&parser)
      case .members: try readMember(&parser, &batch)
      case .features: try readFeature(&parser, &batch)
      case .end: break
      }
    } catch {
      guard isOneRecord(begun) else { throw .text(error) }
      let fault = Fault(error, &parser, unwindingTo: begun == .features ? 2 : 0)
      if case .record = fault, begun == .members {
        do {
          try finish(&parser)
        } catch {
          throw .text(error)
        }
      }
      throw fault
    }
  }

  /// Goes on after the end of the features.
  mutating func leaveFeatures(_ parser: inout GeoJSONParser) {
    position = .members
    // What the last feature held plays no part in the members of the collection.
    parser.startRecord()
  }

  /// Whether a single record is being read: a feature of a collection, or a text that is itself a
  /// feature or geometry.
  private func isOneRecord(_ position: Position) -> Bool {
    if position != .members { return position == .features }
    guard object.members.isDisjoint(with: .features) else { return false }
    if let type = object.type { return type != .featureCollection }
    return !object.members.isDisjoint(with: [.coordinates, .geometries, .geometry, .properties])
  }

  private mutating func begin(_ parser: inout GeoJSONParser) throws(JSONFailure) {
    let isObject = try parser.json.peek() == JSONByte.openBrace
    let place = parser.json.place()
    guard isObject else {
      // Reports the violation of the grammar, if there is one.
      try parser.json.skipValue()
      throw parser.refusal("GeoJSON must be an object", place)
    }
    object = GeoJSONParser.Object(place: place)
    parser.startRecord()
    try parser.json.beginObject()
    position = .members
  }

  private mutating func readMember(
    _ parser: inout GeoJSONParser, _ batch: inout FeatureBatch
  ) throws(JSONFailure) {
    guard try parser.json.nextName() else {
      try finish(&parser)
      try close(&parser, &batch)
      return
    }
    let member = GeoJSONMembers(name: parser.json.text)
    if member == .crs, !object.members.contains(.crs) {
      object.members.insert(.crs)
      try checkReferenceSystem(&parser)
      return
    }
    if member.isEmpty, AnswerExtent.reads(parser.json.text) {
      try extent.read(String(decoding: parser.json.text, as: UTF8.self), from: &parser.json)
      return
    }
    if member == .properties, !object.members.contains(.properties),
      object.type == .featureCollection || object.members.contains(.features)
    {
      if try !extent.readProperties(from: &parser.json) { object.members.insert(.properties) }
      return
    }
    if member == .features, !object.members.contains(.features),
      (object.type ?? .featureCollection) == .featureCollection
    {
      object.members.insert(.features)
      try enterFeatures(&parser)
      return
    }
    try parser.read(member, of: &object)
  }

  private mutating func enterFeatures(_ parser: inout GeoJSONParser) throws(JSONFailure) {
    guard try parser.json.peek() == JSONByte.openBracket else {
      throw parser.refusal("'features' must be an array", parser.json.place())
    }
    try parser.json.beginArray()
    position = .features
  }

  private func checkReferenceSystem(_ parser: inout GeoJSONParser) throws(JSONFailure) {
    let place = parser.json.place()
    let crs = try JSONValueParser.value(from: &parser.json, maximumBytes: 1 << 16)
    guard !parser.options.ignoresReferenceSystem,
      let refusal = GeoJSONReferenceSystem.refusal(of: crs)
    else { return }
    throw JSONFailure(.text, place, refusal)
  }

  private mutating func readFeature(
    _ parser: inout GeoJSONParser, _ batch: inout FeatureBatch
  ) throws(JSONFailure) {
    guard try parser.json.nextElement() else {
      leaveFeatures(&parser)
      return
    }
    guard try parser.json.peek() == JSONByte.openBrace else {
      throw parser.refusal("'features' must hold nothing but Features", parser.json.place())
    }
    try parser.readFeature(into: &batch)
  }

  /// Decides what the object is now that all its members are known.
  private func close(
    _ parser: inout GeoJSONParser, _ batch: inout FeatureBatch
  ) throws(JSONFailure) {
    switch object.type {
    case .featureCollection:
      try parser.refuse([.coordinates, .geometries, .geometry, .properties], of: object)
      guard object.members.contains(.features) else {
        throw parser.refusal(
          "the member 'features' of a FeatureCollection is missing", object.place)
      }
    case .feature:
      try parser.checkFeature(object)
      parser.append(object.kind, at: object.place.line, to: &batch)
    case .some:
      let kind = try parser.finishGeometry(object)
      parser.append(kind, at: object.place.line, to: &batch)
    case nil:
      throw parser.refusal("the member 'type' is missing", object.place)
    }
  }

  /// Checks that nothing follows the text.
  private mutating func finish(_ parser: inout GeoJSONParser) throws(JSONFailure) {
    position = .end
    if try parser.json.peek() == JSONByte.openBrace {
      throw JSONFailure(
        .text, parser.json.place(), "another object follows the first; \(remedy)")
    }
    try parser.json.finish()
  }
}
