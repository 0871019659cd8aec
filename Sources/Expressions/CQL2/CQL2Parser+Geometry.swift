import JSON

/// The geometry types of well-known text.
enum PlanarText {
  static let types = [
    "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON",
    "GEOMETRYCOLLECTION",
  ]
}

/// Spatial predicates, boxes, and well-known text (OGC 06-103r4, clause 7).
extension CQL2Parser {
  mutating func spatial(_ relation: SpatialRelation) throws(CQL2Error) -> Operand {
    let place = token.place
    advance()
    try require(.openParenthesis)
    let left = try spatialOperand()
    try require(.comma)
    let right = try spatialOperand()
    try require(.closeParenthesis)
    switch (left, right) {
    case (nil, let geometry?):
      return Self.operand(SpatialPredicate(relation, geometry), at: place)
    case (let geometry?, nil):
      return Self.operand(SpatialPredicate(relation.reversed, geometry), at: place)
    default:
      throw CQL2Error(
        "\(relation.rawValue) compares the record's geometry, named 'geometry', with one that is "
          + "written out.", at: place)
    }
  }

  /// Parses a literal geometry; `nil` stands for the record's own, whatever its name.
  private mutating func spatialOperand() throws(CQL2Error) -> PlanarGeometry? {
    switch token.kind {
    case .quotedName:
      advance()
      return nil
    case .word:
      let isLiteral =
        following.kind == .sign(.openParenthesis)
        || (PlanarText.types.contains(token.keyword ?? "") && following.keyword != nil)
      guard isLiteral else {
        advance()
        return nil
      }
      var geometry = PlanarGeometry(isIndexed: true)
      try add(to: &geometry)
      return geometry
    default: throw expected("'geometry', BBOX(…) or a geometry such as POINT(7 51)")
    }
  }

  /// Adds the geometry that begins at the current token.
  private mutating func add(to geometry: inout PlanarGeometry) throws(CQL2Error) {
    let name = token.keyword ?? ""
    guard name == "BBOX" || PlanarText.types.contains(name) else {
      throw expected("BBOX or \(PlanarText.types.joined(separator: ", "))")
    }
    advance()
    if name == "BBOX" { return try addBox(to: &geometry) }
    if token.keyword == "Z" { advance() }
    if token.keyword == "EMPTY" {
      throw CQL2Error("an empty geometry has no relation to any other.", at: token.place)
    }
    switch name {
    case "POINT":
      try require(.openParenthesis)
      geometry.add(point: try position())
      try require(.closeParenthesis)
    case "LINESTRING": geometry.add(line: try line())
    case "POLYGON": geometry.add(polygon: try rings())
    case "MULTIPOINT":
      for position in try list({ parser throws(CQL2Error) in try parser.memberPosition() }) {
        geometry.add(point: position)
      }
    case "MULTILINESTRING":
      for line in try list({ parser throws(CQL2Error) in try parser.line() }) {
        geometry.add(line: line)
      }
    case "MULTIPOLYGON":
      for rings in try list({ parser throws(CQL2Error) in try parser.rings() }) {
        geometry.add(polygon: rings)
      }
    default:
      var members = geometry
      _ = try nested { parser throws(CQL2Error) in
        try parser.list { parser throws(CQL2Error) in try parser.add(to: &members) }
      }
      geometry = members
    }
  }

  /// Parses one or more items between parentheses.
  private mutating func list<Item>(
    _ item: (inout CQL2Parser) throws(CQL2Error) -> Item
  ) throws(CQL2Error) -> [Item] {
    try require(.openParenthesis)
    var items: [Item] = []
    repeat { items.append(try item(&self)) } while take(.comma)
    guard take(.closeParenthesis) else { throw expected("',' or ')'") }
    return items
  }

  private mutating func line() throws(CQL2Error) -> [PlanarPoint] {
    let place = token.place
    let line = try list { parser throws(CQL2Error) in try parser.position() }
    guard line.count >= 2 else { throw CQL2Error("a line has two positions or more.", at: place) }
    return line
  }

  private mutating func rings() throws(CQL2Error) -> [[PlanarPoint]] {
    try list { parser throws(CQL2Error) in
      let place = parser.token.place
      let ring = try parser.list { parser throws(CQL2Error) in try parser.position() }
      guard ring.count >= 4, ring.first == ring.last else {
        throw CQL2Error(
          "a ring has four positions or more, and the last repeats the first.", at: place)
      }
      return ring
    }
  }

  /// Parses a position of a MULTIPOINT, which writers may or may not put in parentheses.
  private mutating func memberPosition() throws(CQL2Error) -> PlanarPoint {
    guard take(.openParenthesis) else { return try position() }
    let position = try position()
    try require(.closeParenthesis)
    return position
  }

  /// Parses longitude, latitude, and an optional height, which is ignored.
  private mutating func position() throws(CQL2Error) -> PlanarPoint {
    let position = PlanarPoint(try longitude(), try latitude())
    switch token.kind {
    case .number, .sign(.minus), .sign(.plus): _ = try coordinate()
    default: break
    }
    return position
  }

  private mutating func longitude() throws(CQL2Error) -> Double {
    try coordinate("longitude", within: 540)
  }

  private mutating func latitude() throws(CQL2Error) -> Double {
    try coordinate("latitude", within: 90)
  }

  private mutating func coordinate(
    _ name: String, within limit: Double
  ) throws(CQL2Error) -> Double {
    let place = token.place
    let number = try coordinate()
    guard number.magnitude <= limit else {
      throw CQL2Error(
        "the \(name) \(NumberText.format(number)) is not within ±\(Int(limit)); longitudes come "
          + "first.", at: place)
    }
    return number
  }

  private mutating func coordinate() throws(CQL2Error) -> Double {
    let isNegative = token.kind == .sign(.minus)
    if isNegative || token.kind == .sign(.plus) { advance() }
    guard case .number(let number) = token.kind else { throw expected("a number") }
    advance()
    return isNegative ? -number : number
  }

  // MARK: Boxes

  /// Parses `BBOX(west, south, east, north)`, or with heights after south and north; with west
  /// greater than east it crosses the antimeridian.
  private mutating func addBox(to geometry: inout PlanarGeometry) throws(CQL2Error) {
    try require(.openParenthesis)
    let west = try longitude()
    try require(.comma)
    let southPlace = token.place
    let south = try latitude()
    try require(.comma)
    let hasHeights = argumentsAhead == 4
    if hasHeights {
      _ = try coordinate()
      try require(.comma)
    }
    var east = try longitude()
    try require(.comma)
    let north = try latitude()
    if hasHeights {
      try require(.comma)
      _ = try coordinate()
    }
    try require(.closeParenthesis)
    guard south <= north else {
      throw CQL2Error(
        "the south of a box is above its north; the order is west, south, east, north.",
        at: southPlace)
    }
    if east < west { east += 360 }
    geometry.add(west: west, south: south, east: east, north: north)
  }
}

extension PlanarGeometry {
  /// Adds a box; a box without height or width becomes a line or a point.
  fileprivate mutating func add(west: Double, south: Double, east: Double, north: Double) {
    let corners = [
      PlanarPoint(west, south), PlanarPoint(east, south),
      PlanarPoint(east, north), PlanarPoint(west, north),
    ]
    if west < east, south < north {
      add(polygon: [corners])
    } else {
      add(line: [corners[0], corners[2]])
    }
  }
}
