import Archives
import Definition
import Files
import MBTiles
import Publication
import Reports
import Reuse
import Runs
import SystemPackage

extension Build {
  /// Adds the deltas to a published archive, or removes those of the last one.
  func settleDeltas(
    since replaced: ArchiveReader?, at publication: ArchivePublication,
    _ report: inout BuildReport, _ clock: StageClock
  ) throws(PipelineError) {
    if options.writesDeltas {
      try DeltaStage(
        archive: publication.archive, replaced: replaced, kept: definition.output.keptDeltas,
        signer: options.signer, clock: clock
      ).run(&report)
    } else if DeltaStage.removeOutdated(
      besides: publication.archive, sha256: report.archive.sha256)
    {
      report.notes.append(
        "the deltas to the last archive were removed: this build, without --delta, makes none. With "
          + "'updates: {}' in 'output' every build does.")
    }
  }

  /// Adds missing deltas of archives that are in place.
  func addDeltas(to reports: inout [BuildReport]) throws(PipelineError) {
    for index in reports.indices {
      let archive = FilePath(reports[index].archive.path)
      try DeltaStage(
        archive: archive, replaced: nil, kept: definition.output.keptDeltas,
        signer: options.signer, clock: context.clock
      ).run(&reports[index])
    }
  }

  /// Settles the lists of deltas that a killed rollback had set aside, whatever the result of this
  /// run: they get their names back, or new ones are written for the archives in place.
  func settleDeltas(_ publications: [ArchivePublication]) throws(PipelineError) {
    let clock = context.clock
    for publication in publications where FileStatus.exists(publication.archive) {
      try DeltaStage.settle(publication, by: options.signer, clock)
    }
  }
}
