import Foundation
import MBTiles
import SystemPackage

/// The small files beside an archive that lead clients to its tiles: `NAME.tilejson`,
/// `NAME.style.json`, `NAME.legend.png` and `NAME.legend.json`.
///
/// They follow from the archive and the pipeline alone, so the same ones are written on any machine.
/// The TileJSON is written last and carries the archive's fingerprint: where it fits, all are there.
struct SidecarSet {
  /// Path without a suffix, `output/us-hotels`.
  let stem: String

  /// What the archive was made of: 64 digits.
  let inputs: String

  static let legendPicture = ".legend.png"
  static let legend = ".legend.json"
  static let style = ".style.json"
  static let tiles = ".tilejson"

  /// All of them; last the one that tells whose they are.
  private static let suffixes = [legendPicture, legend, style, tiles]

  var paths: [FilePath] { Self.suffixes.map { FilePath(stem + $0) } }

  /// The key of a TileJSON under which it carries ``inputs``.
  static let inputsKey = BuildFingerprint.key

  /// A sidecar is read back up to this.
  private static let maxBytes = 4 << 20

  /// Whether all are there, and of this archive.
  var isComplete: Bool {
    guard [Self.legendPicture, Self.legend, Self.style].allSatisfy({ exists($0) }),
      let bytes = read(Self.tiles)
    else { return false }
    // It is our own text, or it is written anew.
    return String(decoding: bytes, as: UTF8.self).contains("\"\(Self.inputsKey)\": \"\(inputs)\"")
  }

  /// Writes the files that are not as they should be, each atomically.
  ///
  /// - Parameter files: suffixes and contents; the TileJSON last.
  /// - Throws: ``PipelineError``; the archive stays published.
  func write(_ files: [(suffix: String, bytes: [UInt8])], of archive: String) throws(PipelineError)
  {
    for (suffix, bytes) in files where read(suffix) != bytes {
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

  /// Removes the files, those that are there, unless they are ``areForeign``.
  func remove() {
    guard !areForeign else { return }
    for path in paths { try? FileManager.default.removeItem(atPath: path.string) }
  }

  /// Whether files of these names are somebody's own: no build wrote the TileJSON.
  var areForeign: Bool {
    guard paths.contains(where: { FileStatus.exists($0) }) else { return false }
    let bytes = read(Self.tiles) ?? []
    return !String(decoding: bytes, as: UTF8.self).contains("\"\(Self.inputsKey)\": \"")
  }

  private func exists(_ suffix: String) -> Bool {
    Build.size(of: stem + suffix).map { $0 > 0 } == true
  }

  private func read(_ suffix: String) -> [UInt8]? {
    guard let size = Build.size(of: stem + suffix), size <= Self.maxBytes else { return nil }
    return try? DocumentFile.read(stem + suffix, limit: Self.maxBytes)
  }
}

extension ArchivePublication {
  /// The right to replace the archive of a pipeline: the report and the sidecars are its companions.
  convenience init(ofPipeline path: String, patience: (() -> Bool)?) throws(ArchiveError) {
    // Else it would be seen when all work is done.
    if let folder = try? FileDescriptor.open(
      FilePath(path), .readOnly, options: [.directory, .closeOnExec])
    {
      try? folder.close()
      throw ArchiveError(
        .cannotCreate, "\(path) is a folder. Choose another name with --output.",
        path: FilePath(path))
    }
    let sidecars = SidecarSet(stem: ReportFile.stem(ofArchive: path), inputs: "")
    try self.init(
      FilePath(path),
      companions: [FilePath(ReportFile.path(besideArchive: path))] + sidecars.paths,
      strangers: sidecars.areForeign ? Set(sidecars.paths) : [], patience: patience)
  }
}
