import Features
import OrderedCollections
import Raster
import TestSupport
import Testing

@testable import Expressions

@Suite struct FuzzTests {
  private static let operators = Operators.table.keys.sorted()

  /// A random expression of up to `depth` levels, mostly of known operators.
  private func expression(_ depth: Int, _ random: inout SplitMix64) -> PropertyValue {
    let leaves: [PropertyValue] = [
      .null, .bool(true), .number(0), .number(-1), .number(2.5), .number(1e308),
      .number(-.leastNonzeroMagnitude),
      .string(""), .string("x"), .string("😀é"), .string("red"), .array([]), .object([:]),
      .array([.string("get"), .string("n")]), .array([.string("get"), .string("s")]),
      .array([.string("get"), .string("o")]), .array([.string("literal"), .array([.number(1)])]),
      .array([.string("linear")]), .object(["locale": .string("de"), "currency": .string("EUR")]),
      .object(["text-color": .string("red"), "font-scale": .number(2)]),
      .array([.string("cubic-bezier"), .number(0), .number(1), .number(1), .number(0)]),
      .array([.string("exponential"), .number(-2)]), .array([.string("zoom")]),
    ]
    guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else {
      return leaves.randomElement(using: &random) ?? .null
    }
    let name = Self.operators.randomElement(using: &random) ?? ""
    let count = Int.random(in: 0...6, using: &random)
    return .array([.string(name)] + (0..<count).map { _ in expression(depth - 1, &random) })
  }

  @Test("no random expression or filter crashes, and each compiles or has an error")
  func compileAndEvaluate() throws {
    var random = SplitMix64(seed: 11)
    let features = [
      "{}", "{'n': 5, 's': 'red', 'o': {'k': 1}}", "{'n': -1e300, 's': '', 'o': [1, 2]}",
    ].map { TestFeature($0, id: .number(1), geometryType: "Point") }
    let specifications: [PropertySpecification] = [
      .any, .number, .color, .formatted, .string, PropertySpecification(type: .padding),
      PropertySpecification(type: .array(of: .number, count: 2)),
    ]
    var compiledCount = 0
    for round in 0..<2500 {
      let json = expression(4, &random)
      let specification = specifications[round % specifications.count]
      do {
        let compiled = try CompiledExpression.compile(json, for: specification)
        compiledCount += 1
        for feature in features {
          let context = EvaluationContext(
            zoom: 3.5, feature: feature.bound(to: compiled.propertyNames))
          #expect(compiled.number(context).isFinite)
          let color = compiled.color(context)
          let channels = [color.red, color.green, color.blue, color.alpha]
          let areWithin = channels.allSatisfy { (0...1).contains($0) }
          #expect(areWithin)
          _ = compiled.evaluate(context).text
        }
      } catch {
        #expect(!error.errors.isEmpty)
      }
      if let filter = try? CompiledFilter.compile(json) {
        let feature = features[round % features.count].bound(to: filter.propertyNames)
        _ = filter.matches(EvaluationContext(zoom: 3.5, feature: feature))
      }
    }
    #expect(compiledCount > 150)
  }
}
