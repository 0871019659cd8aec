import JSON
import Raster

/// The parts of a CSS colour function: `rgb(255 0 0 / 50%)`, `hsla(120deg, 50%, 80%, .9)`.
struct CSSColorCall {
  fileprivate struct Argument {
    var value: Double
    var isPercentage = false
    var isAngle = false

    /// Returns the value that counts as the whole: 100 for a percentage, otherwise `number`.
    func scale(_ number: Double) -> Double { isPercentage ? 100 : number }
  }

  private let isHSL: Bool
  /// The three channels and optionally the alpha.
  private let arguments: [Argument]

  /// - Parameter text: the text in lower case, without white space around it.
  init?(_ text: String) {
    var scanner = Scanner(rest: text.utf8[...])
    guard let name = scanner.name(), ["rgb", "rgba", "hsl", "hsla"].contains(name) else {
      return nil
    }
    isHSL = name.hasPrefix("hsl")
    var arguments: [Argument] = []
    var separators: [Separator] = []
    scanner.skipSpaces()
    while arguments.count < 4 {
      guard let argument = scanner.argument() else { return nil }
      arguments.append(argument)
      if scanner.close() { break }
      guard let separator = scanner.separator() else { return nil }
      separators.append(separator)
    }
    guard scanner.rest.isEmpty else { return nil }
    switch separators {
    case [.space, .space], [.space, .space, .slash], [.comma, .comma], [.comma, .comma, .comma]:
      self.arguments = arguments
    default: return nil
    }
  }

  /// The colour, `nil` where the arguments do not fit the function.
  var color: Color? {
    let channels = arguments[0..<3]
    guard !arguments.contains(where: \.value.isNaN), !arguments[1...].contains(where: \.isAngle)
    else { return nil }
    let alpha = arguments.count < 4 ? 1 : clamp(arguments[3].value, to: arguments[3].scale(1))
    if isHSL {
      guard !arguments[0].isPercentage, arguments[1].isPercentage, arguments[2].isPercentage
      else { return nil }
      return Color(
        hue: arguments[0].value, saturation: clamp(arguments[1].value, to: 100),
        lightness: clamp(arguments[2].value, to: 100), alpha: alpha)
    }
    let percentages = channels.count(where: \.isPercentage)
    guard !arguments[0].isAngle, percentages == 0 || percentages == 3 else { return nil }
    let values = channels.map { clamp($0.value, to: $0.scale(255)) }
    return Color(red: values[0], green: values[1], blue: values[2], alpha: alpha)
  }

  /// Returns a value of 0 … `limit` as 0 … 1.
  private func clamp(_ value: Double, to limit: Double) -> Double {
    min(max(value / limit, 0), 1)
  }
}

extension CSSColorCall {
  fileprivate enum Separator { case space, comma, slash }

  fileprivate struct Scanner {
    var rest: Substring.UTF8View

    mutating func name() -> String? {
      guard let open = rest.firstIndex(of: UInt8(ascii: "(")) else { return nil }
      let name = String(rest[..<open])
      rest = rest[rest.index(after: open)...]
      return name
    }

    @discardableResult
    mutating func skipSpaces() -> Bool {
      let count = rest.prefix { $0 == 0x20 || (0x09...0x0D).contains($0) }.count
      rest = rest.dropFirst(count)
      return count > 0
    }

    mutating func skip(_ text: StaticString) -> Bool {
      let wanted = text.description.utf8
      guard rest.starts(with: wanted) else { return false }
      rest = rest.dropFirst(wanted.count)
      return true
    }

    mutating func argument() -> Argument? {
      let digits = rest.prefix {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "e"), UInt8(ascii: "."),
          UInt8(ascii: "+"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
      // No exponent can begin here, so that "1deg" stops before its "d".
      guard !digits.isEmpty, let value = NumberText.parse(String(Substring(digits))) else {
        return nil
      }
      rest = rest[digits.endIndex...]
      if skip("%") { return Argument(value: value, isPercentage: true) }
      return Argument(value: value, isAngle: skip("deg"))
    }

    mutating func separator() -> Separator? {
      let spaced = skipSpaces()
      if skip(",") {
        skipSpaces()
        return .comma
      }
      if skip("/") {
        skipSpaces()
        return .slash
      }
      return spaced ? .space : nil
    }

    mutating func close() -> Bool {
      let before = rest
      skipSpaces()
      if skip(")") { return true }
      rest = before
      return false
    }
  }
}
