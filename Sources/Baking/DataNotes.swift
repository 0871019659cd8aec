package import Definition
import Examination
import Expressions
import Features
import Ingest
import Inputs
import JSON
import OrderedCollections
package import Runs
import Scenes
package import SourceStages
package import Styling

/// The notes on data that lacks something the pipeline needs, so that features are not drawn or not
/// as intended; a sentence each, with its place in the pipeline file.
package struct DataNotes {
  /// The notes on sources without a record to draw, and on names that no record has.
  private(set) var sources: [String] = []

  /// The notes on layers that draw nothing, and on expressions that evaluate to their defaults
  /// everywhere.
  package private(set) var layers: [String] = []

  /// The properties of layers for which a note says that no record has a value.
  private(set) var valueless: Set<LayerProperty> = []

  package var all: [String] { sources + layers }

  package init() {}

  /// - Parameters:
  ///   - style: the compiled layers of the pipeline, in its order.
  ///   - checkpoint: called before each zoom, and for each batch of a source that is read once
  ///     more; throwing ends the work.
  package init(
    of clustered: [ClusteredSource], in definition: PipelineDefinition, _ style: Style,
    checkpoint: () throws(PipelineError) -> Void
  ) throws(PipelineError) {
    var unknown: [PropertyUses.Unknown] = []
    var numbers: [String] = []
    for source in clustered where source.source.image == nil {
      let found = source.source.resolved
      // Nothing is known about data that could not be fetched.
      if found.absence != nil { continue }
      // A layer of tiles need not have features, nor each property, at every zoom.
      if found.definition.vectorTiles != nil { continue }
      if let absence = source.source.ledger.absence {
        sources.append("\(found.place): source '\(found.name)': \(absence.message)")
        if absence.kind == .noRecords { continue }
      }
      let misplaced = try found.misplaced(
        source.source.ledger, in: definition, checkpoint: checkpoint)
      sources += misplaced.map { "\(found.place): source '\(found.name)': \($0)" }
      let uses = try PropertyUses(of: found.definition, in: definition)
      unknown += uses.unknown(among: source.source.propertyNames) {
        found.namesAtBeginning(uses)
      }
      try checkpoint()
      numbers += source.source.notes(on: uses.numbers)
    }
    sources += unknown.map(\.sentence)
    sources += numbers
    var notes: [LayerNotes] = []
    for (layer, compiled) in zip(definition.layers, style.layers) {
      guard let source = clustered.first(where: { $0.source.definition.name == layer.source }),
        source.source.image == nil, source.source.ledger.used > 0
      else { continue }
      let names = unknown.filter { $0.user == PropertyUses.user(layer) }.map(\.name)
      let trial = try source.trial(of: compiled, definition.tiles, checkpoint: checkpoint)
      notes.append(
        LayerNotes(
          layer, source.source.resolved.nameInFile, FoundGeometries(source), trial, names))
    }
    add(notes)
    for layer in definition.layers {
      guard let source = clustered.first(where: { $0.source.definition.name == layer.source }),
        let note = try source.noteOnWord(of: layer, in: definition)
      else { continue }
      layers.append(note)
    }
  }
}

extension DataNotes {
  private mutating func add(_ notes: [LayerNotes]) {
    // A layer for another geometry is not a mistake where one of the source's layers fits its
    // geometries.
    let drawn = Set(notes.filter(\.suitsSource).map(\.sourceName))
    // A layer that draws tiles has a part for each zoom of theirs; they say the same.
    layers +=
      OrderedSet(notes.flatMap { $0.all(isSourceDrawn: drawn.contains($0.sourceName)) })
      .elements
    valueless.formUnion(notes.flatMap(\.valueless))
  }

  /// Adds what the features of parts of tilesets tell, which were read piece by piece.
  ///
  /// - Parameter all: the sources with the counts of what was read.
  mutating func add(
    _ trials: PartTrials, of all: [ClusteredSource], in definition: PipelineDefinition
  ) {
    add(
      all.filter { $0.ledger.used > 0 }.flatMap { source in
        (trials.layers[source.source.definition.name] ?? []).map { layer in
          LayerNotes(
            definition.layers[layer.place], source.source.resolved.nameInFile, layer.found,
            layer.trial, [])
        }
      })
  }

  /// Adds what only all sources together tell: features of tiles that cannot be read, texts of
  /// properties that no zoom of a tileset has, and bounds in which nothing lies.
  ///
  /// - Throws: a ``PipelineError`` where more than half of a tileset cannot be read.
  mutating func add(
    of all: [ClusteredSource], in definition: PipelineDefinition, _ style: Style
  ) throws(PipelineError) {
    layers += TileTextNotes(of: all, in: definition, style).notes
    sources.insert(
      contentsOf: try OddFeatures.notes(
        on: all.map { ($0.source.resolved, $0.source.ledger) }), at: 0)
    if let bounds = definition.tiles.bounds,
      let note = MissedBox(sources: all).note(on: bounds, file: definition.file)
    {
      layers.append(note)
    }
  }
}

/// A property of a layer, identified by their names.
struct LayerProperty: Hashable {
  let layer: String
  let property: String
}

/// The notes on one layer.
private struct LayerNotes {
  private let layer: LayerDefinition
  let sourceName: String
  private let found: FoundGeometries
  private let trial: LayerTrial
  /// The names that the layer reads and no record has; they have their own note.
  private let unknownNames: [String]

  init(
    _ layer: LayerDefinition, _ sourceName: String, _ found: FoundGeometries,
    _ trial: LayerTrial, _ unknownNames: [String]
  ) {
    self.layer = layer
    self.sourceName = sourceName
    self.found = found
    self.trial = trial
    self.unknownNames = unknownNames
  }

  /// Whether the layer fits the geometries of its source.
  var suitsSource: Bool { trial.hasGeometry }

  /// - Parameter isSourceDrawn: whether any layer fits the geometries of the source.
  func all(isSourceDrawn: Bool) -> [String] {
    guard trial.isShown else { return [] }
    guard trial.hasGeometry else {
      return isSourceDrawn || trial.expectsOtherGeometry ? [] : [withoutGeometry]
    }
    return failures.map(sentence)
  }

  var valueless: [LayerProperty] {
    failures.map { LayerProperty(layer: layer.id, property: $0.property) }
  }

  /// The expressions without a value for any record, except those that read unknown names.
  private var failures: [LayerTrial.ValuelessExpression] {
    guard trial.isShown, trial.hasGeometry else { return [] }
    return trial.failures.filter { failure in
      failure.propertyNames.isEmpty || !failure.propertyNames.contains(where: unknownNames.contains)
    }
  }

  private var withoutGeometry: String {
    let wanted = layer.type == .fill ? "areas" : "lines or areas"
    let remedy =
      layer.type == .symbol
      ? "Take 'symbol-placement' out."
      : "Set its 'type' to \(found.hasShapes ? "line" : "circle")."
    return
      "\(layer.place): layer '\(layer.nameInFile)' draws nothing: it needs \(wanted), and source "
      + "'\(sourceName)' has \(found.words). \(remedy)"
  }

  private func sentence(_ failure: LayerTrial.ValuelessExpression) -> String {
    let place = layer.place(of: [.member(failure.block), .member(failure.property)])
    let reason = failure.reason.hasSuffix(".") ? String(failure.reason.dropLast()) : failure.reason
    let outcome = failure.standIn.map { "its default, \(JSONWriter.text($0)), is drawn" }
    return
      "\(place): '\(failure.property)' of layer '\(layer.nameInFile)' has no value for any record "
      + "(\(reason)): \(outcome ?? "it has no effect"). Check what the expression reads, or convert "
      + "it, as 'to-number' and 'to-string' do."
  }
}

extension ClusteredSource {
  /// Evaluates a layer on the features of all zooms.
  fileprivate func trial(
    of layer: StyleLayer, _ tiles: TilesDefinition, checkpoint: () throws(PipelineError) -> Void
  ) throws(PipelineError) -> LayerTrial {
    var trial = LayerTrial(layer)
    let isSame = pyramid == nil && thinning == nil && !trial.dependsOnZoom
    for zoom in tiles.minZoom...tiles.maxZoom
    where layer.shows(at: Double(zoom)) && !trial.isSettled {
      try checkpoint()
      trial.take(symbols(at: zoom), shapes: source.shapes, zoom: zoom)
      if isSame { break }
    }
    return trial
  }
}

extension ResolvedSource {
  /// Returns notes on coordinates of which many are invalid, although the pipeline tolerates that,
  /// or whose columns do not have the names of a longitude and a latitude; the source is read once more
  /// for it.
  fileprivate func misplaced(
    _ ledger: SourceLedger, in definition: PipelineDefinition,
    checkpoint: () throws(PipelineError) -> Void
  ) throws(PipelineError) -> [String] {
    let reasons: [RejectReason] = [.latitudeOutOfRange, .longitudeOutOfRange]
    let lost = reasons.reduce(0) { $0 + (ledger.rejected[$1] ?? 0) }
    let isSuspicious = lost > 0 && lost * 50 >= ledger.read || namesOtherColumns
    guard isSuspicious, canBeReadAgain else { return [] }
    let kinds: Set<Finding.Kind> = [
      .swappedCoordinates, .guessedOrder, .metres, .scaledDegrees,
    ]
    do {
      let findings = try examined(definition) { _ in try checkpoint() }.examination?.findings
      return (findings ?? []).filter { kinds.contains($0.kind) }.map(\.sentence)
    } catch let stop as PipelineError where stop.isStop {
      throw stop
    } catch {
      // The source was read successfully before, so there is nothing to note about it.
      return []
    }
  }

  /// Whether the names of the columns that the pipeline sets do not say that they are the longitude
  /// and the latitude.
  private var namesOtherColumns: Bool {
    records?.format.columnsInDegrees.map { !CoordinateName.tell(x: $0.x, y: $0.y) } ?? false
  }
}
