package import Definition
import Expressions
package import Features
import OrderedCollections
package import Runs
package import Styling

extension PipelineDefinition {
  /// Compiles the layers.
  ///
  /// - Throws: ``PipelineError`` with the place of the fault in the pipeline file.
  package func style() throws(PipelineError) -> Style {
    var compiled: [StyleLayer] = []
    for layer in layers {
      do {
        compiled.append(
          try StyleLayer(
            layer.propertyValue, sources: sources.map(\.name), globalState: globalState))
      } catch {
        let advice = error.key == [.member("filter")] ? layer.filter?.filterAdvice : nil
        throw PipelineError(
          .definition, "layer '\(layer.id)': \(advice ?? error.message)",
          at: layer.place(of: error.key))
      }
    }
    return Style(layers: compiled)
  }
}

extension LayerDefinition {
  /// The layer in the form that the style compiler takes.
  package var propertyValue: PropertyValue {
    var members: OrderedDictionary<String, PropertyValue> = [
      "id": .string(id), "type": .string(type.rawValue), "minzoom": .number(minZoom),
      "maxzoom": .number(maxZoom),
    ]
    if let source { members["source"] = .string(source) }
    if let filter { members["filter"] = filter.propertyValue }
    for (name, block) in [("layout", layout), ("paint", paint)] {
      members[name] = .object(
        OrderedDictionary(block.map { ($0.key, $0.node.propertyValue) }) { first, _ in first })
    }
    return .object(members)
  }

  /// Returns the place that a key path into ``propertyValue`` leads to.
  func place(of key: [KeyStep]) -> DocumentPlace {
    var steps = key[...]
    guard case .member(let first)? = steps.popFirst() else { return place }
    if first == "filter" { return filter?.place(at: steps.map(DocumentStep.init)) ?? place }
    let block = first == "layout" ? layout : first == "paint" ? paint : []
    guard case .member(let name)? = steps.popFirst(),
      let member = block.first(where: { $0.key == name })
    else { return place }
    return steps.isEmpty
      ? member.keyPlace : member.node.place(at: steps.map(DocumentStep.init))
  }
}
