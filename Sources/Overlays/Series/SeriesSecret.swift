import Files

/// A key that is inserted into addresses and never shown: derived texts contain `{key}` instead.
package struct SeriesSecret: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible,
  CustomReflectable
{
  private let value: String

  /// - Parameter value: the key; an empty one gives `nil`.
  package init?(_ value: String) {
    guard !value.isEmpty else { return nil }
    self.value = value
  }

  package var description: String { "{key}" }
  package var debugDescription: String { "{key}" }

  /// An empty mirror, so that `dump` shows nothing.
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// The key as it is spelled in an address.
  var percentEncoded: String { PercentEncoding.encode(value) }

  /// Returns the text with the key, plain or percent-encoded, replaced by `{key}`.
  package func hidden(in text: String) -> String {
    var text = text
    for spelling in [percentEncoded, value] {
      text = Self.replace(Array(spelling.utf8), in: text)
    }
    return text
  }

  /// - Complexity: O(length of the text · length of the key).
  private static func replace(_ key: [UInt8], in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: key) {
        result.append(contentsOf: "{key}".utf8)
        index += key.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension PercentEncoding {
  /// Returns a value of an address: with the colon, which is allowed in paths and queries and common
  /// in times, and otherwise only unreserved characters kept.
  static func encode(_ text: String) -> String {
    encoded(text) { isUnreserved($0) || $0 == UInt8(ascii: ":") }
  }
}
