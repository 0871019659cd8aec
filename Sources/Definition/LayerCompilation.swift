package import Expressions
package import Features
import OrderedCollections
package import Runs
package import Styling

extension PipelineDefinition {
  /// Compiles the layers.
  ///
  /// - Throws: the error of the first wrong property, with those of all other layers and properties.
  package func styleLayers() throws(PipelineError) -> [StyleLayer] {
    var errors: [PipelineError] = []
    let compiled = layers.compactMap { layer in
      errors.value { () throws(PipelineError) in
        try layer.compiled(sources: sources.map(\.name), globalState: globalState)
      }
    }
    if let error = PipelineError(errors) { throw error }
    return compiled
  }
}

extension LayerDefinition {
  /// Compiles the layer.
  ///
  /// - Throws: the error of the first wrong property, with those of the others.
  func compiled(
    sources: [String], globalState: [String: PropertyValue]
  ) throws(PipelineError) -> StyleLayer {
    do {
      return try StyleLayer(propertyValue, sources: sources, globalState: globalState)
    } catch {
      let errors = ([error] + error.others).map { error in
        let advice = error.key == [.member("filter")] ? filter?.filterAdvice : nil
        return place(of: error.key).fault("layer '\(id)': \(advice ?? error.message)")
      }
      throw PipelineError(errors) ?? PipelineError(.bug, "a layer does not compile.", at: place)
    }
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
    var metadata: OrderedDictionary<String, PropertyValue> = [:]
    if let title { metadata["title"] = .string(title) }
    if !isInLegend { metadata["legend"] = .bool(false) }
    if let writtenID { metadata["layer"] = .string(writtenID) }
    if let writtenSource { metadata["source"] = .string(writtenSource) }
    if writtenID != nil, let sourceLayer { metadata["source-layer"] = .string(sourceLayer) }
    if !metadata.isEmpty { members["metadata"] = .object(metadata) }
    if let filter { members["filter"] = filter.propertyValue }
    for (name, block) in [("layout", layout), ("paint", paint)] {
      members[name] = .object(
        OrderedDictionary(block.map { ($0.key, $0.node.propertyValue) }) { first, _ in first })
    }
    return .object(members)
  }

  /// Returns the place to which a key path into ``propertyValue`` points.
  package func place(of key: [KeyStep]) -> DocumentPlace {
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
