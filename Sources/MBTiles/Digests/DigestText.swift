/// A SHA-256 as text.
package enum DigestText {
  /// Whether a text is 64 lower-case hexadecimal digits.
  package static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
          || ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f"))
      }
  }

  /// Returns the eight digits that identify a digest in output and file names.
  package static func short(_ digest: String) -> String { String(digest.prefix(8)) }
}
