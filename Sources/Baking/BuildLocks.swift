package import Definition
import Files
import Foundation
import Inputs
package import MBTiles
import Publication
package import Reports
package import Runs
import SystemPackage

/// The place of one archive of a run, which holds its lock.
package struct ArchiveTarget {
  package let publication: ArchivePublication

  /// The pixel density.
  package let scale: Int
  package let fingerprint: BuildFingerprint

  /// Notes for the user on the archive in place, a sentence each.
  var notes: [String] = []
}

/// The locks of a build, and the notes about a rollback.
extension Build {
  /// Holds the locks of the archives of all densities while they are made, unless those in place
  /// are up to date.
  ///
  /// - Parameters:
  ///   - fingerprints: computes the fingerprints of the archives.
  ///   - make: makes and publishes the archives.
  package func publishing(
    _ fingerprints: () throws(PipelineError) -> [BuildFingerprint],
    make: ([ArchiveTarget]) throws(PipelineError) -> [BuildReport]
  ) throws(PipelineError) -> [BuildReport] {
    guard let publications = try publications() else {
      return skipped(definition.tiles.scales.map { definition.output.path(scale: $0) })
    }
    try settleDeltas(publications)
    for (publication, scale) in zip(publications, definition.tiles.scales) where publication.isHeld
    {
      // A rollback may have been killed before it divided the archive.
      _ = try definition.settlePacks(of: publication, scale: scale, context, patience: patience)
    }
    let fingerprints = try fingerprints()
    var targets = zip(definition.tiles.scales, zip(publications, fingerprints)).map {
      ArchiveTarget(publication: $1.0, scale: $0, fingerprint: $1.1)
    }
    switch try standing(fingerprints) {
    case .unchanged(var reports):
      try settleHolds(publications, &reports)
      try writeLock(rows: [:])
      try addSidecars(fingerprints)
      // A run that was killed after it published may have left them missing.
      if options.writesDeltas { try addDeltas(to: &reports) }
      try addPacks(to: &reports)
      return reports
    case .outdated(let notes):
      try requireRelease(publications)
      try definition.requireRegions()
      if !targets.isEmpty { targets[0].notes = notes }
      return try make(targets)
    }
  }

  /// The function that is polled while another run holds the lock and decides whether to keep
  /// waiting; `nil` to not wait.
  package var patience: (() -> Bool)? {
    let cancellation = cancellation
    return options.whenLocked == .wait ? { !cancellation.isCancelled } : nil
  }

  /// Acquires the locks to replace the archives of all densities, in their order; `nil` where
  /// another run holds one of them and the options leave the archives to it.
  ///
  /// The names of the densities ascend as bytes (`a.mbtiles` before `a@2x.mbtiles`), so all runs
  /// acquire locks in one order, whatever their pipelines and --output, and cannot deadlock.
  func publications() throws(PipelineError) -> [ArchivePublication]? {
    do throws(PipelineError) {
      return try definition.tiles.scales.map { scale throws(PipelineError) in
        try publication(of: definition.output.path(scale: scale))
      }
    } catch {
      try cancellation.check()
      guard error.code == .locked, options.whenLocked == .skip else { throw error }
      return nil
    }
  }

  private func publication(of path: String) throws(PipelineError) -> ArchivePublication {
    do {
      let publication = try ArchivePublication(ofPipeline: path, patience: patience)
      StaleFiles.remove(besides: FilePath(definition.output.lockPath), isLocked: false)
      return publication
    } catch {
      throw PipelineError(error)
    }
  }

  /// Returns the reports of a run that leaves its archives to another one.
  package func skipped(_ paths: [String]) -> [BuildReport] {
    paths.map { path in
      BuildReport(pipeline: definition.name, result: .skipped, archive: ArchiveReport(path: path))
    }
  }

  /// Refuses to replace an archive that a user rolled back to, unless the options accept it.
  ///
  /// - Throws: ``PipelineError`` with code `unexpected`.
  func requireRelease(_ publications: [ArchivePublication]) throws(PipelineError) {
    guard !options.acceptsChanges, let held = publications.first(where: \.isHeld) else { return }
    throw PipelineError(
      .unexpected,
      "\(held.archive) was rolled back from \(held.setAside), so nothing is published in its place. "
        + "When the data or the pipeline is fixed, build once with --accept-changes.")
  }

  /// Notes in the reports of unchanged archives that they were rolled back to, or ends the hold.
  func settleHolds(
    _ publications: [ArchivePublication], _ reports: inout [BuildReport]
  ) throws(PipelineError) {
    for (index, publication) in publications.enumerated() where publication.isHeld {
      if options.acceptsChanges {
        do {
          try publication.endHold()
        } catch {
          throw PipelineError(error)
        }
      } else if reports.indices.contains(index) {
        reports[index].notes.append(
          "\(publication.archive) was rolled back from \(publication.setAside): the next archive is "
            + "published by a build with --accept-changes only.")
      }
    }
  }
}

extension PipelineDefinition {
  /// Refuses places where no archives can be put, and those of files that the pipeline reads.
  ///
  /// - Throws: ``PipelineError`` with code `cannotCreate`, and see ``requireInputsApart(_:)``.
  package func requireTargets(_ options: BuildOptions) throws(PipelineError) {
    try requireInputsApart(options)
    for path in outputPaths.joined() {
      do throws(ArchiveError) {
        try ArchivePublication.requireTarget(FilePath(path))
      } catch {
        throw PipelineError(error)
      }
    }
  }
}
