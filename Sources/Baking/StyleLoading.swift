package import Definition
import Expressions
package import Features
import OrderedCollections
package import Reuse
package import Runs
package import Styling

extension PipelineDefinition {
  /// Compiles the layers, and decodes the images that they show.
  ///
  /// - Parameter inputs: the digests of the run, which then know the files of the images as they
  ///   were read.
  /// - Throws: ``PipelineError`` with the place of the fault in the pipeline file, or the file of an
  ///   image.
  package func style(
    reading inputs: InputDigests = InputDigests()
  ) throws(PipelineError) -> Style {
    Style(layers: try styleLayers(), images: try images(inputs))
  }

  /// Compiles the layers.
  package func styleLayers() throws(PipelineError) -> [StyleLayer] {
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
    return compiled
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
