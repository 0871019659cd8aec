package import Features
package import JSON

/// A parser that reads one GeoJSON object after the other from a tokenizer, piece by piece, into
/// batches.
///
/// Members may come in any order: their values are set aside until the object ends and its type is
/// known. Violations of RFC 7946 that would be misread are refused; what it merely discourages
/// (winding order, more than three ordinates, collections inside collections, a wrong `bbox`) is
/// read.
package struct GeoJSONParser: ~Copyable {
  /// The state of an object that is being read.
  struct Object {
    var place: JSONPlace
    var type: GeoJSONType?
    var members: GeoJSONMembers = []
    /// The kind of the geometry that the member `geometry` holds.
    var kind = GeometryColumn.Kind.none
  }

  /// The members that nearly all features have, as programs spell them.
  private struct Spellings {
    let feature = JSONSpelling(name: "type", value: "Feature")
    let type = JSONSpelling(name: "type".utf8)
    let geometry = JSONSpelling(name: "geometry".utf8)
    let properties = JSONSpelling(name: "properties".utf8)
    let coordinates = JSONSpelling(name: "coordinates".utf8)
  }

  package static let missingGeometry =
    "the member 'geometry' is missing; it is null in a Feature without one"

  package var json: JSONTokenizer
  var shape: GeoJSONShape
  var properties: GeoJSONProperties
  let options: GeoJSONOptions
  private let spellings = Spellings()
  private let hasTemplates: Bool
  var templates = GeoJSONTemplates()
  /// The values of the feature that is compared with a template.
  var plainValues = JSONBuffer<GeoJSONPlainValue>()
  /// Whether the Feature read last has no member `geometry`, where that is permitted.
  package private(set) var lacksGeometry = false
  /// The position of the feature read last, of those in a collection.
  private var featureBegin = 0
  /// The number of records with rings that are open in the file.
  private(set) var closedRings = 0
  /// The bytes of values and positions that the batch holds.
  package private(set) var batchBytes = 0

  package init(_ json: consuming JSONTokenizer, options: GeoJSONOptions) {
    self.json = json
    self.options = options
    shape = GeoJSONShape(maximumPositions: options.maximumPositions)
    properties = GeoJSONProperties(options)
    hasTemplates = Self.allowsTemplates(options)
  }

  /// The maximum size of a string in bytes.
  var stringLimit: Int { options.json.stringBytes }

  /// Clears the batch and gives it the columns of this file.
  package mutating func prepare(_ batch: inout FeatureBatch) {
    batch.removeAll()
    batchBytes = 0
    let names = properties.columnNames
    if !batch.columns.lazy.map(\.name).elementsEqual(names) {
      batch.columns = names.map { PropertyColumn(name: $0) }
    }
  }

  /// The most names that a record refused so far alone had.
  private(set) var namesOfRefused = 0

  /// Whether the batch should be handed over.
  func isFull(_ batch: FeatureBatch) -> Bool {
    batch.count >= options.batchRecords || batchBytes >= options.batchBytes
  }

  /// Takes over what was read elsewhere: records with open rings, and the names of columns in their
  /// order.
  mutating func adopt(closedRings: Int, names: [String]) {
    self.closedRings = closedRings
    batchBytes = 0
    properties.adopt(names)
  }

  /// Completes the batch: every column gets a row for each record.
  package func finish(_ batch: inout FeatureBatch) { properties.fillUp(&batch) }

  /// Drops the previous record.
  mutating func startRecord() {
    namesOfRefused = max(namesOfRefused, properties.unsettledCount)
    lacksGeometry = false
    shape.removeAll()
    properties.startRecord()
  }

  /// Appends the record that was read.
  mutating func append(_ kind: GeometryColumn.Kind, at line: Int, to batch: inout FeatureBatch) {
    properties.append(to: &batch)
    append(kind, at: line, to: &batch, valueBytes: properties.byteCount)
  }

  /// Appends the geometry and the line of the record whose values were appended.
  @inline(__always)
  mutating func append(
    _ kind: GeometryColumn.Kind, at line: Int, to batch: inout FeatureBatch, valueBytes: Int
  ) {
    shape.append(as: kind, to: &batch.geometry)
    if shape.closesRings { closedRings += 1 }
    batch.lines.append(line)
    batchBytes += valueBytes + shape.byteCount
  }
}

// MARK: - Objects

extension GeoJSONParser {
  /// Reads the feature whose brace ``JSONTokenizer/peek()`` just saw and appends it to the batch.
  mutating func readFeature(into batch: inout FeatureBatch) throws(JSONFailure) {
    featureBegin = json.offset
    let usesTemplates = usesTemplates()
    if usesTemplates, readPlainFeature(into: &batch) { return }
    startRecord()
    var object = Object(place: json.place())
    try json.beginObject()
    while true {
      if try readPlainMember(ofFeature: &object) { continue }
      guard try json.nextName() else { break }
      let member = GeoJSONMembers(name: json.text)
      try read(member, of: &object)
    }
    try checkFeature(object)
    append(object.kind, at: object.place.line, to: &batch)
    if usesTemplates { learnTemplate(from: featureBegin) }
  }

  /// Notes the extent of the feature of a collection that was just appended, if it is requested.
  func locateFeature(in batch: inout FeatureBatch) {
    guard options.locates else { return }
    batch.extents.append(RecordExtent(begin: featureBegin, end: json.offset))
  }

  /// Whether the next feature is compared with templates, or becomes one.
  mutating func usesTemplates() -> Bool { hasTemplates && templates.isWorthwhile() }

  /// Reads the next member of a feature if its name is spelled as programs write it, which spares
  /// reading the name as a string and looking it up.
  ///
  /// - Returns: whether it was.
  @inline(__always)
  private mutating func readPlainMember(
    ofFeature object: inout Object
  ) throws(JSONFailure) -> Bool {
    if !object.members.contains(.type), json.take(spellings.feature) {
      object.members.insert(.type)
      object.type = .feature
    } else if !object.members.contains(.properties), json.take(spellings.properties) {
      object.members.insert(.properties)
      try properties.readProperties(from: &json)
    } else if !object.members.contains(.geometry), json.take(spellings.geometry) {
      object.members.insert(.geometry)
      object.kind = try readGeometryMember()
    } else {
      return false
    }
    return true
  }

  /// The same for a geometry.
  @inline(__always)
  private mutating func readPlainMember(
    ofGeometry object: inout Object
  ) throws(JSONFailure) -> Bool {
    if !object.members.contains(.type), json.take(spellings.type) {
      object.members.insert(.type)
      object.type = try readType()
    } else if !object.members.contains(.coordinates), json.take(spellings.coordinates) {
      object.members.insert(.coordinates)
      try shape.coordinates.read(from: &json)
    } else {
      return false
    }
    return true
  }

  /// Checks that an object whose members have all been read is a Feature.
  mutating func checkFeature(_ object: Object) throws(JSONFailure) {
    guard object.type == .feature else {
      throw refusal(
        object.type.map { "a \($0.rawValue) stands where a Feature is expected" }
          ?? "the member 'type' is missing; it must be Feature", object.place)
    }
    try refuse([.coordinates, .geometries, .features], of: object)
    lacksGeometry = !object.members.contains(.geometry)
    if lacksGeometry, options.requiresGeometry {
      throw refusal(Self.missingGeometry, object.place)
    }
  }

  /// Reads the value of a member and keeps what it holds.
  mutating func read(
    _ member: GeoJSONMembers, of object: inout Object
  ) throws(JSONFailure) {
    guard object.members.isDisjoint(with: member) else {
      throw JSONFailure(
        .record(.invalidJSON), json.place(),
        "the member '\(member.firstName)' occurs twice in one object; keep one of the two")
    }
    object.members.formUnion(member)
    switch member {
    case .type: object.type = try readType()
    case .coordinates: try shape.coordinates.read(from: &json)
    case .geometries: try readGeometries()
    case .geometry: object.kind = try readGeometryMember()
    case .properties: try properties.readProperties(from: &json)
    case .id: try properties.readID(from: &json)
    default: try json.skipValue()
    }
  }

  private mutating func readType() throws(JSONFailure) -> GeoJSONType {
    let isString = try json.peek() == JSONByte.quote
    let place = json.place()
    guard isString else { throw refusal("'type' must be a string", place) }
    try json.readString()
    guard let type = GeoJSONType(name: json.text) else {
      let name = JSONFailure.quoted(String(decoding: json.text, as: UTF8.self))
      throw refusal("\(name) is no type of GeoJSON (names are case-sensitive)", place)
    }
    return type
  }
}

// MARK: - Geometries

extension GeoJSONParser {
  private mutating func readGeometryMember() throws(JSONFailure) -> GeometryColumn.Kind {
    guard try json.peek() == JSONByte.openBrace else {
      let place = json.place()
      try json.readNull(orReject: "'geometry' must be an object or null", at: place)
      return .none
    }
    return try readGeometry()
  }

  private mutating func readGeometries() throws(JSONFailure) {
    let isArray = try json.peek() == JSONByte.openBracket
    let place = json.place()
    guard isArray else { throw refusal("'geometries' must be an array", place) }
    try json.beginArray()
    while try json.nextElement() {
      let isObject = try json.peek() == JSONByte.openBrace
      let place = json.place()
      guard isObject else {
        throw refusal("'geometries' must hold nothing but geometry objects", place)
      }
      _ = try readGeometry()
    }
  }

  /// Reads a geometry object and adds it to the shape; recursion is bounded by the depth limit.
  private mutating func readGeometry() throws(JSONFailure) -> GeometryColumn.Kind {
    var object = Object(place: json.place())
    try json.beginObject()
    while true {
      if try readPlainMember(ofGeometry: &object) { continue }
      guard try json.nextName() else { break }
      var member = GeoJSONMembers(name: json.text)
      if member == .id { member = [] }
      try read(member, of: &object)
    }
    return try finishGeometry(object)
  }

  /// Adds the coordinates of a geometry object whose members have all been read.
  ///
  /// - Returns: the geometry's kind; `none` where it has no positions, as RFC 7946, 3.1 allows.
  mutating func finishGeometry(_ object: Object) throws(JSONFailure) -> GeometryColumn.Kind {
    guard let type = object.type else {
      throw refusal("the member 'type' of a geometry is missing", object.place)
    }
    guard let kind = type.kind else {
      throw refusal("a \(type.rawValue) stands where a geometry is expected", object.place)
    }
    try refuse([.geometry, .properties, .features], of: object)
    let needed: GeoJSONMembers = type == .geometryCollection ? .geometries : .coordinates
    guard object.members.contains(needed) else {
      throw refusal(
        "the member '\(needed.firstName)' of a \(type.rawValue) is missing", object.place)
    }
    if type == .geometryCollection {
      try refuse(.coordinates, of: object)
    } else {
      try refuse(.geometries, of: object)
      try shape.add(type)
    }
    return shape.isEmpty ? .none : kind
  }

  /// Refuses members that would change the type of an object.
  func refuse(_ members: GeoJSONMembers, of object: Object) throws(JSONFailure) {
    let found = object.members.intersection(members)
    guard found.isEmpty else {
      throw refusal(
        "a \(object.type?.rawValue ?? "GeoJSON object") may not have a member "
          + "'\(found.firstName)' (RFC 7946, 7.1); remove or rename it", object.place)
    }
  }

  func refusal(_ message: String, _ place: JSONPlace) -> JSONFailure {
    JSONFailure(.record(.invalidGeometry), place, message)
  }
}

extension SourceLedger {
  /// Returns the ledger with the records whose rings a parser closed.
  func countingRings(closedBy parser: borrowing GeoJSONParser) -> SourceLedger {
    var ledger = self
    if parser.closedRings > 0 { ledger.repaired[.closedRings] = parser.closedRings }
    return ledger
  }
}
