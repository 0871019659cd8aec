import Archives
import Baking
import Definition
import Files
import Foundation
import Ingest
import MBTiles
import Overlays
import Platform
import Runs
import SystemPackage

/// The files of one series at one pixel density, and the right to replace them.
///
/// For `output/rain.mbtiles` these are the folder `output/rain` with an archive a frame, and beside
/// it `rain.frames.json`, whose lock stands for all of them. Archives are built under names that no
/// reader takes for one; those that are not published go with this object.
final class SeriesOutput {
  let names: FrameNames
  let scale: Int

  /// The manifest's folder.
  let folder: FilePath

  /// The manifest that is in place; `nil` where there is none, or none that can be read.
  let earlier: FramesManifest?

  /// The lock, and the temporary file that becomes the manifest.
  let manifest: ArchivePublication

  /// Temporary archives by the names that they will have.
  private(set) var built: [String: FilePath] = [:]

  /// Takes the lock of the series.
  ///
  /// - Parameter patience: as ``ArchivePublication`` has it.
  /// - Throws: ``PipelineError`` with code `locked` while another run holds the series,
  ///   `cannotCreate` or `permission` where its folder takes no file.
  init(
    _ names: FrameNames, scale: Int, folder: FilePath, patience: (() -> Bool)? = nil
  ) throws(PipelineError) {
    self.names = names
    self.scale = scale
    self.folder = folder
    let path = folder.appending(names.manifest)
    do {
      manifest = try ArchivePublication(path, patience: patience)
    } catch {
      throw PipelineError(error)
    }
    for file in ["\(names.series).report.json", names.animation, names.contactSheet] {
      StaleFiles.remove(besides: folder.appending(file), isLocked: true)
    }
    earlier = Self.read(path).flatMap { $0.names == names ? $0 : nil }
  }

  deinit {
    for path in built.values { unlink(path.string) }
  }

  /// The manifest of a file, `nil` unless it is whole and of this version.
  private static func read(_ path: FilePath) -> FramesManifest? {
    guard let bytes = try? WholeFile.bytes(of: path.string, limit: 64 << 20),
      let document = try? JSONValueParser.parse(bytes, name: path.string)
    else { return nil }
    return try? FramesManifest(document, name: path.string)
  }

  /// A file of the series, by its path from the manifest.
  func path(_ file: String) -> FilePath { folder.pushing(FilePath(file)) }

  /// The archive of a frame that is there already and was made of the same things.
  ///
  /// The archive itself is asked too: a run that died may have put a newer one in its place.
  func archive(of time: FrameTime, input: String) -> FrameArchive? {
    guard var known = earlier?.archive(of: time, input: input),
      known.file == names.archive(of: time),
      let reader = try? ArchiveReader(path(known.file)),
      reader.metadata[BuildFingerprint.key] == input
    else { return nil }
    known.bytes = known.bytes ?? (try? FileStatus.size(of: path(known.file)))
    return known
  }

  /// Where to build an archive; nothing is there.
  func temporary(for file: String) throws(PipelineError) -> FilePath {
    if built.isEmpty { try prepareFolder() }
    let target = path(file)
    let name = ".\(target.lastComponent?.string ?? "").tmp-\(getpid())"
    let path = target.removingLastComponent().appending(name)
    built[file] = path
    return path
  }

  /// Gives up an archive that was being built.
  func drop(_ file: String) {
    if let path = built.removeValue(forKey: file) { unlink(path.string) }
  }

  /// Gives a built archive its name.
  func place(_ file: String) throws(PipelineError) {
    guard let temporary = built[file] else { return }
    try Self.rename(temporary, to: path(file))
    built[file] = nil
  }

  /// Makes the folder of the archives, and removes what dead runs left in it.
  private func prepareFolder() throws(PipelineError) {
    let path = path(names.series)
    guard mkdir(path.string, 0o777) == 0 || errno == EEXIST else {
      throw Self.failure(Errno(rawValue: errno), doing: "create", path)
    }
    for name in files where name.hasPrefix(".") && name.contains(".mbtiles.tmp-") {
      unlink(path.appending(name).string)
    }
  }

  /// The names in the folder of the archives.
  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path(names.series).string)) ?? []
  }

  /// Archives of this series that a manifest does not name, sorted.
  func leftovers(beside manifest: FramesManifest) -> [String] {
    manifest.leftovers(among: files.map { "\(names.series)/\($0)" }).sorted()
  }

  /// Whether there is a file.
  func exists(_ file: String) -> Bool { access(path(file).string, F_OK) == 0 }

  // MARK: System calls

  static func rename(_ from: FilePath, to path: FilePath) throws(PipelineError) {
    do throws(ArchiveError) {
      try LeftLog.settle(path, for: from)
    } catch {
      throw PipelineError(error)
    }
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
