public import Foundation

/// A value of JSON, such as a field of a feature.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// An object; of members with the same name the last one counts.
  case object([String: JSONValue])

  /// The text; `nil` for other values.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The number; `nil` for other values.
  public var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// Whether a value is `true`; `nil` if it is neither `true` nor `false`.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements of a list; `nil` for other values.
  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// The members of an object; `nil` for other values.
  public var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The number as a whole one; `nil` for other values and beyond ±2⁵³.
  public var integer: Int? {
    guard let number, number.rounded() == number, abs(number) <= 0x1p53 else { return nil }
    return Int(number)
  }

  /// The member of an object; `nil` if there is none.
  public subscript(name: String) -> JSONValue? { object?[name] }
}

extension JSONValue: Decodable {
  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Each attempt that fails costs microseconds, so the most frequent types come first.
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Parses a text; `nil` if it is not JSON.
  ///
  /// - Complexity: O(bytes).
  public init?(parsing data: Data) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else { return nil }
    self = value
  }
}
