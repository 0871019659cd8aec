import Features
import Rendering

/// Whether a pipeline draws anything, found out by `check` in the way and in the words of a build.
struct DrawingTrial {
  /// A build that stores nothing.
  let build: Build

  /// Records of each source that are tried first: if they show that all is well, no other is kept.
  private static let sampleSize = 1000

  /// Tries all sources.
  ///
  /// - Returns: what a build would note of them.
  /// - Throws: ``PipelineError``, with which a build would end.
  func notes(_ clock: StageClock) throws(PipelineError) -> DataNotes {
    let style = try build.definition.style()
    var sample = build
    sample.recordLimit = Self.sampleSize
    // What the first records lack later ones may have; only all of them can fail.
    if let trial = try? sample.tried(style, clock), trial.isDrawn, trial.notes.all.isEmpty {
      return trial.notes
    }
    let trial = try build.tried(style, clock)
    if !trial.isDrawn {
      try build.requireNothingAllowed(of: trial.sources, because: trial.notes)
      try build.definition.expectation.check(
        features: trial.sources.reduce(0) { $0 + $1.ledger.used }, tiles: 0)
    }
    return trial.notes
  }

  /// What came of the sources.
  fileprivate struct Outcome {
    let sources: [ClusteredSource]
    let notes: DataNotes
    /// Whether an archive would have a tile.
    let isDrawn: Bool
  }
}

extension Build {
  fileprivate func tried(_ style: Style, _ clock: StageClock) throws(PipelineError)
    -> DrawingTrial.Outcome
  {
    let shared = definition.hasSeries ? withoutSeries : self
    let sharedStyle = definition.hasSeries ? try shared.definition.style() : style
    let sources = try shared.readAndCluster(sharedStyle, clock)
    let notes = try DataNotes(of: sources, in: shared.definition, sharedStyle)
    // A frame that shows nothing is published with transparent tiles.
    let isDrawn = definition.hasSeries ? true : try draws(sources, style, clock)
    return DrawingTrial.Outcome(sources: sources, notes: notes, isDrawn: isDrawn)
  }

  /// Whether any zoom has a tile; the deeper ones are not looked at once there is one.
  private func draws(
    _ sources: [ClusteredSource], _ style: Style, _ clock: StageClock
  ) throws(PipelineError) -> Bool {
    let fonts = try loadFonts()
    for zoom in definition.tiles.minZoom...definition.tiles.maxZoom {
      var tiles = definition.tiles
      (tiles.minZoom, tiles.maxZoom) = (zoom, zoom)
      let planned = try scenes(
        of: tiles, scale: tiles.scales.first ?? 1, sources, style, fonts, clock)
      if planned.drawsAnything { return true }
    }
    return false
  }
}
