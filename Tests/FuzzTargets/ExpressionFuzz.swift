import Expressions
import Features
import Ingest
import JSON
import Raster

/// Expressions as JSON: a byte that chooses the property that they are for, then the text.
enum ExpressionFuzz {
  private static let specifications: [PropertySpecification] = [
    PropertySpecification(
      type: nil, parameters: [.zoom, .heatmapDensity, .lineProgress, .accumulated]),
    PropertySpecification(type: .number, default: .number(-1)),
    PropertySpecification(type: .color, default: .string("black")),
    PropertySpecification(type: .formatted, default: .string("")),
    PropertySpecification(type: .string, default: .string("")),
    PropertySpecification(type: .boolean, default: .bool(false)),
    PropertySpecification(type: .padding),
    PropertySpecification(type: .array(of: .number, count: 2)),
  ]

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    guard let json = try JSONFuzz.value(of: input.rest) else { return false }
    do {
      let specification = specifications[Int(form & 7)]
      let compiled =
        form.has(bit: 3)
        ? try CompiledExpression.compileExpression(json, for: specification)
        : try CompiledExpression.compile(json, for: specification)
      try evaluate(compiled)
      return true
    } catch let error as ExpressionErrors {
      try require(!error.errors.isEmpty, "refused without a reason")
      return false
    }
  }

  private static func evaluate(_ expression: CompiledExpression) throws {
    for feature in FuzzFeature.all {
      for zoom in [0.0, 3.5, 22] {
        let context = EvaluationContext(
          zoom: zoom, feature: feature.bound(to: expression.propertyNames), heatmapDensity: 0.4,
          lineProgress: 0.6)
        try require(expression.number(context).isFinite, "a number that is none")
        let color = expression.color(context)
        try require(
          [color.red, color.green, color.blue, color.alpha].allSatisfy { (0...1).contains($0) },
          "a colour beyond its range: \(color)")
        let text = expression.evaluate(context).text
        try require(expression.evaluate(context).text == text, "a second evaluation differs")
        if let constant = expression.constant, (try? expression.evaluateThrowing(context)) != nil {
          try require(
            try expression.evaluateThrowing(context).text == constant.text, "no constant at all")
        }
        _ = expression.formatted(context)
      }
    }
  }
}

/// Filters as JSON, legacy ones and expressions.
enum FilterFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    guard let json = try JSONFuzz.value(of: Array(bytes)),
      let filter = try? CompiledFilter.compile(json)
    else { return false }
    let isLegacy = (try? CompiledExpression.compileExpression(json, for: truth)) == nil
    let around = ["all", "any", "none"].map { name in
      try? CompiledFilter.compile(.array([.string(name), json]))
    }
    for feature in FuzzFeature.all {
      func answer(_ filter: CompiledFilter) -> Bool {
        filter.matches(
          EvaluationContext(zoom: 3, feature: feature.bound(to: filter.propertyNames)))
      }
      let passes = answer(filter)
      try require(answer(filter) == passes, "a second evaluation differs")
      if let constant = filter.constant { try require(passes == constant, "no constant at all") }
      // An expression without a value passes neither way; a legacy filter always has one.
      guard isLegacy, json != .null else { continue }
      if let all = around[0] { try require(answer(all) == passes, "'all' of it differs") }
      if let any = around[1] { try require(answer(any) == passes, "'any' of it differs") }
      if let none = around[2] { try require(answer(none) != passes, "'none' of it is the same") }
    }
    return true
  }

  private static let truth = PropertySpecification(type: .boolean, default: .bool(false))
}

/// JSON as a value, written and read again.
enum JSONFuzz {
  /// The value of a text; `nil` where it is no JSON.
  ///
  /// - Throws: ``FuzzFailure`` where writing it and reading that gives another value.
  static func value(of text: [UInt8]) throws -> PropertyValue? {
    guard let value = try? JSONValueParser.parse(text) else { return nil }
    let written = Array(JSONWriter.text(value).utf8)
    try require(try JSONValueParser.parse(written) == value, "written and read, it is another")
    return value
  }
}
