import Definition
import Files
import Foundation
package import Runs
package import SystemPackage

/// A check for enough free space, made before a build paints its first tile.
///
/// The need of a build is an estimate, and a full disk is also detected while writing, with the old
/// archive unharmed. So only the hopeless case is refused: less free space than ``certainty`` of
/// the need.
struct SpaceCheck {
  /// The share of an estimate that is certainly needed. Of two pipelines of 60,000 clustered points
  /// the estimates were 0 and 5 % below the archive's size, of three with polygons 18, 21 and 25 %,
  /// and none above; the rest is a margin for the variance of a sample of 64 images.
  static let certainty = 0.8

  /// The bytes needed by destination folder; folders of one file system share its space.
  var needs: [(folder: FilePath, bytes: Int)] = []

  /// The purpose of the bytes, after "will be written in FOLDER"; empty where it is plain.
  var purpose = ""

  /// Returns the free space of a folder's file system; `nil` where it does not report it.
  var space: (FilePath) -> FreeSpace? = { FreeSpace($0) }

  /// - Throws: ``PipelineError`` with code `inputOutput` where there is too little.
  func run() throws(PipelineError) {
    var systems: [(folder: FilePath, free: FreeSpace, needed: Int)] = []
    for need in needs {
      guard let free = space(need.folder) else { continue }
      if let index = systems.firstIndex(where: { $0.free.device == free.device }) {
        systems[index].needed += need.bytes
      } else {
        systems.append((need.folder, free, need.bytes))
      }
    }
    for system in systems
    where Double(system.free.bytes) < Double(system.needed) * Self.certainty {
      throw PipelineError(
        .inputOutput,
        "about \(ReportNumber.bytes(system.needed)) will be written in \(system.folder)\(purpose), "
          + "but only \(ReportNumber.bytes(system.free.bytes)) are free. Free some space or choose another "
          + "folder with --output or --tmpdir.")
    }
  }
}

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
