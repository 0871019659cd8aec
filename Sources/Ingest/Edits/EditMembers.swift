import Features
import JSON

/// What a GeoJSON object says of itself as an edit, in members that GeoJSON does not know
/// (RFC 7946, 6.1).
struct EditMembers {
  private(set) var operation: String?
  private(set) var time: String?

  /// Whether it is a FeatureCollection.
  private(set) var isCollection = false

  /// Reads the members of the object at the start of a text; the rest is read over.
  ///
  /// - Throws: ``JSONFailure``; of kind `record` where a member is of no use although the text is
  ///   JSON.
  mutating func read(
    _ json: inout JSONTokenizer, operation operationName: String, time timeName: String
  ) throws(JSONFailure) {
    guard try json.peek() == JSONByte.openBrace else { return }
    try json.beginObject()
    while try json.nextName() {
      if json.text.elementsEqual(operationName.utf8) {
        try refuseTwin(operation, operationName, json.place())
        operation = try Self.text(&json)
      } else if json.text.elementsEqual(timeName.utf8) {
        try refuseTwin(time, timeName, json.place())
        time = try Self.text(&json)
      } else if json.text.elementsEqual("type".utf8) {
        isCollection = try Self.text(&json) == GeoJSONType.featureCollection.rawValue
      } else {
        try json.skipValue()
      }
    }
  }

  private func refuseTwin(
    _ before: String?, _ name: String, _ place: JSONPlace
  ) throws(JSONFailure) {
    guard before != nil else { return }
    throw JSONFailure(.record(.invalidEdit), place, "the member '\(name)' occurs twice")
  }

  /// A value as text: null is nothing, whatever else is no string is written as JSON.
  private static func text(_ json: inout JSONTokenizer) throws(JSONFailure) -> String? {
    switch try JSONValueParser.value(from: &json, maximumBytes: 1 << 10) {
    case .null: nil
    case .string(let text): text
    case let other: JSONWriter.text(other)
    }
  }
}
