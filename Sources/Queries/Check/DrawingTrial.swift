package import Baking
import Definition
import Features
package import Runs
import Styling

/// Whether a pipeline draws anything, found out by `check` in the way and in the words of a build.
package struct DrawingTrial {
  /// What a trial found.
  package struct Outcome {
    let sources: [ClusteredSource]

    /// What a build would note of the sources.
    package let notes: DataNotes

    /// Whether an archive would have a tile.
    let isDrawn: Bool

    /// Records that a build would use, of all sources; nil where only some of them were tried.
    package var usedRecords: Int?
  }

  /// A build that stores nothing.
  package let build: Build

  package init(build: Build) {
    self.build = build
  }

  /// Records of each source that are tried first: if they show that all is well, no other is kept.
  private static let sampleSize = 1000

  /// Tries all sources.
  ///
  /// - Throws: ``PipelineError``, with which a build would end.
  package func outcome(_ clock: StageClock) throws(PipelineError) -> Outcome {
    let style = try build.definition.style()
    if build.definition.sources.allSatisfy(\.records.areJudgedAlone) {
      var sample = build
      sample.recordLimit = Self.sampleSize
      // What the first records lack later ones may have; only all of them can fail.
      if var found = try? sample.tried(style, clock), found.isDrawn, found.notes.all.isEmpty {
        found.usedRecords = nil
        return found
      }
    }
    let found = try build.tried(style, clock)
    if !found.isDrawn {
      try build.requireNothingAllowed(of: found.sources, because: found.notes)
      try build.definition.expectation.check(features: found.sources.usedRecords, tiles: 0)
    }
    return found
  }
}

extension RecordDefinition {
  /// Whether no record decides with others whether it is used.
  fileprivate var areJudgedAlone: Bool { line == nil && featureLimit == nil }
}

extension Build {
  fileprivate func tried(
    _ style: Style, _ clock: StageClock
  ) throws(PipelineError) -> DrawingTrial.Outcome {
    let shared = definition.hasSeries ? withoutSeries : self
    let sharedStyle = definition.hasSeries ? try shared.definition.style() : style
    let sources = try shared.readAndCluster(sharedStyle, clock)
    let notes = try DataNotes(
      of: sources, in: shared.definition, sharedStyle, checkpoint: cancellation.check)
    // A frame that shows nothing is published with transparent tiles.
    let isDrawn = definition.hasSeries ? true : try draws(sources, style, clock)
    return DrawingTrial.Outcome(
      sources: sources, notes: notes, isDrawn: isDrawn, usedRecords: sources.usedRecords)
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
