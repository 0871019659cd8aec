import Features
import JSON
import OrderedCollections

/// What the object of a GeoJSON file says about all of it: its `crs` and `bbox` members.
struct GeoJSONOutline {
  /// The name of an old `crs` member.
  private(set) var referenceSystem: String?
  private(set) var referenceSystemLine = 0
  /// West, south, east, north in degrees; heights left out.
  private(set) var bounds: [Double]?
  private(set) var boundsLine = 0

  /// Bytes that one of these members may have.
  private static let memberBytes = 1 << 16

  /// Reads the members of the outermost object; features are only stepped over.
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
