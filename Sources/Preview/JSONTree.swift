import Ingest
import JSON
import Pipeline

/// JSON that was read, as JSON to be written.
extension ReportJSON {
  /// Reads a document; `nil` where it is none.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValueParser.parse(bytes) else { return nil }
    self.init(value)
  }

  /// The member of an object, `nil` where there is none.
  subscript(_ key: String) -> ReportJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text, `nil` for what is no text.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The same object with some of its members only.
  func keeping(_ keys: [String]) -> ReportJSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { keys.contains($0.key) })
  }

  /// The same object with another value of a member that it has.
  func replacing(_ key: String, _ change: (ReportJSON) -> ReportJSON) -> ReportJSON {
    guard case .object(let members) = self else { return self }
    return .object(members.map { $0.key == key ? Member(key, change($0.value)) : $0 })
  }
}
