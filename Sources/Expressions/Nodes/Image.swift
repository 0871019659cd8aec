import Features

/// The operator `image`: an image of the style by its name.
final class Image: Node {
  private let name: any Node
  let traits: Traits
  var type: ExpressionType { .resolvedImage }
  var children: [any Node] { [name] }

  init(_ name: any Node) {
    self.name = name
    // Whether there is such an image is not known before the evaluation.
    traits = Traits([name], reading: [.other, .images])
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 2 else {
      parser.fail("Expected two arguments.")
      return nil
    }
    guard let name = parser.parse(items, 1, as: .string) else {
      parser.fail("No image name provided.")
      return nil
    }
    return Image(name)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    let name = try name.string(context)
    return .image(ResolvedImage(name: name, isAvailable: context.isImage?(name) ?? false))
  }
}
