import Features
import OrderedCollections
package import Raster

/// The slices of a chart: the value of each, a number, followed by its colour.
final class SliceList: Node {
  struct Slice: Sendable {
    var value: any Node
    var color: any Node
    var name: String?
  }

  /// Maximum number of slices, far more than can be told apart.
  static let limit = 64

  let slices: [Slice]
  let traits: Traits
  var type: ExpressionType { .array(of: .value, count: nil) }
  var children: [any Node] { slices.flatMap { [$0.value, $0.color] } }

  init(_ slices: [Slice]) {
    self.slices = slices
    traits = Traits(slices.flatMap { [$0.value, $0.color] })
  }

  /// Returns values and colours in turn. A slice whose expressions have no value for a feature is 0
  /// there.
  ///
  /// - Throws: the error of the first slice if no slice has a value.
  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    var items: [ExpressionValue] = []
    items.reserveCapacity(2 * slices.count)
    var failure: EvaluationError?
    for slice in slices {
      do throws(EvaluationError) {
        let value = try slice.value.number(context)
        guard value.isFinite, value > 0 else {
          items.append(.number(0))
          items.append(.null)
          continue
        }
        let color = try slice.color.color(context)
        items.append(.number(value))
        items.append(.color(color))
      } catch {
        failure = failure ?? error
      }
    }
    if items.isEmpty, let failure { throw failure }
    return .array(items)
  }
}

extension SliceList {
  /// Compiles a list of objects with `value`, `color` and an optional `name`; returns `nil` after an
  /// error.
  static func compile(_ json: PropertyValue, _ state: ParserState) -> (any Node)? {
    guard case .array(let items) = json, !items.isEmpty, items.count <= limit else {
      state.errors.append(
        ExpressionError(
          "expected a list of 1 to \(limit) slices, such as "
            + "[{value: [get, cars], color: '#3a78b8', name: Cars}]"))
      return nil
    }
    let slices = items.indices.compactMap { compile(items[$0], at: $0, state) }
    return slices.count == items.count ? SliceList(slices) : nil
  }

  private static func compile(
    _ item: PropertyValue, at index: Int, _ state: ParserState
  ) -> Slice? {
    func fail(_ message: String, _ steps: KeyStep...) {
      state.errors.append(
        ExpressionError(
          key: [.index(index)] + steps, keyString: "[\(index)]", message: message))
    }
    guard case .object(let members) = item else {
      fail("a slice is an object with 'value', 'color' and, for the legend, 'name'")
      return nil
    }
    if let name = members.keys.first(where: { !["value", "color", "name"].contains($0) }) {
      fail("a slice has no '\(name)'; it has 'value', 'color' and 'name'", .member(name))
      return nil
    }
    var title: String?
    if let name = members["name"] {
      guard case .string(let text) = name else {
        fail("the name of a slice is a text, in quotes", .member("name"))
        return nil
      }
      title = text
    }
    let parser = Parser(state)
    func node(_ name: String, _ type: ExpressionType) -> (any Node)? {
      guard let json = members[name] else {
        fail("the slice has no '\(name)'")
        return nil
      }
      return parser.child(index, expecting: type, member: name).parse(json)
    }
    guard let value = node("value", .number), let color = node("color", .color) else { return nil }
    return Slice(value: value, color: color, name: title)
  }
}

extension CompiledExpression {
  /// Returns the names and colours of a chart's slices, whatever their values are; the name is `nil`
  /// for a slice without one.
  package func slices(_ context: EvaluationContext) -> [(name: String?, color: Color)] {
    guard let list = root as? SliceList else { return [] }
    return list.slices.map { ($0.name, (try? $0.color.color(context)) ?? .transparent) }
  }

  /// The properties that the value of each slice of a chart reads.
  package var sliceProperties: [[String]] {
    (root as? SliceList)?.slices.map { Self.properties(readBy: $0.value) } ?? []
  }

  private static func properties(readBy node: any Node) -> [String] {
    if let get = node as? PropertyGet { return [get.name] }
    return node.children.flatMap(properties)
  }
}
