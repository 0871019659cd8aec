import Expressions
import Features
import Definition
import Inputs
import OrderedCollections
import Runs
import SourceStages
import Styling

/// The notes on layers that write a property which no feature of their tiles has, at any zoom: their
/// labels are empty, most often since the tiles have another schema.
///
/// Other properties need not be in each tileset: styles of maps ask for many.
struct TileTextNotes {
  /// A layer of the pipeline file, which draws a part of the tileset at each zoom.
  private struct Text {
    let place: DocumentPlace
    let layer: String

    /// The properties that are written, and among them those that some feature has.
    let wanted: [String]
    var found: Set<String> = []

    /// Whether the layer's tiles have any features.
    var hasFeatures = false
  }

  private var texts: OrderedDictionary<String, Text> = [:]

  init(
    of sources: [ClusteredSource], in definition: PipelineDefinition, _ style: Style
  ) {
    let parts = Dictionary(
      sources.filter { $0.source.definition.vectorTiles != nil }
        .map { ($0.source.definition.name, $0.source) }, uniquingKeysWith: { one, _ in one })
    for (layer, compiled) in zip(definition.layers, style.layers) {
      guard let part = layer.source.flatMap({ parts[$0] }),
        let field = compiled.properties[.textField]
      else {
        continue
      }
      let node = layer.layout.first { $0.key == "text-field" }?.node
      let guarded = node?.guardedNames ?? []
      let wanted = field.propertyNames.filter { !guarded.contains($0) }
      guard !wanted.isEmpty, !field.usesAllProperties else { continue }
      var text =
        texts[layer.nameInFile]
        ?? Text(
          place: node?.place ?? layer.place, layer: layer.nameInFile, wanted: wanted)
      text.found.formUnion(part.propertyNames)
      text.hasFeatures = text.hasFeatures || part.ledger.used > 0
      texts[layer.nameInFile] = text
    }
  }

  /// A sentence for each layer of whose properties no feature has any.
  var notes: [String] {
    texts.values.filter { $0.hasFeatures && $0.found.isDisjoint(with: $0.wanted) }.map { text in
      let names = text.wanted.map { "'\($0)'" }.joined(separator: ", ")
      return
        "\(text.place): 'text-field' of layer '\(text.layer)' asks for \(names), which no feature of its "
        + "tiles has: nothing is written. 'quadrille inspect' shows their properties."
    }
  }
}
