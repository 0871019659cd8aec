import Expressions
package import Features
import OrderedCollections

extension StyleLayer {
  /// Creates a layer by compiling a layer object of a style document.
  ///
  /// - Parameters:
  ///   - object: the layer as JSON, `id` and `type` included.
  ///   - sources: the ids of the document's sources.
  ///   - globalState: the values that the expression `global-state` reads, by name.
  /// - Throws: ``StyleError`` with the path of the first fault inside the layer, and with the
  ///   faults of the other properties.
  package init(
    _ object: PropertyValue, sources: [String], globalState: [String: PropertyValue] = [:]
  ) throws(StyleError) {
    guard case .object(let members) = object else {
      throw StyleError(key: [], message: "a layer is an object with 'id' and 'type'")
    }
    guard case .string(let id)? = members["id"] else {
      throw StyleError(key: [], message: "the layer has no 'id'; give it a name of its own")
    }
    self.id = id
    kind = try Self.kind(members["type"])
    source = try Self.source(members["source"], of: kind, sources: sources)
    var errors: [StyleError] = []
    minZoom =
      errors.collect { () throws(StyleError) in
        try Self.zoom(members["minzoom"], "minzoom")
      } ?? 0
    maxZoom =
      errors.collect { () throws(StyleError) in
        try Self.zoom(members["maxzoom"], "maxzoom")
      } ?? 24.001
    filter = errors.collect { () throws(StyleError) in
      try Self.filter(members["filter"], globalState)
    }
    let blocks = Blocks(of: members, kind: kind, globalState: globalState, errors: &errors)
    isVisible = blocks.isVisible
    properties = blocks.properties
    if let error = StyleError(errors) { throw error }
  }

  /// The compiled properties under `layout` and `paint`.
  private struct Blocks {
    var isVisible = true
    var properties: [StyleProperty: CompiledExpression] = [:]

    /// - Parameter errors: receives the errors of all properties, in the order of the style.
    init(
      of layer: OrderedDictionary<String, PropertyValue>, kind: Kind,
      globalState: [String: PropertyValue], errors: inout [StyleError]
    ) {
      for block in ["layout", "paint"] {
        guard let value = layer[block], value != .null else { continue }
        guard case .object(let entries) = value else {
          errors.append(
            StyleError(key: [.member(block)], message: "'\(block)' must be an object"))
          continue
        }
        for (name, value) in entries {
          do throws(StyleError) {
            try compile(name, value, in: block, of: kind, globalState)
          } catch {
            errors.append(error)
          }
        }
      }
    }

    private mutating func compile(
      _ name: String, _ value: PropertyValue, in block: String, of kind: Kind,
      _ globalState: [String: PropertyValue]
    ) throws(StyleError) {
      if block == "layout", name == "visibility" {
        isVisible = try StyleLayer.visibility(value, globalState)
        return
      }
      if block == "paint", StyleLayer.isTransition(name, of: kind) { return }
      let property = try StyleLayer.property(name, in: block, of: kind)
      properties[property] = try StyleLayer.compile(property, value, in: block, globalState)
    }
  }

  private static func kind(_ value: PropertyValue?) throws(StyleError) -> Kind {
    guard case .string(let name)? = value else {
      throw StyleError(key: [], message: "the layer has no 'type'; it is one of \(kindList)")
    }
    guard let kind = Kind(rawValue: name) else {
      throw StyleError(
        key: [.member("type")],
        message: "layer type '\(name)' is not supported; supported are \(kindList)")
    }
    return kind
  }

  private static var kindList: String {
    Kind.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func source(_ value: PropertyValue?, of kind: Kind, sources: [String])
    throws(StyleError) -> String?
  {
    guard kind != .background else { return nil }
    guard case .string(let name)? = value else {
      throw StyleError(key: [], message: "a \(kind.rawValue) layer needs a 'source'")
    }
    guard sources.contains(name) else {
      throw StyleError(
        key: [.member("source")],
        message: "no source named '\(name)'; sources are \(sources.joined(separator: ", "))")
    }
    return name
  }

  private static func zoom(_ value: PropertyValue?, _ name: String) throws(StyleError) -> Double? {
    switch value {
    case nil, .null?: return nil
    case .number(let zoom)? where (0...24).contains(zoom): return zoom
    default:
      throw StyleError(key: [.member(name)], message: "'\(name)' must be a number from 0 to 24")
    }
  }

  private static func visibility(
    _ value: PropertyValue, _ globalState: [String: PropertyValue]
  ) throws(StyleError) -> Bool {
    let key = [KeyStep.member("layout"), .member("visibility")]
    switch value {
    case .string("visible"): return true
    case .string("none"): return false
    case .array:
      do {
        let specification = PropertySpecification(
          allowedValues: ["visible", "none"], default: .string("visible"), isDataDriven: false,
          parameters: [])
        let compiled = try CompiledExpression.compile(
          value, for: specification, globalState: globalState)
        return compiled.string(EvaluationContext(zoom: 0)) != "none"
      } catch {
        throw StyleError(error, under: key)
      }
    default:
      throw StyleError(
        key: key,
        message: "'visibility' is 'visible' or 'none'"
          + (value == .bool(false) ? "; write none" : value == .bool(true) ? "; write visible" : "")
      )
    }
  }

  private static func filter(_ value: PropertyValue?, _ globalState: [String: PropertyValue])
    throws(StyleError) -> CompiledFilter?
  {
    guard let value, value != .null else { return nil }
    do {
      return try CompiledFilter.compile(value, globalState: globalState)
    } catch {
      throw StyleError(error, under: [.member("filter")])
    }
  }

  /// Returns whether a name is the `-transition` of a paint property, which sets how a map on a
  /// screen fades between two values; tiles have no transitions.
  private static func isTransition(_ name: String, of kind: Kind) -> Bool {
    let ending = "-transition"
    guard name.hasSuffix(ending),
      let property = StyleProperty(rawValue: String(name.dropLast(ending.count)))
    else { return false }
    return property.kind == kind && !property.isLayout
  }

  private static func property(_ name: String, in block: String, of kind: Kind)
    throws(StyleError) -> StyleProperty
  {
    let isLayout = block == "layout"
    if let other = StyleProperty(rawValue: name) {
      if other.kind == kind, other.isLayout == isLayout { return other }
      throw StyleError(
        key: [.member(block), .member(name)],
        message: other.kind == kind
          ? "'\(name)' stands under '\(other.block)', not under '\(block)'. Move it there."
          : "'\(name)' is a property of \(other.kind.rawValue) layers, and this layer is of type "
            + "\(kind.rawValue). Take it out, or add a \(other.kind.rawValue) layer.")
    }
    let meant = PropertyAdvice.nearest(to: name, of: kind).map { property in
      "did you mean '\(property.rawValue)'?"
    }
    let list = StyleProperty.allCases.filter { $0.kind == kind && $0.isLayout == isLayout }
      .map(\.rawValue).joined(separator: ", ")
    throw StyleError(
      key: [.member(block), .member(name)],
      message: "\(block) property '\(name)' is not supported for \(kind.rawValue) layers; "
        + (meant ?? "supported are \(list)"))
  }

  private static func compile(
    _ property: StyleProperty, _ value: PropertyValue, in block: String,
    _ globalState: [String: PropertyValue]
  ) throws(StyleError) -> CompiledExpression {
    let compiled: CompiledExpression
    do {
      compiled = try CompiledExpression.compile(
        value, for: property.specification, globalState: globalState)
    } catch {
      var refusal = StyleError(error, under: [.member(block), .member(property.rawValue)])
      if error.errors.first?.remedy == nil,
        let remedy = PropertyAdvice.remedy(for: value, of: property)
      {
        refusal.message += "; \(remedy)"
      }
      throw refusal
    }
    if compiled.isFeatureConstant, compiled.isZoomConstant,
      compiled.finiteValue(EvaluationContext(zoom: 0)) == nil
    {
      throw StyleError(
        key: [.member(block), .member(property.rawValue)],
        message: "'\(property.rawValue)' is not a finite number; give one that is")
    }
    if let words = property.listedWords, case .array(let items)? = compiled.constant {
      for case .string(let word) in items where !words.contains(word) {
        throw StyleError(
          key: [.member(block), .member(property.rawValue)],
          message: "'\(property.rawValue)' does not support '\(word)'; "
            + "supported are \(words.joined(separator: ", "))")
      }
    }
    return compiled
  }
}

extension [StyleError] {
  /// Returns the result of a step; appends its error and returns `nil` if it fails.
  fileprivate mutating func collect<Value>(
    _ step: () throws(StyleError) -> Value?
  ) -> Value? {
    do throws(StyleError) {
      return try step()
    } catch {
      append(error)
      return nil
    }
  }
}
