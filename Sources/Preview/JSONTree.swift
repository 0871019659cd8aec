import Ingest
package import JSON
import Runs

/// Conversion of parsed JSON to JSON that can be written.
extension ReportJSON {
  /// Parses a document; `nil` if it is malformed.
  package init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValueParser.parse(bytes) else { return nil }
    self.init(value)
  }

  /// The member of an object, `nil` if there is none.
  package subscript(_ key: String) -> ReportJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text, `nil` for any other value.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// Returns the object with only some of its members.
  func keeping(_ keys: [String]) -> ReportJSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { keys.contains($0.key) })
  }

  /// Returns the object with one more member.
  func adding(_ key: String, _ value: ReportJSON) -> ReportJSON {
    guard case .object(let members) = self else { return self }
    return .object(members + [Member(key, value)])
  }

  /// Returns the object with the value of an existing member changed.
  func replacing(_ key: String, _ change: (ReportJSON) -> ReportJSON) -> ReportJSON {
    guard case .object(let members) = self else { return self }
    return .object(members.map { $0.key == key ? Member(key, change($0.value)) : $0 })
  }
}
