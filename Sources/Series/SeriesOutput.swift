import Baking
import Definition
import Files
import Foundation
import Ingest
import MBTiles
import Overlays
import Runs
import SystemPackage

/// The files of one series at one pixel density, with the lock to replace them.
///
/// For `output/rain.mbtiles` these are the folder `output/rain` with an archive per frame, and
/// beside it `rain.frames.json`, whose lock covers all of them. Archives are built under names that
/// readers do not recognize; those that are not published are removed with this object.
final class SeriesOutput {
  let names: FrameNames
  let scale: Int

  /// The manifest's folder.
  let folder: FilePath

  /// The manifest in place; `nil` where it is missing or unreadable.
  let earlier: FramesManifest?

  /// The lock, with the temporary file that becomes the manifest.
  let manifest: ArchivePublication

  /// The paths of temporary archives by their final names.
  private(set) var built: [String: FilePath] = [:]

  /// Acquires the lock of the series.
  ///
  /// - Parameter patience: as for ``ArchivePublication``.
  /// - Throws: ``PipelineError`` with code `locked` while another run holds the series,
  ///   `cannotCreate` or `permission` where its folder is not writable.
  init(
    _ names: FrameNames, scale: Int, folder: FilePath, patience: (() -> Bool)? = nil
  ) throws(PipelineError) {
    self.names = names
    self.scale = scale
    self.folder = folder
    let path = folder.appending(names.manifest)
    manifest = try PipelineError.wrapping { try ArchivePublication(path, patience: patience) }
    for file in ["\(names.series).report.json", names.animation, names.contactSheet] {
      StaleFiles.remove(besides: folder.appending(file), isLocked: true)
    }
    earlier = Self.read(path).flatMap { $0.names == names ? $0 : nil }
    removeTemporaryArchives()
  }

  deinit {
    for path in built.values { unsafe unlink(path.string) }
  }

  /// Reads a manifest; `nil` unless it is complete and of this version.
  private static func read(_ path: FilePath) -> FramesManifest? {
    guard let bytes = try? DocumentFile.bytes(of: path.string, limit: 64 << 20),
      let document = try? JSONValueParser.parse(bytes, name: path.string)
    else { return nil }
    return try? FramesManifest(document, name: path.string)
  }

  /// Returns the path of a file of the series, from its path in the manifest.
  func path(_ file: String) -> FilePath { folder.pushing(FilePath(file)) }

  /// Returns the archive of a frame that exists already and was made from the same inputs.
  ///
  /// The archive itself is checked too: a run that was killed may have put a newer one in its
  /// place.
  func archive(of time: FrameTime, input: String) -> FrameArchive? {
    guard var known = earlier?.archive(of: time, input: input),
      known.file == names.archive(of: time),
      let reader = try? ArchiveReader(path(known.file)),
      reader.metadata[ArchiveMetadata.inputsKey] == input
    else { return nil }
    known.bytes = known.bytes ?? (try? FileStatus.size(of: path(known.file)))
    return known
  }

  /// Returns the path to build an archive at; no file exists there.
  func temporary(for file: String) throws(PipelineError) -> FilePath {
    if built.isEmpty { try prepareFolder() }
    let target = path(file)
    let name = ".\(target.lastComponent?.string ?? "").tmp-\(getpid())"
    let path = target.removingLastComponent().appending(name)
    built[file] = path
    return path
  }

  /// Renames a built archive to its final name.
  func place(_ file: String) throws(PipelineError) {
    guard let temporary = built[file] else { return }
    try Self.rename(temporary, to: path(file))
    built[file] = nil
  }

  /// Removes what killed runs left in the folder of the archives: archives, deltas and links.
  private func removeTemporaryArchives() {
    let path = path(names.series)
    for name in files where name.hasPrefix(".") && name.contains(".mbtiles.tmp-") {
      unsafe unlink(path.appending(name).string)
    }
  }

  /// Creates the folder of the archives.
  private func prepareFolder() throws(PipelineError) {
    let path = path(names.series)
    guard unsafe mkdir(path.string, 0o777) == 0 || errno == EEXIST else {
      throw Self.failure(Errno(rawValue: errno), doing: "create", path)
    }
  }

  /// The names in the folder of the archives.
  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path(names.series).string)) ?? []
  }

  /// Returns the archives of this series that a manifest does not name, sorted.
  func leftovers(beside manifest: FramesManifest) -> [String] {
    manifest.leftovers(among: files.map { "\(names.series)/\($0)" }).sorted()
  }

  /// Whether a file exists.
  func exists(_ file: String) -> Bool { unsafe access(path(file).string, F_OK) == 0 }

  // MARK: System calls

  static func rename(_ from: FilePath, to path: FilePath) throws(PipelineError) {
    try PipelineError.wrapping { try LeftoverJournal.settle(path, for: from) }
    do {
      try DurableFile.rename(from, to: path)
    } catch {
      throw failure(error, doing: "rename a file to", path)
    }
  }

  static func failure(_ error: Errno, doing: String, _ path: FilePath) -> PipelineError {
    PipelineError(ArchiveError(error, doing: doing, path: path))
  }
}
