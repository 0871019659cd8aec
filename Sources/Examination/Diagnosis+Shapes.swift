import Features
import Ingest
import JSON
import OrderedCollections
import Tiling

// Findings from the geometries, and from what a GeoJSON file says about itself.
extension Diagnosis {
  mutating func addShapeFindings() {
    let shapes = examination.shapes
    let names = ["points", "lines", "polygons", "collections"]
    let families = zip(names, shapes.families).enumerated().filter { $0.element.1 > 0 }
    if families.count > 1 {
      add(
        Finding(
          .mixedGeometry,
          "The geometries are of several kinds: "
            + families.map { "\($0.element.1) \($0.element.0)" }.joined(separator: ", ")
            + ". A layer draws only the kinds that it supports.",
          count: families.count,
          samples: families.map {
            Finding.Sample(line: shapes.firstLines[$0.offset], text: $0.element.0)
          }.sorted { $0.line < $1.line }.prefix(3).map(\.self)))
    }
    addNesting()
    let wrong = shapes.wrongRings
    // Rings of vector tiles turn as their own specification says.
    if wrong.count > 0, !subject.isVectorTiles {
      add(
        Finding(
          .ringWinding,
          "\(Self.part(wrong.count, of: shapes.rings, "ring")) "
            + "\(wrong.count == 1 ? "turns" : "turn") the other way than RFC 7946 requires (outer "
            + "rings counterclockwise).", count: wrong.count, samples: wrong.samples,
          advice: "The drawing is the same here; ogr2ogr -lco RFC7946=YES fixes it for others."))
    }
  }

  private mutating func addNesting() {
    guard subject.fillsInFileOrder, let nesting = examination.nesting else { return }
    let count = nesting.hidden.count
    let remedy = nesting.columns.first.map { column in
      let get = "[get, \(FlowYAML.text(.string(column.name)))]"
      let key = column.growsWithSize ? "[\"-\", \(get)]" : get
      return "Set 'fill-sort-key: \(key)' in the layout of the fill layer."
    }
    add(
      Finding(
        .nestedAreas,
        "\(count) of the first \(nesting.count) areas \(count == 1 ? "lies" : "lie") within others that "
          + "are drawn later and hide \(count == 1 ? "it" : "them").", count: count,
        samples: nesting.hidden.samples,
        advice: remedy ?? "Order the file by size, the largest first."))
  }

  /// Adds findings from the members of the file's object, if they can be read once more.
  mutating func addOutlineFindings() {
    guard case .geojson = subject.format, examination.failure == nil,
      let source = try? subject.reopen?(), let outline = try? GeoJSONOutline(source)
    else { return }
    if let name = outline.referenceSystem {
      add(
        Finding(
          .oldReferenceSystem,
          "A 'crs' member names '\(name)': RFC 7946 dropped it, all coordinates are WGS 84.",
          samples: [Finding.Sample(line: outline.referenceSystemLine)],
          advice: "It names that system here, so nothing is wrong."))
    }
    guard let bounds = outline.bounds, examination.coordinates.count > 0,
      ledger.filtered == 0, ledger.rejectedTotal == 0, !isTrue(bounds)
    else { return }
    let found = examination.coordinates.box
    let first = [found.minX, found.minY].map(CoordinateProfile.text).joined(separator: ", ")
    let last = [found.maxX, found.maxY].map(CoordinateProfile.text).joined(separator: ", ")
    add(
      Finding(
        .wrongBounds,
        "The 'bbox' is \(bounds.map(CoordinateProfile.text).joined(separator: ", ")), but the "
          + "positions reach from \(first) to \(last).",
        samples: [Finding.Sample(line: outline.boundsLine)],
        advice: "It is not used here; other programs may show the wrong part of the map."))
  }

  /// Whether bounds match the bounds of all positions within a hundredth of their width and height.
  /// A box over the antimeridian, west above east, counts as a match.
  private func isTrue(_ bounds: [Double]) -> Bool {
    let (west, south, east, north) = (bounds[0], bounds[1], bounds[2], bounds[3])
    let found = examination.coordinates.box
    if west > east { return true }
    let slackX = max(0.01 * (found.maxX - found.minX), 1e-4)
    let slackY = max(0.01 * (found.maxY - found.minY), 1e-4)
    return abs(west - found.minX) <= slackX && abs(east - found.maxX) <= slackX
      && abs(south - found.minY) <= slackY && abs(north - found.maxY) <= slackY
  }
}

/// The members of a GeoJSON file's object that describe all of it: `crs` and `bbox`.
struct GeoJSONOutline {
  /// The name in an old `crs` member.
  private(set) var referenceSystem: String?
  private(set) var referenceSystemLine = 0
  /// West, south, east, north in degrees; heights are dropped.
  private(set) var bounds: [Double]?
  private(set) var boundsLine = 0

  /// Maximum bytes of one of these members.
  private static let memberBytes = 1 << 16

  /// Reads the members of the outermost object; features are skipped.
  ///
  /// - Complexity: O(bytes).
  init(_ source: ByteSource) throws(JSONFailure) {
    var json = JSONTokenizer(source: source)
    try json.skipByteOrderMark()
    guard try json.peek() == JSONByte.openBrace else { return }
    try json.beginObject()
    while try json.nextName() {
      let name = String(decoding: json.text, as: UTF8.self)
      let line = json.place().line
      guard name == "crs" || name == "bbox" else {
        try json.skipValue()
        continue
      }
      let value = try JSONValueParser.value(from: &json, maximumBytes: Self.memberBytes)
      if name == "bbox" {
        bounds = Self.bounds(value)
        boundsLine = line
      } else if value != .null {
        referenceSystem = Self.name(value)
        referenceSystemLine = line
      }
    }
  }

  private static func bounds(_ value: PropertyValue) -> [Double]? {
    guard case .array(let items) = value, items.count == 4 || items.count == 6 else { return nil }
    let numbers = items.compactMap { item -> Double? in
      if case .number(let number) = item { return number }
      return nil
    }
    guard numbers.count == items.count else { return nil }
    let half = numbers.count / 2
    return [numbers[0], numbers[1], numbers[half], numbers[half + 1]]
  }

  private static func name(_ value: PropertyValue) -> String {
    guard case .object(let members) = value, case .object(let properties) = members["properties"],
      case .string(let name) = properties["name"]
    else { return "?" }
    return String(name.prefix(80))
  }
}
