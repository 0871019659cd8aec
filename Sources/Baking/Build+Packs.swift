import Archives
import Definition
import MBTiles
import Publication
import Reports
package import Reuse
package import Runs
import SystemPackage

extension PipelineDefinition {
  /// Refuses a file of regions that cannot be read, or whose features are not all regions.
  ///
  /// - Throws: ``PipelineError`` with their places.
  package func requireRegions() throws(PipelineError) {
    if let packs = output.packs { _ = try RegionFile(packs) }
  }

  /// Divides the archives that a rollback has restored.
  ///
  /// - Parameter patience: see ``Build/patience``.
  /// - Returns: notes for the user, by the paths of the archives.
  package func settlePacks(
    _ context: RunContext, patience: (() -> Bool)?
  ) throws(PipelineError) -> [String: [String]] {
    var notes: [String: [String]] = [:]
    for scale in tiles.scales where output.packs != nil {
      let path = output.path(scale: scale)
      let lock = try PipelineError.wrapping {
        try ArchivePublication(ofPipeline: path, patience: patience)
      }
      notes[path] = try settlePacks(of: lock, scale: scale, context, patience: patience)
    }
    return notes
  }

  /// Divides an archive that a rollback has restored, unless its packs are up to date. The packs'
  /// lists of updates then lead apps to the restored tiles, as the archive's own list does.
  ///
  /// - Parameter lock: the archive, which is locked.
  /// - Returns: notes for the user.
  func settlePacks(
    of lock: ArchivePublication, scale: Int, _ context: RunContext, patience: (() -> Bool)?
  ) throws(PipelineError) -> [String] {
    guard let packs = output.packs else { return [] }
    var stage = PackStage(
      archive: lock.archive, scale: scale, packs: packs, output: output, context: context,
      patience: patience)
    stage.isRollback = true
    // The packs are up to date if the rollback was killed after it divided the archive.
    if try stage.standing() != nil { return [] }
    var notes: [String] = []
    _ = try stage.run(since: nil, notes: &notes, context.clock)
    return notes
  }
}

extension Build {
  private func packStage(
    _ packs: PackDefinition, of archive: FilePath, scale: Int
  ) -> PackStage {
    PackStage(
      archive: archive, scale: scale, packs: packs, output: definition.output, context: context,
      patience: patience)
  }

  /// Divides a published archive into packs, or removes those of the last one.
  func settlePacks(
    since replaced: ArchiveReader?, at target: ArchiveTarget, _ report: inout BuildReport,
    _ clock: StageClock
  ) throws(PipelineError) {
    let archive = target.publication.archive
    guard let packs = definition.output.packs else {
      return try removePacks(of: archive, scale: target.scale, &report)
    }
    report.packs = try packStage(packs, of: archive, scale: target.scale)
      .run(since: replaced, notes: &report.notes, clock)
    report.stages += clock.stages.suffix(1)
    report.memory = report.stages.peakMemory.maximum(RunMemory.peak)
    try write(report)
  }

  /// Divides archives that are in place where a run was killed before it did, or where the regions
  /// have changed; removes the packs of a pipeline that has none any more.
  func addPacks(to reports: inout [BuildReport]) throws(PipelineError) {
    for (index, scale) in definition.tiles.scales.enumerated() where reports.indices.contains(index)
    {
      guard let packs = definition.output.packs else {
        try removePacks(of: FilePath(reports[index].archive.path), scale: scale, &reports[index])
        continue
      }
      let stage = packStage(packs, of: FilePath(reports[index].archive.path), scale: scale)
      if !options.force, !options.noCache, let standing = try stage.standing() {
        reports[index].packs = standing
        continue
      }
      reports[index].packs = try stage.run(
        since: nil, notes: &reports[index].notes, context.clock)
    }
  }

  private func removePacks(
    of archive: FilePath, scale: Int, _ report: inout BuildReport
  ) throws(PipelineError) {
    // The regions do not matter here.
    let none = PackDefinition(regions: "", place: definition.outputPlace)
    if try packStage(none, of: archive, scale: scale).removeAll() {
      report.notes.append(
        "the packs of the last archive were removed: 'output' of this pipeline has no 'packs'.")
    }
  }
}
