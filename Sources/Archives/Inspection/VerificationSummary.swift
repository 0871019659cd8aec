import Files
import MBTiles
import Runs
import SystemPackage

/// The findings of `verify` in an archive.
package struct VerificationSummary: Hashable, Sendable {
  /// Sentences about problems, each naming its tile, row or key; empty for a good archive.
  package var faults: [String] = []

  /// Sentences about features of the archive that some readers do not support.
  package var warnings: [String] = []

  /// A summary of the checks, a line for people.
  package var conclusion: String
}

extension VerificationSummary {
  /// Adds the findings in an archive that a list names.
  ///
  /// - Parameters:
  ///   - file: its path, in the list's folder.
  ///   - list: what names it.
  mutating func verify(
    _ file: String, sha256: String, of list: String, in folder: FilePath,
    _ cancellation: Cancellation
  ) throws(PipelineError) {
    try cancellation.check()
    let archive = folder.appending(FilePath(file).components)
    do {
      let held = try HeldFile(archive: archive)
      guard
        try FileDigest.sha256(of: held.address, isStopped: cancellation.isStopped) == sha256
      else {
        faults.append("\(file): its SHA-256 is not that of the \(list)")
        return
      }
      let found =
        PMTilesInspection.isPMTiles(archive.string)
        ? try PMTilesInspection(archive.string).verify(cancellation)
        : try ArchiveInspection(archive.string).verify(held, cancellation)
      faults += found.faults.map { "\(file): \($0)" }
      warnings += found.warnings.map { "\(file): \($0)" }
    } catch {
      try cancellation.check()
      faults.append("\(file): \(PipelineError(wrapping: error).message)")
    }
  }

  /// Sets the conclusion about a number of archives.
  mutating func concludeArchives(_ count: Int) {
    conclusion =
      faults.isEmpty
      ? "sound: \(count) archive\(count == 1 ? "" : "s")"
      : "\(faults.count) fault\(faults.count == 1 ? "" : "s")"
  }
}
