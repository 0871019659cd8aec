extension JSONTokenizer {
  /// Words that other languages write for values that JSON lacks, the longest first.
  private static let foreignWords = [
    "-Infinity", "undefined", "Infinity", "None", "-inf", "NaN", "nan", "inf",
  ]

  /// Returns the word at the cursor that is no JSON, and what to do about it; `nil` for any other
  /// text.
  mutating func foreignWord() -> (word: String, advice: String)? {
    guard cursor < end else { return nil }
    if base[cursor] == 0 {
      return (
        "\\u{0}", ", a NUL byte: the file was not written to its end. Export or copy it again"
      )
    }
    for word in Self.foreignWords {
      let length = word.utf8.count
      guard (try? ensure(length)) == true,
        UnsafeRawBufferPointer(start: base + cursor, count: length).elementsEqual(word.utf8)
      else { continue }
      return (word, ", which JSON does not have. Write null")
    }
    return nil
  }
}
