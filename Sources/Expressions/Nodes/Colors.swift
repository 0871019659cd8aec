import Features
import Raster

/// The operators `rgb` and `rgba`.
final class ColorFromChannels: Node {
  let children: [any Node]
  let traits: Traits
  private let place: ExpressionPlace
  var type: ExpressionType { .color }

  init(_ channels: [any Node], at place: ExpressionPlace) {
    children = channels
    self.place = place
    traits = Traits(channels)
  }

  func color(_ context: EvaluationContext) throws(EvaluationError) -> Color {
    let red = try children[0].number(context)
    let green = try children[1].number(context)
    let blue = try children[2].number(context)
    // `rgb` is `rgba` with alpha 1, and its message says so.
    let alpha = children.count > 3 ? try children[3].number(context) : 1
    let whole = 0.0...255
    guard whole.contains(red), whole.contains(green), whole.contains(blue),
      (0...1).contains(alpha)
    else {
      switch Color.fromChannels([red, green, blue, alpha].map(ExpressionValue.number)) {
      case .success(let color): return color
      case .failure(let problem): throw .message(problem.message, at: place)
      }
    }
    return Color(red: red / 255, green: green / 255, blue: blue / 255, alpha: alpha)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .color(try color(context))
  }
}

/// The operator `to-rgba`: red, green and blue in 0 … 255 and alpha in 0 … 1.
final class ColorToChannels: Node {
  private let operand: any Node
  let traits: Traits
  var type: ExpressionType { .array(of: .number, count: 4) }
  var children: [any Node] { [operand] }

  init(_ operand: any Node) {
    self.operand = operand
    traits = Traits([operand])
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    let color = try operand.color(context)
    return .array(
      [color.red * 255, color.green * 255, color.blue * 255, color.alpha]
        .map(ExpressionValue.number))
  }
}

extension Color {
  /// Returns a colour from red, green and blue in 0 … 255 and optionally alpha in 0 … 1.
  static func fromChannels(_ channels: [ExpressionValue]) -> Result<Color, EvaluationError> {
    guard (3...4).contains(channels.count) else {
      return .failure(
        .message(
          "Invalid rgba value \(ExpressionValue.array(channels).json): expected an array "
            + "containing either three or four numeric values."))
    }
    func number(_ index: Int, in range: ClosedRange<Double>) -> Double? {
      guard case .number(let number) = channels[index], range.contains(number) else { return nil }
      return number
    }
    // As in MapLibre, whose message omits an alpha that is not a number.
    func list(_ count: Int) -> String {
      channels.prefix(count).map(\.text).joined(separator: ", ")
    }
    guard let red = number(0, in: 0...255), let green = number(1, in: 0...255),
      let blue = number(2, in: 0...255)
    else {
      var count = 3
      if case .number? = channels.dropFirst(3).first { count = 4 }
      return .failure(
        .message(
          "Invalid rgba value [\(list(count))]: 'r', 'g', and 'b' must be between 0 and 255."))
    }
    guard channels.count == 4 else {
      return .success(Color(red: red / 255, green: green / 255, blue: blue / 255))
    }
    guard let alpha = number(3, in: 0...1) else {
      return .failure(.message("Invalid rgba value [\(list(4))]: 'a' must be between 0 and 1."))
    }
    return .success(Color(red: red / 255, green: green / 255, blue: blue / 255, alpha: alpha))
  }
}

extension Signatures {
  static let colors: [String: Definition] = [
    "rgb": Definition(.number, .number, .number) { operands, parser in
      ColorFromChannels(operands, at: parser.place)
    },
    "rgba": Definition(.number, .number, .number, .number) { operands, parser in
      ColorFromChannels(operands, at: parser.place)
    },
    "to-rgba": Definition(.color) { operands, _ in ColorToChannels(operands[0]) },
  ]
}
