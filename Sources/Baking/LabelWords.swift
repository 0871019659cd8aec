import Definition
import Inputs
import Runs
import SourceStages

extension ClusteredSource {
  /// Returns the note on a layer that writes the name of a property on every label instead of its
  /// value, as `text-field: name` does; `nil` for any other layer.
  func noteOnWord(
    of layer: LayerDefinition, in definition: PipelineDefinition
  ) throws(PipelineError) -> String? {
    guard let member = layer.layout.first(where: { $0.key == "text-field" }),
      let word = member.node.text, !word.isEmpty, !word.contains("{"), source.image == nil,
      try propertyNames(in: definition).contains(word)
    else { return nil }
    return
      "\(member.node.place): 'text-field' of layer '\(layer.nameInFile)' writes the word '\(word)' on "
      + "every label; did you mean '{\(word)}' or '[get, \(word)]'?"
  }

  /// Returns the properties of the first records, and those that clusters have.
  private func propertyNames(
    in definition: PipelineDefinition
  ) throws(PipelineError) -> Set<String> {
    let found = source.resolved
    let uses = try PropertyUses(of: found.definition, in: definition)
    let names = found.absence == nil ? found.namesAtBeginning(uses) : []
    let own =
      found.definition.records?.cluster == nil ? [] : ["point_count", "point_count_abbreviated"]
    return Set(names + source.propertyNames + own)
  }
}
