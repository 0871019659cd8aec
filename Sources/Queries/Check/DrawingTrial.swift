package import Baking
import Definition
import Inputs
package import Runs
import Scenes
import SourceStages
import Styling

/// A trial by which `check` determines whether a pipeline draws anything, with the same steps and
/// notes as a build.
package struct DrawingTrial {
  /// The result of a trial.
  package struct Outcome {
    let sources: [ClusteredSource]

    /// The notes that a build would make on the sources.
    package let notes: DataNotes

    /// The note on images that are not there; `nil` if all are.
    package let imageNote: String?

    /// Whether an archive would have a tile.
    let isDrawn: Bool

    /// The number of records that a build would use, of all sources; `nil` where only some of them
    /// were tried.
    package var usedRecords: Int?
  }

  /// A build that stores nothing.
  package let build: Build

  package init(build: Build) {
    self.build = build
  }

  /// The number of records of each source that are tried first: if they show that all is well, no
  /// others are kept.
  private static let sampleSize = 1000

  /// Tries all sources.
  ///
  /// - Throws: the ``PipelineError`` with which a build would end.
  package func outcome(_ clock: StageClock) throws(PipelineError) -> Outcome {
    if build.definition.sources.allSatisfy({ $0.records?.areJudgedAlone ?? true }) {
      var sample = build
      sample.recordLimit = Self.sampleSize
      // Properties that the first records lack may occur in later ones; only all of them can fail.
      if var found = try? sample.tried(clock), found.isDrawn, found.notes.all.isEmpty,
        found.imageNote == nil
      {
        found.usedRecords = nil
        return found
      }
    }
    let found = try build.tried(clock)
    if !found.isDrawn {
      try build.requireNothingAllowed(of: found.sources, because: found.notes)
      try build.definition.expectation.check(features: found.sources.usedRecords, tiles: 0)
    }
    return found
  }
}

extension RecordDefinition {
  /// Whether each record is judged independently of the others.
  fileprivate var areJudgedAlone: Bool { line == nil && featureLimit == nil }
}

extension Build {
  fileprivate func tried(_ clock: StageClock) throws(PipelineError) -> DrawingTrial.Outcome {
    let shared = definition.hasSeries ? try with(pipeline.withoutFrames) : self
    let sources = try shared.reading.clustered(clock)
    let notes = try shared.dataNotes(on: sources)
    // An empty frame is published with transparent tiles.
    var missing = MissingImages()
    let isDrawn = definition.hasSeries ? true : try draws(sources, &missing, clock)
    return DrawingTrial.Outcome(
      sources: sources, notes: notes, imageNote: missing.note, isDrawn: isDrawn,
      usedRecords: sources.usedRecords)
  }

  /// Whether any zoom has a tile; deeper ones are skipped once there is one, unless they may show
  /// other images, which the looks of their features tell.
  ///
  /// - Parameter missing: receives the images that are not there.
  private func draws(
    _ sources: [ClusteredSource], _ missing: inout MissingImages, _ clock: StageClock
  ) throws(PipelineError) -> Bool {
    let style = prepared.style
    let scale = definition.tiles.scales.first ?? 1
    var isDrawn = false
    let zooms = definition.tiles.minZoom...definition.tiles.maxZoom
    try definition.requireFewTiles(ofImages: sources.imageBoxes, style, zooms)
    for zoom in zooms {
      if isDrawn {
        guard style.showsImages else { break }
        missing.formUnion(try missingImages(scale: scale, zoom: zoom, sources, clock))
        continue
      }
      let planned = try scenes(scale: scale, zooms: zoom...zoom, sources, clock)
      missing.formUnion(planned.builder.missingImages)
      isDrawn = planned.drawsLayers
    }
    return isDrawn
  }
}
