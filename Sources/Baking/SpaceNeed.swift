import Definition
import Files
package import Runs
import SourceStages
package import SystemPackage

/// The bytes that one archive takes while it is made.
package struct SpaceNeed: Hashable {
  /// The bytes of the archive.
  package var archive: Int
  /// The bytes of the images that are kept in the temporary folder meanwhile.
  package var scratch: Int

  /// Estimates the need from the painted sample if there is one, otherwise from the size of the
  /// last archive, otherwise from the minimum size of such tiles: no tile is painted for this
  /// purpose alone.
  ///
  /// - Parameter last: the size of the archive in place in bytes; `nil` where there is none.
  package init(_ planned: PlannedRows, _ decision: LayoutDecision, last: Int?) {
    let rows = planned.count
    if let estimate = decision.estimate {
      archive = estimate.archiveBytes(decision.layout)
      scratch = Int(Double(estimate.images) * estimate.bytesPerImage)
    } else if let last {
      // SQLite's own overhead is 62 bytes per row, see TileEstimate.
      (archive, scratch) = (last, max(0, last - rows * 62))
    } else {
      let least = TileEstimate(
        rows: rows, images: planned.imageCount, bytesPerImage: 100, secondsPerImage: 0)
      (archive, scratch) = (least.archiveBytes(decision.layout), least.images * 100)
    }
  }
}

extension Build {
  /// Checks that there is room for the archives of a density and of the later ones; the later
  /// archives are assumed to be as large as their last ones, or as this one.
  func requireSpace(_ archive: ArchivePlan) throws(PipelineError) {
    let path = definition.output.path(scale: archive.scale)
    let need = SpaceNeed(archive.rows, archive.decision, last: Self.size(of: path))
    let later = definition.tiles.scales.filter { $0 > archive.scale }.reduce(0) { sum, scale in
      sum + (Self.size(of: definition.output.path(scale: scale)) ?? need.archive)
    }
    try requireSpace(
      archives: need.archive + later, scratch: need.scratch,
      in: DurableFile.folder(of: FilePath(path)))
  }

  /// Checks that a folder has room for archives, and the temporary folder for the images kept
  /// meanwhile.
  package func requireSpace(
    archives: Int, scratch: Int, in folder: FilePath
  ) throws(PipelineError) {
    let temporary = options.temporaryFolder.map { FilePath($0) } ?? folder
    try SpaceCheck(needs: [(folder, archives), (temporary, scratch)]).run()
  }

  package static func size(of path: String) -> Int? {
    FileStatus(FilePath(path), followsLinks: false)?.size
  }
}
