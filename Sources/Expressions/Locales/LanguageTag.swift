/// A language tag such as `de`, `pt-BR` or `zh-Hant-TW`. BCP 47, without extensions.
struct LanguageTag {
  /// The language in lower case.
  var language: String
  /// The region in upper case.
  var region: String?
  /// The tag in the usual letter case.
  var canonical: String

  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.count), parts.count <= 8,
      parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isASCIIAlphanumeric) })
    else { return nil }
    language = first.lowercased()
    var subtags = [language]
    for part in parts.dropFirst() {
      // Extensions and private use follow a single letter.
      if part.count == 1 { break }
      switch part.count {
      case 2, 3:
        let subtag = part.uppercased()
        region = region ?? subtag
        subtags.append(subtag)
      case 4: subtags.append(part.prefix(1).uppercased() + part.dropFirst().lowercased())
      default: subtags.append(part.lowercased())
      }
    }
    canonical = subtags.joined(separator: "-")
  }
}

extension Character {
  fileprivate var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
