import Archives
import Definition
import Files
package import MBTiles
import Platform
import Reports
package import Runs
package import SystemPackage

/// The small files beside an archive that describe its tiles to clients: `NAME.tilejson`,
/// `NAME.style.json`, `NAME.legend.png` and `NAME.legend.json`.
///
/// They depend on the archive and the pipeline alone, so they are the same on any machine. The
/// TileJSON is written last and contains the archive's fingerprint: where it matches, all exist.
package struct SidecarSet {
  /// The path without a suffix, `output/us-hotels`.
  let stem: String

  /// The archive's fingerprint: 64 digits.
  let inputs: String

  package init(stem: String, inputs: String) {
    self.stem = stem
    self.inputs = inputs
  }

  package static let legendPicture = ".legend.png"
  package static let legend = ".legend.json"
  package static let style = ".style.json"
  package static let tiles = ".tilejson"

  /// The suffixes of all sidecars; the last is the one with the fingerprint.
  private static let suffixes = [legendPicture, legend, style, tiles]

  package var paths: [FilePath] { Self.suffixes.map { FilePath(stem + $0) } }

  /// The key of a TileJSON for ``inputs``.
  package static let inputsKey = ArchiveMetadata.inputsKey

  /// The maximum size in bytes of a sidecar that is read back.
  private static let maxBytes = 4 << 20

  /// Whether all sidecars exist and belong to this archive.
  package func isComplete() throws(ArchiveError) -> Bool {
    guard [Self.legendPicture, Self.legend, Self.style].allSatisfy({ exists($0) }) else {
      return false
    }
    return try isOfArchive()
  }

  /// Whether the TileJSON contains the archive's fingerprint.
  private func isOfArchive() throws(ArchiveError) -> Bool {
    // The text was written by this program; otherwise it is rewritten.
    try tileJSON().contains("\"\(Self.inputsKey)\": \"\(inputs)\"")
  }

  /// Returns the text of the TileJSON; empty where it does not exist.
  private func tileJSON() throws(ArchiveError) -> String {
    String(decoding: try read(Self.tiles) ?? [], as: UTF8.self)
  }

  /// Writes the files whose content differs, each atomically.
  ///
  /// - Parameter files: suffixes and contents; the TileJSON last.
  /// - Throws: ``PipelineError``; the archive stays published.
  package func write(_ files: [(suffix: String, bytes: [UInt8])], of archive: String)
    throws(PipelineError)
  {
    for (suffix, bytes) in files {
      if let known = try? read(suffix), known == bytes { continue }
      do throws(PipelineError) {
        try ReportFile.write(bytes, to: stem + suffix)
      } catch {
        throw PipelineError(
          error.code,
          "\(archive) is published, but not all files that describe it can be written. Check the "
            + "folder and the disk, or set 'sidecars: false' in 'output'.", at: error.place,
          cause: error.cause)
      }
    }
  }

  /// Removes the existing files, unless they are ``areForeign()``.
  ///
  /// - Throws: ``ArchiveError`` where one cannot be removed or its status cannot be read.
  func remove() throws(ArchiveError) {
    guard try !areForeign() else { return }
    for path in paths {
      guard unlink(path.string) != 0, errno != ENOENT else { continue }
      throw ArchiveError(Errno(rawValue: errno), doing: "remove", path: path)
    }
  }

  /// Whether files of these names were made by someone else: no build wrote the TileJSON.
  package func areForeign() throws(ArchiveError) -> Bool {
    guard paths.contains(where: { FileStatus.exists($0) }) else { return false }
    return try !tileJSON().contains("\"\(Self.inputsKey)\": \"")
  }

  /// Whether a build wrote the files for another archive.
  func areOutdated() throws(ArchiveError) -> Bool {
    guard FileStatus.exists(FilePath(stem + Self.tiles)), try !areForeign() else { return false }
    return try !isOfArchive()
  }

  private func exists(_ suffix: String) -> Bool {
    (FileStatus(FilePath(stem + suffix), followsLinks: false)?.size ?? 0) > 0
  }

  /// Returns the bytes of a sidecar; `nil` where it does not exist, or was not written by a build.
  ///
  /// - Throws: ``ArchiveError`` where it exists and cannot be read: its origin is unknown then.
  private func read(_ suffix: String) throws(ArchiveError) -> [UInt8]? {
    let path = stem + suffix
    guard let size = FileStatus(FilePath(path), followsLinks: false)?.size, size <= Self.maxBytes
    else { return nil }
    do throws(PipelineError) {
      return try DocumentFile.read(path, limit: Self.maxBytes)
    } catch {
      let code: ArchiveError.Code
      switch error.code {
      case .permission: code = .permission
      case .inputOutput: code = .inputOutput
      default: return nil
      }
      throw ArchiveError(
        .file(.unreadableSidecar(code, cause: error.cause)), path: FilePath(path))
    }
  }
}

extension ArchivePublication {
  /// Acquires the lock to replace the archive of a pipeline: the report and the sidecars are its
  /// companions.
  package convenience init(ofPipeline path: String, patience: (() -> Bool)?) throws(ArchiveError) {
    let sidecars = SidecarSet(stem: ReportFile.stem(ofArchive: path), inputs: "")
    try self.init(
      FilePath(path),
      companions: [FilePath(ReportFile.path(besideArchive: path))] + sidecars.paths,
      strangers: try sidecars.areForeign() ? Set(sidecars.paths) : [],
      outdated: Self.outdatedCompanions(of: path), patience: patience)
  }

  /// Returns the report and the sidecars in place that describe another archive than the one there.
  ///
  /// If the archive cannot be read, all existing files are assumed to be its own.
  private static func outdatedCompanions(of path: String) -> Set<FilePath> {
    guard let metadata = try? StoredMetadata.read(FilePath(path)) else { return [] }
    var outdated: Set<FilePath> = []
    if let report = ArchiveReportFile(besideArchive: path),
      report.digest != metadata[ArchiveMetadata.digestKey]
        || report.bytes != FileStatus(FilePath(path), followsLinks: false)?.size
    {
      outdated.insert(FilePath(ReportFile.path(besideArchive: path)))
    }
    let sidecars = SidecarSet(
      stem: ReportFile.stem(ofArchive: path),
      inputs: metadata[ArchiveMetadata.inputsKey] ?? "")
    if (try? sidecars.areOutdated()) == true { outdated.formUnion(sidecars.paths) }
    return outdated
  }
}
