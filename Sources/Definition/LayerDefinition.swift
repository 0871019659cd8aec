import Features
package import Runs
package import Styling

/// A layer of a pipeline: the input of the style compiler, with the places for its errors.
package struct LayerDefinition: Sendable {
  /// The identifier, unique in the pipeline.
  package var id: String

  /// The identifier in the pipeline file if this layer was made from another one for some zooms;
  /// `nil` for a layer of the file itself.
  package var writtenID: String?

  /// The source in the pipeline file if this layer was made from another one.
  package var writtenSource: String?

  package var type: StyleLayer.Kind

  /// The source's name; `nil` for a background.
  package var source: String?

  /// The layer of a source of vector tiles; `nil` for other sources, and for the layers by default,
  /// which draw all.
  package var sourceLayer: String?

  /// A MapLibre expression or filter.
  package var filter: DocumentNode?

  /// The range of ``minZoom`` and ``maxZoom``, whose ends are their defaults.
  static let zooms = 0.0...24

  /// The zoom from which the layer is drawn. Zooms are those of the tiles.
  package var minZoom: Double

  /// The zoom below which the layer is drawn.
  package var maxZoom: Double

  /// The paint properties in the order of the file.
  package var paint: [DocumentMember]

  /// The layout properties in the order of the file.
  package var layout: [DocumentMember]

  /// The place where the layer begins.
  package var place: DocumentPlace

  /// The title in the legend; `nil` for one made of the names of source and layer.
  package var title: String?

  /// Whether the legend has an entry for the layer; a ground or a shadow needs none.
  package var isInLegend = true
}

extension LayerDefinition {
  /// The identifier by which messages name the layer.
  package var nameInFile: String { writtenID ?? id }

  /// Decodes the layers from nodes that passed ``KeyCheck``.
  ///
  /// - Parameter globalState: the values that the expression `global-state` reads, by name.
  /// - Throws: the error of the first wrong layer, with those of the others; if there is one, the
  ///   expressions of all layers are compiled for their errors, too.
  static func layers(
    _ items: [DocumentNode], sources: [SourceDefinition], globalState: [String: PropertyValue]
  ) throws(PipelineError) -> [LayerDefinition] {
    var layers: [LayerDefinition] = []
    var places: [String: DocumentPlace] = [:]
    var errors: [PipelineError] = []
    for item in items {
      do throws(PipelineError) {
        let layer = try LayerDefinition(item, sources: sources)
        let idPlace = item["id"]?.place ?? item.place
        if let first = places.updateValue(idPlace, forKey: layer.id) {
          throw idPlace.fault(
            "the layer id '\(layer.id)' occurs here and at \(first.words(in: idPlace.file)). "
              + "Give one of them another.")
        }
        layers.append(layer)
      } catch {
        errors.append(error)
      }
    }
    guard !errors.isEmpty else { return layers }
    for layer in layers {
      _ = errors.value { () throws(PipelineError) in
        try layer.compiled(sources: sources.map(\.name), globalState: globalState)
      }
    }
    if let error = PipelineError(errors) { throw error }
    return layers
  }

  private init(_ node: DocumentNode, sources: [SourceDefinition]) throws(PipelineError) {
    guard let type = node["type"]?.text.flatMap(StyleLayer.Kind.init), let id = node["id"]?.text,
      let object = LayerKeys.layers.types.first(where: { $0.name == type.rawValue })?.object
    else { throw PipelineError(.bug, "a layer was not checked.", at: node.place) }
    let keyed = KeyedNode(node, object)
    // Styles may give a background the keys of other layers.
    let drawsData = type != .background
    self.init(
      id: id, type: type, source: drawsData ? keyed.text("source") : nil,
      sourceLayer: drawsData ? keyed.text("source-layer") : nil,
      filter: drawsData ? node["filter"] : nil,
      minZoom: try keyed.value("minzoom"), maxZoom: try keyed.value("maxzoom"),
      paint: node["paint"]?.members ?? [], layout: node["layout"]?.members ?? [],
      place: node.place, title: node["metadata"]?["title"]?.text,
      isInLegend: node["metadata"]?["legend"]?.bool ?? true)
    if minZoom > maxZoom {
      throw keyed.fault("maxzoom", "layer '\(id)' has a maxzoom below its minzoom.")
    }
    if let source { try Self.check(source, of: node, layer: id, type: type, sources: sources) }
  }

  private static func check(
    _ name: String, of node: DocumentNode, layer id: String, type: StyleLayer.Kind,
    sources: [SourceDefinition]
  ) throws(PipelineError) {
    let place = (node["source"] ?? node).place
    guard let source = sources.first(where: { $0.name == name }) else {
      let names = sources.map(\.name)
      throw place.fault(
        "layer '\(id)' draws the source '\(name)', which is not there"
          + "\(NameSuggestion.question(name, among: names)) "
          + "Sources are \(names.joined(separator: ", ")).")
    }
    if type == .leg, source.records?.stacks == nil {
      throw place.fault(
        "a leg layer draws the legs of spread points, but source '\(name)' has no 'stacks'.")
    }
    // The content of a store is known when its file is read.
    guard (source.records == nil) == (type == .raster) || source.records?.isStore == true else {
      throw place.fault(
        "a \(type.rawValue) layer draws \(type == .raster ? "images" : "records"), "
          + "but '\(name)' is a source of type \(source.type).")
    }
    if let tiles = source.vectorTiles, node["source-layer"] == nil {
      let names = tiles.listedLayers(of: source.data)
      throw node.place.fault(
        "layer '\(id)' draws vector tiles, those of '\(name)', and does not name one of their layers. "
          + "Add 'source-layer'\(names.isEmpty ? "" : ", one of \(names.joined(separator: ", "))")."
      )
    }
  }
}
