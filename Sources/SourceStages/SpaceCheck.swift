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
package struct SpaceCheck {
  /// The share of an estimate that is certainly needed. Of two pipelines of 60,000 clustered points
  /// the estimates were 0 and 5 % below the archive's size, of three with polygons 18, 21 and 25 %,
  /// and none above; the rest is a margin for the variance of a sample of 64 images.
  static let certainty = 0.8

  /// The bytes needed by destination folder; folders of one file system share its space.
  package init(needs: [(folder: FilePath, bytes: Int)] = []) {
    self.needs = needs
  }

  package var needs: [(folder: FilePath, bytes: Int)] = []

  /// The purpose of the bytes, after "will be written in FOLDER"; empty where it is plain.
  var purpose = ""

  /// Returns the free space of a folder's file system; `nil` where it does not report it.
  var space: (FilePath) -> FreeSpace? = { FreeSpace($0) }

  /// - Throws: ``PipelineError`` with code `inputOutput` where there is too little.
  package func run() throws(PipelineError) {
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
