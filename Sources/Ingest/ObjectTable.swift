package import Features
import JSON
import OrderedCollections

/// The objects of a JSON document as a table: those of the longest array of objects in it, as answers
/// of services have it, `[{"lat": …}, …]` or `{"data": {"stations": [{"lat": …}, …]}}`.
///
/// A member of a member is a column `a.b`; an array is its text. Records are numbered as lines.
package enum ObjectTable {
  /// The most bytes of a document, which is in memory as a whole.
  private static let byteLimit = 64 << 20

  /// The maximum depth of the array, and of the members of its objects.
  private static let depthLimit = 3

  /// Whether the beginning of a document may be that of such a table, and not of GeoJSON.
  package static func isLikely(_ head: [UInt8]) -> Bool {
    let text = head.filter { !JSONByte.isSpace($0) }
    return text.contains("[{\"".utf8)
      && !["\"Feature\"", "\"FeatureCollection\"", "\"Topology\"", "\"GeometryCollection\""]
        .contains { text.contains($0.utf8) }
  }

  /// Returns the table as CSV; `nil` where no array holds objects alone.
  ///
  /// - Complexity: O(bytes).
  package static func csv(
    _ source: ByteSource, delimiter: UInt8
  ) throws(SourceError) -> [UInt8]? {
    func tooLarge() -> SourceError {
      SourceError(
        code: .badData, file: source.name,
        message: "is too large a JSON document for a table: of at most \(byteLimit >> 20) MiB and "
          + "\(CSVLimits().columns) columns")
    }
    while try source.fill(keeping: source.buffer.count) > 0 {
      guard source.buffer.count <= byteLimit else { throw tooLarge() }
    }
    let document = try JSONValueParser.parse(Array(source.buffer), name: source.name)
    guard let objects = objects(in: document, depth: 0) else { return nil }
    var names: OrderedSet<String> = []
    for object in objects { add(object, before: "", depth: 1) { name, _ in names.append(name) } }
    guard names.count <= CSVLimits().columns else { throw tooLarge() }
    var bytes: [UInt8] = []
    func append(_ record: [String]) {
      for (place, text) in record.enumerated() {
        if place > 0 { bytes.append(delimiter) }
        Self.append(text, to: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    append(Array(names))
    for object in objects {
      var record = [String](repeating: "", count: names.count)
      add(object, before: "", depth: 1) { name, text in
        if let place = names.firstIndex(of: name) { record[place] = text }
      }
      append(record)
      // Each object may have other members.
      guard bytes.count <= 4 * byteLimit else { throw tooLarge() }
    }
    return bytes
  }

  private static func objects(
    in value: PropertyValue, depth: Int
  ) -> [OrderedDictionary<String, PropertyValue>]? {
    switch value {
    case .array(let items):
      let objects = items.compactMap { item in
        if case .object(let members) = item { members } else { nil }
      }
      return objects.count == items.count && !items.isEmpty ? objects : nil
    case .object(let members) where depth < depthLimit:
      return members.values.compactMap { objects(in: $0, depth: depth + 1) }
        .max { $0.count < $1.count }
    default: return nil
    }
  }

  /// Adds the members of an object and of the objects in it.
  private static func add(
    _ object: OrderedDictionary<String, PropertyValue>, before prefix: String, depth: Int,
    _ body: (String, String) -> Void
  ) {
    for (name, value) in object {
      switch value {
      case .null: body(prefix + name, "")
      case .string(let text): body(prefix + name, text)
      // A geometry is a column by itself.
      case .object(let members) where depth < depthLimit && members["coordinates"] == nil:
        add(members, before: "\(prefix)\(name).", depth: depth + 1, body)
      default: body(prefix + name, JSONWriter.text(value))
      }
    }
  }

  /// Appends a field, in quotes so that it is a text whatever it holds.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    guard !text.isEmpty else { return }
    let isPlain = text.utf8.allSatisfy {
      TextTraits.isDigit($0) || ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: ".")
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    bytes += isPlain ? Array(text.utf8) : Array("\"\(text.replacing("\"", with: "\"\""))\"".utf8)
  }
}
