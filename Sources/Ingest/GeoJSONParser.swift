import Features
import JSON

/// Reads one GeoJSON object after the other off a tokenizer, piece by piece, into batches.
///
/// Members may stand in any order: what they hold is kept aside until the object ends and its
/// type is known. What RFC 7946 demands and readers could get wrong is refused; what is merely
/// discouraged (winding order, more than three ordinates, collections inside collections, a `bbox`
/// that says nothing true) is read.
struct GeoJSONParser: ~Copyable {
  /// What has been read of an object.
  struct Object {
    var place: JSONPlace
    var type: GeoJSONType?
    var members: GeoJSONMembers = []
    /// The kind of the geometry that the member `geometry` holds.
    var kind = GeometryColumn.Kind.none
  }

  static let missingGeometry =
    "the member 'geometry' is missing; it is null in a Feature without one"

  var json: JSONTokenizer
  private(set) var shape: GeoJSONShape
  private(set) var properties: GeoJSONProperties
  private let options: GeoJSONOptions
  /// Whether the Feature read last has no member `geometry`, where that is let pass.
  private(set) var lacksGeometry = false
  /// Records with rings that were not closed in the file.
  private(set) var closedRings = 0
  /// The bytes of values and positions that the batch holds.
  private var batchBytes = 0

  init(_ json: consuming JSONTokenizer, options: GeoJSONOptions) {
    self.json = json
    self.options = options
    shape = GeoJSONShape(maximumPositions: options.maximumPositions)
    properties = GeoJSONProperties(options)
  }

  /// Clears the batch and gives it the columns of this file.
  mutating func prepare(_ batch: inout FeatureBatch) {
    batch.removeAll()
    batchBytes = 0
    let names = properties.columnNames
    if !batch.columns.lazy.map(\.name).elementsEqual(names) {
      batch.columns = names.map { PropertyColumn(name: $0) }
    }
  }

  /// Whether the batch should be handed on.
  func isFull(_ batch: FeatureBatch) -> Bool {
    batch.count >= options.batchRecords || batchBytes >= options.batchBytes
  }

  /// Makes the batch whole: every column has a row for each record.
  func finish(_ batch: inout FeatureBatch) { properties.fillUp(&batch) }

  /// Forgets the record before.
  mutating func startRecord() {
    lacksGeometry = false
    shape.removeAll()
    properties.startRecord()
  }

  /// Appends the record that was read.
  mutating func append(_ kind: GeometryColumn.Kind, at line: Int, to batch: inout FeatureBatch) {
    properties.append(to: &batch)
    shape.append(as: kind, to: &batch.geometry)
    if shape.closesRings { closedRings += 1 }
    batch.lines.append(line)
    batchBytes += properties.byteCount + shape.byteCount
  }
}

// MARK: - Objects

extension GeoJSONParser {
  /// Reads a feature whose brace ``JSONTokenizer/peek()`` just saw and appends it to the batch.
  mutating func readFeature(into batch: inout FeatureBatch) throws(JSONFailure) {
    startRecord()
    var object = Object(place: json.place())
    try json.beginObject()
    while try json.nextName() {
      let member = GeoJSONMembers(name: json.text)
      try read(member, of: &object)
    }
    try checkFeature(object)
    append(object.kind, at: object.place.line, to: &batch)
  }

  /// Checks that an object whose members have all been read is a feature.
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
    while try json.nextName() {
      var member = GeoJSONMembers(name: json.text)
      if member == .id { member = [] }
      try read(member, of: &object)
    }
    return try finishGeometry(object)
  }

  /// Adds the coordinates of a geometry object whose members have all been read.
  ///
  /// - Returns: its kind; `none` where it holds no positions, as RFC 7946, 3.1 allows.
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

  /// Refuses members that would change what an object is.
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
  /// The ledger with the records whose rings a parser closed.
  func countingRings(closedBy parser: borrowing GeoJSONParser) -> SourceLedger {
    var ledger = self
    if parser.closedRings > 0 { ledger.repaired[.closedRings] = parser.closedRings }
    return ledger
  }
}
