import Features
import TextAnalysis

/// The operator `concat`: the texts of all operands, joined.
final class Concat: Node {
  let children: [any Node]
  let traits: Traits
  var type: ExpressionType { .string }

  init(_ operands: [any Node]) {
    children = operands
    traits = Traits(operands)
  }

  func string(_ context: EvaluationContext) throws(EvaluationError) -> String {
    var text = ""
    for child in children { try TextLimit.append(try child.text(context), to: &text) }
    return text
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .string(try string(context))
  }
}

/// A text or value computed from the values of the operands.
final class Call: Node {
  typealias Function = @Sendable ([ExpressionValue]) throws(EvaluationError) -> ExpressionValue

  let children: [any Node]
  let type: ExpressionType
  let traits: Traits
  /// Whether the value is the type of the operand.
  let asksType: Bool
  private let function: Function

  init(
    _ operands: [any Node], type: ExpressionType, reading inputs: Traits.Inputs = [],
    asksType: Bool = false, _ function: @escaping Function
  ) {
    children = operands
    self.type = type
    self.asksType = asksType
    self.function = function
    traits = Traits(operands, reading: inputs)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    var values: [ExpressionValue] = []
    values.reserveCapacity(children.count)
    for child in children { values.append(try child.value(context)) }
    return try function(values)
  }
}

extension Signatures {
  static let texts: [String: Definition] = [
    "concat": Definition([(.variadic(.value), { operands, _ in Concat(operands) })]),
    "upcase": Definition(.string) { operands, _ in
      Call(operands, type: .string) { .string($0[0].text.uppercased()) }
    },
    "downcase": Definition(.string) { operands, _ in
      Call(operands, type: .string) { .string(LowerCase.text(of: $0[0].text)) }
    },
    "split": Definition(.string, .string) { operands, _ in
      Call(operands, type: .array(of: .string, count: nil)) {
        .array(split($0[0].text, by: $0[1].text).map(ExpressionValue.string))
      }
    },
    "join": Definition(.array(of: .string, count: nil), .string) { operands, _ in
      Call(operands, type: .string) { values throws(EvaluationError) in
        guard case .array(let items) = values[0] else { return .null }
        var text = ""
        for (index, item) in items.enumerated() {
          if index > 0 { try TextLimit.append(values[1].text, to: &text) }
          try TextLimit.append(item.text, to: &text)
        }
        return .string(text)
      }
    },
    "typeof": Definition(.value) { operands, _ in
      Call(operands, type: .string, asksType: true) { .string($0[0].type.name) }
    },
    "resolved-locale": Definition(.collator) { operands, _ in
      Call(operands, type: .string) { values in
        guard case .collator(let collator) = values[0] else { return .null }
        return .string(collator.resolvedLocale)
      }
    },
    "error": Definition(.string) { operands, parser in
      Call(operands, type: .error, reading: .other) {
        [place = parser.place] (values) throws(EvaluationError) in
        throw .message(values[0].text, at: place)
      }
    },
  ]

  /// Returns the parts between separators; an empty separator splits into characters.
  private static func split(_ text: String, by separator: String) -> [String] {
    guard !separator.isEmpty else { return text.unicodeScalars.map { String($0) } }
    var parts: [String] = []
    let units = text.unicodeScalars
    let mark = Array(separator.unicodeScalars)
    var start = units.startIndex
    var position = start
    while position < units.endIndex {
      if units[position...].starts(with: mark) {
        parts.append(String(units[start..<position]))
        position = units.index(position, offsetBy: mark.count)
        start = position
      } else {
        position = units.index(after: position)
      }
    }
    parts.append(String(units[start...]))
    return parts
  }
}

/// Lower-casing with the final form of sigma.
enum LowerCase {
  /// Returns the lower case by the Unicode Standard, section 3.13: Swift's mapping, plus the one
  /// rule on context that Swift lacks, Final_Sigma: Σ becomes ς if a letter precedes and none
  /// follows.
  ///
  /// - Complexity: O(length).
  static func text(of text: String) -> String {
    guard text.unicodeScalars.contains("Σ") else { return text.lowercased() }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    // Whether the nearest scalar that is not ignored is a letter, before and after.
    var isAfterLetter = false
    var isBeforeLetter = [Bool](repeating: false, count: scalars.count)
    for index in scalars.indices.dropLast().reversed() {
      let next = scalars[index + 1].properties
      isBeforeLetter[index] = next.isCaseIgnorable ? isBeforeLetter[index + 1] : next.isCased
    }
    for (index, scalar) in scalars.enumerated() {
      if scalar == "Σ" {
        result.append(isAfterLetter && !isBeforeLetter[index] ? "ς" : "σ")
      } else {
        result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
      if !scalar.properties.isCaseIgnorable { isAfterLetter = scalar.properties.isCased }
    }
    return String(result)
  }
}
