/// The rules for metadata values that apply whoever wrote them.
package enum MetadataRules {
  /// Returns the fault of an entry as a sentence, or `nil`.
  package static func fault(of entry: MetadataEntry) -> String? {
    let value = entry.value
    if value.utf8.count > ArchiveMetadata.valueLimit {
      return "'\(entry.name)' is longer than \(ArchiveMetadata.valueLimit) bytes."
    }
    if value.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 }) {
      return "'\(entry.name)' holds a control character."
    }
    if let path = absolutePath(in: value) {
      return "'\(entry.name)' holds the absolute path '\(path.prefix(60))'; make it relative."
    }
    return nil
  }

  /// Returns the first word that looks like an absolute path of some file system, or `nil`.
  ///
  /// Words end at spaces, quotes, brackets, commas and equals signs. `/a/b`, `~/a`, `C:\a` and
  /// `file:/a` count; `/about` alone and the `</a>` of HTML do not.
  static func absolutePath(in text: String) -> Substring? {
    let ends = Set(" \n\t\"'=,;()[]{}|")
    return text.split(whereSeparator: ends.contains).first { word in
      let bytes = Array(word.utf8.prefix(3))
      if word.hasPrefix("file:/") || word.hasPrefix("~/") { return true }
      if word.hasPrefix("/") { return word.dropFirst().contains("/") && !word.hasPrefix("//") }
      return bytes.count == 3 && bytes[1] == UInt8(ascii: ":") && bytes[2] == UInt8(ascii: "\\")
    }
  }
}
