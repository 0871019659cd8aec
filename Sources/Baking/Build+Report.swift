import Archives
import Definition
import Fetching
import Inputs
import JSON
import MBTiles
import Reports
import Reuse
package import Runs
import Scenes
package import SourceStages
import Styling
import SystemPackage
import Workers

// The report of a run, and its notes.
extension Build {
  /// Returns the report of a published archive.
  func report(
    of outcome: ArchiveStage.Outcome, _ sources: [ClusteredSource],
    _ publication: ArchivePublication, _ clock: StageClock
  ) -> BuildReport {
    let made = outcome.made
    var report = BuildReport(
      of: definition, result: .published,
      archive: ArchiveReport(
        path: publication.archive.string, bytes: outcome.bytes, sha256: outcome.sha256,
        digest: made.summary.hashes?.digest ?? ""))
    report.sources = sources.map(\.report).map { $0.redacted(by: definition.redactions) }
    report.notes = made.notes + self.notes + sources.flatMap(\.readingNotes)
    if WorkerThreads.wereRefused { report.notes.append(refusedThreadsNote) }
    if let excess = choice.flatMap({ definition.tiles.budget?.excess(of: outcome.bytes, $0) }) {
      report.notes.append(excess)
    }
    report.changes = made.changes
    report.making = made.making
    report.grids = made.summary.grids
    report.stages = context.earlierStages + stagesOfDecision + clock.stages
    report.zooms = made.summary.zooms.map { counted in
      var zoom = ZoomReport(counted)
      zoom.clusters = sources.itemCount(at: counted.zoom)
      zoom.points = sources.pointCount(at: counted.zoom)
      zoom.limited = sources.reduce(0) { $0 + $1.limitedCount(at: counted.zoom) }
      return zoom
    }
    report.tiles.planned = made.summary.tiles
    report.tiles.rendered = made.painted
    report.tiles.reused = made.reused
    report.tiles.distinct = made.summary.distinct
    report.tiles.bytes = made.summary.distinctBytes
    report.memory = report.stages.peakMemory.maximum(RunMemory.peak)
    report.notes += [definition.memory?.excess(of: report.memory)].compactMap(\.self)
    return report
  }

  /// Writes the report beside the archive that it describes.
  func write(_ report: BuildReport) throws(PipelineError) {
    do throws(PipelineError) {
      try ReportFile.write(
        report.json.pretty, to: ReportFile.path(besideArchive: report.archive.path))
    } catch {
      throw PipelineError(
        error.code,
        "\(report.archive.path) is published, but its report cannot be written. Check the folder "
          + "and the disk.", at: error.place, cause: error.cause)
    }
  }

  private var refusedThreadsNote: String {
    "the system refused some of \(threads) threads, so others did their work: the archive is the same"
      + " and took longer. Raise the limit of processes (ulimit -u, TasksMax=), or set a lower -j."
  }

  /// Notes for the user on input files, the cache and trusted inputs, a sentence each.
  package var notes: [String] {
    pipeline.sources.flatMap(\.notes) + pipeline.sprites.compactMap(\.absenceNote)
      + pipeline.fetchedFiles.compactMap(\.note)
      + [budgetNote, artifacts.note, inputs.note].compactMap(\.self)
  }

  /// The note on the zoom and format that the pipeline's budget allows; `nil` without a budget.
  var budgetNote: String? { choice.flatMap { definition.tiles.budget?.note(on: $0) } }

  /// Returns the notes on what the data of some sources lacks.
  ///
  /// - Parameter areAll: whether no other sources follow.
  package func dataNotes(
    on sources: [ClusteredSource], areAll: Bool = true
  ) throws(PipelineError) -> DataNotes {
    var notes = try DataNotes(
      of: sources, in: definition, prepared.style, checkpoint: cancellation.check)
    if areAll { try notes.add(of: sources, in: definition, prepared.style) }
    return notes
  }

  /// Returns notes for the user on the fonts of all planned labels, and on numbers by which nothing
  /// can be drawn, a sentence each.
  func drawingNotes(
    _ planned: PlannedTiles, besides dataNotes: DataNotes
  ) throws(PipelineError) -> [String] {
    try Self.drawingNotes(planned.builder, besides: dataNotes.valueless)
  }

  private static func drawingNotes(
    _ builder: SceneBuilder, besides valueless: Set<LayerProperty>
  ) throws(PipelineError) -> [String] {
    let fonts = try PipelineError.wrapping {
      try LabelFonts(of: builder.looks, fonts: builder.fonts).notes
    }
    return fonts + builder.unusableNumbers.notes(of: builder.style, besides: valueless)
      + [builder.missingImages.note].compactMap(\.self)
  }

  /// Returns the notes of a build that concern one picture, a sentence each. Notes on data that is
  /// missing as a whole are left out, since a picture shows only a part of it.
  func notes(on view: ZoomView) throws(PipelineError) -> [String] {
    try notes + view.sources.flatMap(\.readingNotes) + Self.drawingNotes(view.builder, besides: [])
  }
}
