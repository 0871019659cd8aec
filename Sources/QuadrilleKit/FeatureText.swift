import JSON
import Runs

/// Features as GeoJSON texts, one per line: the form in which a source takes them.
struct FeatureText {
  /// The reason why a feature cannot be drawn: the end of a sentence.
  struct Fault: Error {
    let words: String

    init(_ words: String) { self.words = words }
  }

  private(set) var bytes: [UInt8] = []

  /// Forgets what was written, but keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends a feature. Properties are in the order of their names, so that equal features have equal
  /// bytes.
  ///
  /// - Complexity: O(size of the feature).
  mutating func append(_ feature: MapFeature) throws(Fault) {
    append(#"{"type":"Feature""#)
    switch feature.id {
    case .string(let text):
      append(#","id":"#)
      JSONWriter.append(string: text, to: &bytes)
    case .integer(let number): append(#","id":\#(number)"#)
    case nil: break
    }
    append(#","geometry":"#)
    if let geometry = feature.geometry { try append(geometry) } else { append("null") }
    append(#","properties":{"#)
    var isFirst = true
    for (name, value) in feature.properties.sorted(by: { $0.key < $1.key }) {
      if !isFirst { append(",") }
      isFirst = false
      JSONWriter.append(string: name, to: &bytes)
      append(":")
      try append(value, of: name)
    }
    append("}}\n")
  }

  private mutating func append(_ value: MapFeature.Value, of name: String) throws(Fault) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append("\(value)")
    case .string(let value): JSONWriter.append(string: value, to: &bytes)
    case .number(let value):
      guard value.isFinite else { throw Fault("the number '\(name)' is \(value)") }
      JSONWriter.append(value, to: &bytes)
    }
  }

  // MARK: Geometries

  private mutating func append(_ geometry: MapGeometry) throws(Fault) {
    switch geometry {
    case .point(let position):
      begin("Point")
      try append(position)
    case .points(let positions):
      begin("MultiPoint")
      try list(positions) { (text, position) throws(Fault) in try text.append(position) }
    case .line(let positions):
      begin("LineString")
      try append(line: positions)
    case .lines(let lines):
      begin("MultiLineString")
      try list(lines) { (text, line) throws(Fault) in try text.append(line: line) }
    case .polygon(let rings):
      begin("Polygon")
      try append(polygon: rings)
    case .polygons(let polygons):
      begin("MultiPolygon")
      try list(polygons) { (text, rings) throws(Fault) in try text.append(polygon: rings) }
    }
    append("}")
  }

  private mutating func begin(_ type: String) {
    append(#"{"type":"\#(type)","coordinates":"#)
  }

  private mutating func append(polygon rings: [[MapPosition]]) throws(Fault) {
    guard !rings.isEmpty else { throw Fault("a polygon has no ring") }
    try list(rings) { (text, ring) throws(Fault) in try text.append(ring: ring) }
  }

  /// Appends a ring, closed as GeoJSON demands it.
  private mutating func append(ring: [MapPosition]) throws(Fault) {
    var closed = ring
    if let first = ring.first, ring.last != first || ring.count == 1 { closed.append(first) }
    guard closed.count > 3 else { throw Fault("a ring has fewer than three positions") }
    try list(closed) { (text, position) throws(Fault) in try text.append(position) }
  }

  private mutating func append(line positions: [MapPosition]) throws(Fault) {
    guard positions.count > 1 else { throw Fault("a line has fewer than two positions") }
    try list(positions) { (text, position) throws(Fault) in try text.append(position) }
  }

  private mutating func append(_ position: MapPosition) throws(Fault) {
    guard abs(position.latitude) <= 90 else {
      throw Fault("latitude \(position.latitude) is not within ±90°")
    }
    guard abs(position.longitude) <= 540 else {
      throw Fault("longitude \(position.longitude) is not within ±540°")
    }
    append("[")
    JSONWriter.append(position.longitude, to: &bytes)
    append(",")
    JSONWriter.append(position.latitude, to: &bytes)
    append("]")
  }

  /// Appends items in brackets, separated by commas.
  private mutating func list<Item>(
    _ items: [Item], _ body: (inout Self, Item) throws(Fault) -> Void
  ) throws(Fault) {
    append("[")
    var isFirst = true
    for item in items {
      if !isFirst { append(",") }
      isFirst = false
      try body(&self, item)
    }
    append("]")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
