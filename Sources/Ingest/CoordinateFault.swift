/// The reason why a text that looks like a coordinate is not one, where it is hard to see.
enum CoordinateFault: Hashable {
  /// A minus sign or dash other than the hyphen of ASCII.
  case dash(Unicode.Scalar)
  /// A space or an invisible character that trimming leaves.
  case space(Unicode.Scalar)
  /// Quotes that belong to the value.
  case quotes(Unicode.Scalar)
  /// The letter of a hemisphere of the other axis.
  case otherAxis(isLongitude: Bool)
  /// The letter O, which is west in some languages and east in others.
  case letterO

  /// Recognizes the first fault of a text; `nil` for none.
  init?(_ bytes: UnsafeRawBufferPointer, isLongitude: Bool) {
    let text = String(decoding: bytes.prefix(SexagesimalDegrees.limit), as: UTF8.self)
    if let angle = SexagesimalDegrees(bytes) {
      guard let axis = angle.axis, (axis == .longitude) != isLongitude else { return nil }
      self = .otherAxis(isLongitude: isLongitude)
      return
    }
    guard text.unicodeScalars.contains(where: { ("0"..."9").contains($0) }) else { return nil }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .dashPunctuation where scalar != "-": self = .dash(scalar)
      case .mathSymbol where scalar == "\u{2212}": self = .dash(scalar)
      case .spaceSeparator where scalar != " ": self = .space(scalar)
      case .format: self = .space(scalar)
      default: continue
      }
      return
    }
    let quotes: [Unicode.Scalar] = ["'", "\"", "‘", "’", "“", "”", "«", "`", "„"]
    if let first = text.unicodeScalars.first(where: { $0 != " " }), quotes.contains(first) {
      self = .quotes(first)
    } else if let last = text.unicodeScalars.last, last == "O" || last == "o" {
      self = .letterO
    } else {
      return nil
    }
  }

  /// What is wrong and how to change it, as the end of a sentence.
  var words: String {
    switch self {
    case .dash(let scalar):
      "its minus sign is \(Self.code(scalar)), where '-' is needed: sed 's/\(scalar)/-/g' changes it"
    case .space(let scalar):
      "\(Self.code(scalar)) (\(scalar.properties.name?.lowercased() ?? "invisible")) belongs to it: "
        + "sed $'s/\\u\(Self.digits(scalar))//g' removes it"
    case .quotes(let scalar):
      "its quotes, \(Self.code(scalar)), are part of the value: fields stand between '\"' or nothing"
    case .otherAxis(let isLongitude):
      isLongitude
        ? "N and S belong to a latitude: exchange 'x' and 'y'"
        : "E and W belong to a longitude: exchange 'x' and 'y'"
    case .letterO: "O is west in some languages and east in others: write W or E"
    }
  }

  private static func code(_ scalar: Unicode.Scalar) -> String { "U+\(digits(scalar))" }

  private static func digits(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
