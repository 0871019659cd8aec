import Features
import Raster

/// The operator `format`: text in sections, each with its own appearance.
final class Format: Node {
  struct Section: Sendable {
    var content: any Node
    var scale: (any Node)?
    var font: (any Node)?
    var color: (any Node)?
    var verticalAlign: (any Node)?

    var nodes: [any Node] {
      [content] + [scale, font, color, verticalAlign].compactMap { $0 }
    }
  }

  private let sections: [Section]
  let traits: Traits
  var type: ExpressionType { .formatted }
  var children: [any Node] { sections.flatMap(\.nodes) }

  init(_ sections: [Section]) {
    self.sections = sections
    traits = Traits(sections.flatMap(\.nodes))
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    var formatted = FormattedText(sections: [])
    var text = ""
    for section in sections {
      let made = try evaluate(section, context)
      if sections.count > 1 { try TextLimit.append(made.text, to: &text) }
      formatted.sections.append(made)
    }
    return .formatted(formatted)
  }

  private func evaluate(
    _ section: Section, _ context: EvaluationContext
  ) throws(EvaluationError) -> FormattedText.Section {
    let content = try section.content.value(context)
    if case .image(let image) = content {
      return FormattedText.Section(
        text: "", image: image, verticalAlign: try section.verticalAlign?.string(context))
    }
    var text = content.text
    if case .number = content { text = try section.content.text(context) }
    var result = FormattedText.Section(text: text)
    result.scale = try section.scale?.number(context)
    if let font = section.font, case .array(let names) = try font.value(context) {
      result.fontStack = names.map(\.text).joined(separator: ",")
    }
    result.textColor = try section.color?.color(context)
    result.verticalAlign = try section.verticalAlign?.string(context)
    return result
  }
}

extension Format {
  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count >= 2 else {
      parser.fail("Expected at least one argument.")
      return nil
    }
    switch items[1] {
    case .object, .null:
      parser.fail("First argument must be an image or text section.")
      return nil
    default: break
    }
    var sections: [Section] = []
    var mayTakeOptions = false
    for index in items.indices.dropFirst() {
      if mayTakeOptions, case .object(let members) = items[index] {
        mayTakeOptions = false
        let options = OptionReader(members, at: index, parser)
        guard readOptions(options, into: &sections[sections.count - 1], parser) else { return nil }
      } else {
        guard let content = parser.parse(items, index, as: .value, reportedAs: 1) else {
          return nil
        }
        guard [.string, .value, .null, .resolvedImage].contains(content.type) else {
          parser.fail("Formatted text type must be 'string', 'value', 'image' or 'null'.")
          return nil
        }
        sections.append(Section(content: content))
        mayTakeOptions = true
      }
    }
    return Format(sections)
  }

  /// Reads a section's options; returns false after an error.
  private static func readOptions(
    _ options: OptionReader, into section: inout Section, _ parser: Parser
  ) -> Bool {
    guard let scale = options.parse("font-scale", as: .number),
      let font = options.parse("text-font", as: .array(of: .string, count: nil)),
      let color = options.parse("text-color", as: .color)
    else { return false }
    if case .string(let word)? = options["vertical-align"], options.has("vertical-align"),
      !["bottom", "center", "top"].contains(word)
    {
      parser.fail(
        "'vertical-align' must be one of: 'bottom', 'center', 'top' but found '\(word)' instead.")
      return false
    }
    guard let verticalAlign = options.parse("vertical-align", as: .string) else { return false }
    section.scale = scale
    section.font = font
    section.color = color
    section.verticalAlign = verticalAlign
    return true
  }
}
