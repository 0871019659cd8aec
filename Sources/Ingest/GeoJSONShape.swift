import Features
import JSON
import Tiling

/// The geometry of the feature that is being read, as parts in the order of the file, until the
/// feature is known to be valid.
struct GeoJSONShape: ~Copyable {
  struct Part {
    var part: GeometryColumn.Part
    /// The part's end in the positions; it begins where the one before ends.
    var end: Int
    /// Whether the first position must be appended to close the part.
    var isClosedHere = false
  }

  var coordinates: GeoJSONCoordinates
  private var parts = JSONBuffer<Part>()

  init(maximumPositions: Int) {
    coordinates = GeoJSONCoordinates(maximumPositions: maximumPositions)
  }

  /// Whether a ring of the feature is open in the file.
  private(set) var closesRings = false

  /// Whether no geometry has been added.
  var isEmpty: Bool { parts.isEmpty }

  /// The bytes that the positions take in a batch.
  var byteCount: Int { coordinates.positions.count * MemoryLayout<LngLat>.stride }

  /// Drops the previous feature.
  mutating func removeAll() {
    coordinates.removeAll()
    parts.removeAll()
    closesRings = false
  }

  /// Adds the coordinates read last as the parts of a geometry of this type.
  ///
  /// - Throws: a failure of kind `record` where the coordinates do not fit the type.
  mutating func add(_ type: GeoJSONType) throws(JSONFailure) {
    let levels = coordinates.levels
    guard levels > 0 else { return }
    guard levels == type.levels else {
      throw refusal(
        "the coordinates of a \(type.rawValue) are nested \(type.levels ?? 0) deep, not \(levels)")
    }
    switch type {
    case .point, .multiPoint: addPoints()
    case .lineString, .multiLineString: try addLines()
    default: try addPolygons(type)
    }
  }

  private mutating func addPoints() {
    for end in coordinates.start..<coordinates.positions.count {
      parts.append(Part(part: .point, end: end + 1))
    }
  }

  private mutating func addLines() throws(JSONFailure) {
    var start = coordinates.start
    for index in 0..<coordinates.lines.count {
      let line = coordinates.lines[index]
      guard line.end - start >= 2 else { throw refusal("a line needs two or more positions") }
      parts.append(Part(part: .line, end: line.end))
      start = line.end
    }
  }

  private mutating func addPolygons(_ type: GeoJSONType) throws(JSONFailure) {
    var start = coordinates.start
    var ring = 0
    for polygon in 0..<coordinates.polygons.count {
      let end = coordinates.polygons[polygon]
      for index in ring..<end {
        let line = coordinates.lines[index]
        guard line.end - start >= (line.isClosed ? 4 : 3) else {
          throw refusal("a ring needs four or more positions")
        }
        if !line.isClosed { closesRings = true }
        parts.append(
          Part(
            part: index == ring ? .outerRing : .innerRing, end: line.end,
            isClosedHere: !line.isClosed))
        start = line.end
      }
      ring = end
    }
  }

  private func refusal(_ message: String) -> JSONFailure {
    JSONFailure(.record(.invalidGeometry), coordinates.place, message)
  }

  /// Appends the feature's geometry as one record.
  func append(as kind: GeometryColumn.Kind, to column: inout GeometryColumn) {
    let positions = coordinates.positions.elements
    var start = 0
    for part in parts.elements {
      column.add(contentsOf: UnsafeBufferPointer(rebasing: positions[start..<part.end]))
      if part.isClosedHere { column.add(positions[start]) }
      column.endPart(part.part)
      start = part.end
    }
    column.endRecord(kind)
  }
}
