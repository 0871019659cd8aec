import Columns
import Definition
import Features
import Inputs
import Scenes
import SourceStages
import Styling

/// The trials of the layers that draw parts of tilesets, on the features that are read of them piece by
/// piece.
struct PartTrials: Sendable {
  /// The trial of a layer.
  struct Layer: Sendable {
    /// The layer's place in the pipeline.
    let place: Int
    var trial: LayerTrial
    var found = FoundGeometries()

    /// The first zoom whose features were tried.
    var zoom: Int?

    mutating func take(_ source: ClusteredSource, zoom: Int) {
      guard trial.layer.shows(at: Double(zoom)), !trial.isSettled else { return }
      let first = self.zoom ?? zoom
      self.zoom = first
      guard first == zoom || trial.dependsOnZoom else { return }
      trial.take(source.symbols(at: zoom), shapes: source.source.shapes, zoom: zoom)
      if !trial.hasGeometry { found.add(FoundGeometries(source)) }
    }
  }

  /// The layers by the names of the parts that they draw.
  private(set) var layers: [String: [Layer]] = [:]

  /// - Parameters:
  ///   - style: the compiled layers of the pipeline, in its order.
  ///   - sources: the sources of the layers.
  init(of definition: PipelineDefinition, _ style: Style, drawing sources: [ResolvedSource]) {
    let parts = Set(sources.filter { $0.definition.vectorTiles?.part != nil }.map(\.name))
    for (place, (layer, compiled)) in zip(definition.layers, style.layers).enumerated() {
      guard let source = layer.source, parts.contains(source) else { continue }
      layers[source, default: []].append(Layer(place: place, trial: LayerTrial(compiled)))
    }
  }

  /// Tries the features of a piece of a part.
  mutating func take(_ source: ClusteredSource, zoom: Int) {
    let name = source.source.definition.name
    for index in layers[name]?.indices ?? 0..<0 {
      layers[name]?[index].take(source, zoom: zoom)
    }
  }

  /// The findings so far as bytes.
  var bytes: ByteWriter {
    var writer = ByteWriter()
    for (_, list) in layers.sorted(by: { $0.key < $1.key }) {
      for layer in list {
        writer.append(layer.zoom.map { $0 + 1 } ?? 0)
        writer.append(layer.found.bits)
        layer.trial.append(to: &writer)
      }
    }
    return writer
  }

  /// Restores the findings from ``bytes``.
  mutating func restore(_ reader: inout ByteReader) throws(ByteReader.Damage) {
    for source in layers.keys.sorted() {
      for index in layers[source]?.indices ?? 0..<0 {
        let zoom = try reader.count()
        layers[source]?[index].zoom = zoom == 0 ? nil : zoom - 1
        layers[source]?[index].found = FoundGeometries(bits: try reader.count())
        try layers[source]?[index].trial.restore(&reader)
      }
    }
  }

  /// Adds the trials of pieces that follow.
  mutating func add(_ other: PartTrials) {
    layers.merge(other.layers) { own, others in
      zip(own, others).map { own, other in
        var layer = own
        layer.trial.add(other.trial)
        layer.found.add(other.found)
        layer.zoom = own.zoom ?? other.zoom
        return layer
      }
    }
  }
}

/// The kinds of geometries that a source has.
struct FoundGeometries: Hashable, Sendable {
  private var points = false
  private var shapes = false
  private var areas = false

  init() {}

  init(bits: Int) { (points, shapes, areas) = (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0) }

  /// The kinds as one number.
  var bits: Int { (points ? 1 : 0) | (shapes ? 2 : 0) | (areas ? 4 : 0) }

  init(_ source: ClusteredSource) {
    let geometry = source.source.shapes.geometry
    points = source.source.points.count > 0
    shapes = geometry.count > 0
    areas = geometry.parts.contains(.outerRing)
  }

  mutating func add(_ other: FoundGeometries) {
    points = points || other.points
    shapes = shapes || other.shapes
    areas = areas || other.areas
  }

  /// Whether there are lines or areas.
  var hasShapes: Bool { shapes }

  /// The finding, in a sentence after "the source has".
  var words: String {
    points
      ? (shapes ? "points and lines" : "only points") : areas ? "only areas" : "only lines"
  }
}
