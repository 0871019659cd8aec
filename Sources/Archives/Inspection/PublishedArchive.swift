import Definition
import Features
import Foundation
import Ingest
import MBTiles
import OrderedCollections
package import Reports
package import Reuse
package import Runs
import SystemPackage

/// An archive in its place, with a check that it is still the one published there.
///
/// A run records size, times, inode and SHA-256 of an archive when it publishes it; without the
/// SHA-256 if it made the archive from the last one, since it then reads only the changed parts.
/// While the file's status is unchanged, the file is not read; if the status has changed, or
/// nothing is recorded, the whole file is read once. So the next run detects every byte that was
/// changed since.
package struct PublishedArchive {
  /// The result of examining the file.
  package enum Standing: Hashable, Sendable {
    /// The file is the published one; with its SHA-256, "" where that is not known.
    case whole(sha256: String)
    /// The file is not the published one: the end of a sentence that begins with its name.
    case damaged(String)
  }

  package let path: String
  package let cache: ArtifactCache
  package var cancellation = Cancellation()

  /// Whether an earlier run recorded it.
  package var isRecorded: Bool { memory.entries[name] != nil }

  /// Whether the file still has the status from when it was published or proved to have the same
  /// bytes: page for page it is the file that a build wrote, and not another one with the same
  /// tiles.
  package var isUntouched: Bool {
    guard let status = try? InputStatus(path: path) else { return false }
    return memory.entry(of: pagesName, now: status) != nil
  }

  /// The name of the second record of a file whose pages are those that were published.
  private var pagesName: String { "\(name) pages" }

  package init(path: String, cache: ArtifactCache, cancellation: Cancellation = Cancellation()) {
    self.path = path
    self.cache = cache
    self.cancellation = cancellation
  }

  private var name: String { FilePath(path).lastComponent?.string ?? path }
  private var key: ArtifactKey { ArtifactKey(kind: .published, [name]) }
  private var memory: DigestMemory { DigestMemory(key, in: cache) }

  /// Examines the file.
  ///
  /// - Complexity: O(1) if the record matches the file; otherwise O(bytes), once.
  package func standing() -> Standing {
    guard let status = try? InputStatus(path: path) else { return .damaged("cannot be read") }
    let memory = memory
    if let entry = memory.entry(of: name, now: status) { return .whole(sha256: entry.sha256) }
    let digest: String
    do throws(PipelineError) {
      let inputs = InputDigests()
      inputs.observe(cancellation)
      digest = try inputs.sha256(of: path)
    } catch {
      return .damaged("cannot be read: \(error.message)")
    }
    let recorded = memory.entries[name]?.sha256
    if let fault = fault(of: digest, recorded: recorded) { return .damaged(fault) }
    record(sha256: digest, isPublished: digest == recorded)
    return .whole(sha256: digest)
  }

  /// Records the file in its current state, right after it was published or read.
  ///
  /// Waits until the file system's clock has advanced, 25 ms at most, so that a later write changes
  /// the times.
  ///
  /// - Parameter isPublished: whether these are the bytes that a build wrote.
  package func record(sha256: String, isPublished: Bool = true) {
    guard cache.isEnabled, let entry = Self.entry(path, sha256: sha256) else { return }
    var memory = DigestMemory()
    memory.remember(entry, as: name)
    if isPublished { memory.remember(entry, as: pagesName) }
    memory.store(key, in: cache)
  }

  /// Removes the record, right before another file takes the name: a run that is killed in between
  /// leaves a file that the next one verifies, and no record that contradicts it.
  package func forget() {
    guard isRecorded else { return }
    DigestMemory().store(key, in: cache)
  }

  /// Returns the status of a file, at a moment from which a write changes it.
  private static func entry(_ path: String, sha256: String) -> DigestMemory.Entry? {
    guard let status = try? InputStatus(path: path) else { return nil }
    status.waitUntilSettled()
    return DigestMemory.Entry(status: status, moment: InputDigests.wallClock(), sha256: sha256)
  }

  /// Returns the problem with a file whose digest is not trusted yet: it matches neither the record
  /// nor its report, which a rollback restores with it; or, where neither describes it, the full
  /// verification of the archive finds an error.
  private func fault(of digest: String, recorded: String?) -> String? {
    let report = ArchiveReportFile(besideArchive: path)
    if digest == recorded || digest == report?.sha256 { return nil }
    if let recorded, !recorded.isEmpty { return "is not the file that was published" }
    let metadata = try? StoredMetadata.read(FilePath(path))
    // The report of another archive does not count: a run may have been killed before it wrote its
    // own.
    if let report, !report.sha256.isEmpty,
      report.digest == metadata?[ArchiveMetadata.digestKey]
    {
      return "is not the file that its report tells of"
    }
    if PMTilesMetadata.isPMTiles(FilePath(path)) {
      do throws(PipelineError) {
        return try PMTilesInspection(path).verify(cancellation).faults.first
      } catch {
        return error.message
      }
    }
    var verifier = ArchiveVerifier(level: .full)
    verifier.isStopped = cancellation.isStopped
    return verifier.verify(FilePath(path)).findings.first { $0.severity == .error }?.message
  }
}

/// The parts of `NAME.report.json` that describe the archive beside it.
package struct ArchiveReportFile: Hashable, Sendable {
  /// The digest of the archive's file; "" if the report does not give it.
  package let sha256: String

  /// The digest of its tiles.
  package let digest: String

  /// The size of the archive's file in bytes.
  package let bytes: Int?

  /// The name of the archive's file.
  package let archiveName: String?

  /// The file of the pipeline that made it, as ``PipelineFile`` names it.
  package let pipelineFile: String?

  /// The report's data on the archive's sources and tiles.
  package let content: ArchiveContent

  /// Reads the report; `nil` where it is missing or unreadable.
  package init?(besideArchive archive: String) {
    guard
      let text = try? DocumentFile.bytes(
        of: ReportFile.path(besideArchive: archive), limit: 64 << 20),
      let value = try? JSONValueParser.parse(text), case .object(let report) = value,
      case .object(let members)? = report["archive"],
      case .string(let digest)? = members["digest"]
    else { return nil }
    if case .string(let digest)? = members["sha256"] { sha256 = digest } else { sha256 = "" }
    self.digest = digest
    if case .number(let bytes)? = members["bytes"] {
      self.bytes = Int(exactly: bytes)
    } else {
      bytes = nil
    }
    if case .string(let path)? = members["path"] {
      archiveName = FilePath(path).lastComponent?.string
    } else {
      archiveName = nil
    }
    if case .string(let file)? = report["pipelineFile"] {
      pipelineFile = file
    } else {
      pipelineFile = nil
    }
    content = ArchiveContent(report: value)
  }
}
