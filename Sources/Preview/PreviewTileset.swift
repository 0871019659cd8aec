import Definition
import Foundation
import Overlays
package import Runs
import SystemPackage

/// One tileset of a preview: an archive or a series, at one to three pixel densities.
package struct PreviewTileset: Hashable, Sendable {
  /// The identifier in addresses: ASCII letters, digits, `-` and `_`.
  package let id: String

  /// The file's name without its suffix.
  package let title: String

  package let isSeries: Bool

  /// The archives or manifests by density, ascending.
  package let files: [File]

  package struct File: Hashable, Sendable {
    /// The ratio of a tile's pixels to those of its grid.
    package let scale: Int
    package let path: String
  }

  static let archiveSuffix = ".mbtiles"
  static let packedSuffix = ".pmtiles"
  static let manifestSuffix = ".frames.json"
  static let packsSuffix = ".packs.json"

  /// Finds the tilesets named by the arguments of a command.
  ///
  /// Archives of several densities, `NAME.mbtiles` and `NAME@2x.mbtiles`, form one tileset,
  /// whichever is named.
  ///
  /// - Parameters:
  ///   - others: tilesets beside which these are shown.
  ///   - files: archives, lists of packs (`NAME.packs.json`), manifests (`NAME.frames.json`) or
  ///     pipeline files.
  ///   - outputs: the files that a pipeline's build publishes, by tileset.
  ///   - build: builds a pipeline of which an output is missing; `nil` to refuse it.
  /// - Throws: ``PipelineError`` if a file is missing.
  package static func find(
    _ files: [String], others: [PreviewTileset] = [],
    outputs: (String) throws(PipelineError) -> [[String]],
    build: ((String) throws(PipelineError) -> Void)? = nil
  ) throws(PipelineError) -> [PreviewTileset] {
    var paths: [String] = []
    for file in files {
      if isOutput(file) {
        guard FileStamp(file) != nil else {
          throw PipelineError(.missingInput, "there is no file \(file).")
        }
        paths.append(file)
        continue
      }
      let published = try outputs(file)
      if let build, published.contains(where: { $0.allSatisfy { FileStamp($0) == nil } }) {
        try build(file)
      }
      for densities in published {
        guard let first = densities.first(where: { FileStamp($0) != nil }) else {
          throw PipelineError(
            .missingInput,
            "\(densities.first ?? file) is not built yet. Run: quadrille build \(file)")
        }
        paths.append(first)
      }
    }
    var tilesets: [PreviewTileset] = []
    for path in paths {
      let tileset = PreviewTileset(path, others: (others + tilesets).map(\.id))
      if !tilesets.contains(where: { $0.files == tileset.files }) { tilesets.append(tileset) }
    }
    return tilesets
  }

  private static let archiveSuffixes = [archiveSuffix, packedSuffix, packsSuffix]

  /// Whether a file is an archive, a list of packs or a manifest by its name, and no pipeline.
  package static func isOutput(_ file: String) -> Bool {
    ([manifestSuffix] + archiveSuffixes).contains { file.hasSuffix($0) }
  }

  /// Creates a tileset with the other density of its file, if that exists.
  private init(_ path: String, others: [String]) {
    isSeries = path.hasSuffix(Self.manifestSuffix)
    let suffix =
      isSeries
      ? Self.manifestSuffix
      : Self.archiveSuffixes.first(where: path.hasSuffix) ?? Self.archiveSuffix
    let stem = String(path.dropLast(suffix.count))
    let plain = ["@2x", "@3x"].contains(where: stem.hasSuffix) ? String(stem.dropLast(3)) : stem
    let found = (1...3).map { scale in
      File(scale: scale, path: plain + (scale == 1 ? "" : "@\(scale)x") + suffix)
    }
    .filter { FileStamp($0.path) != nil }
    files = found.isEmpty ? [File(scale: 1, path: path)] : found
    title = FilePath(plain).lastComponent?.string ?? plain
    id = Self.id(title, others: others)
  }

  /// Creates a tileset that is painted when it is asked for; it has no files.
  package init(painted title: String, others: [PreviewTileset] = []) {
    isSeries = false
    files = (1...3).map { File(scale: $0, path: "") }
    self.title = title
    id = Self.id(title, others: others.map(\.id))
  }

  /// Creates the tileset of another one in a changed look, which is painted.
  init(_ tileset: PreviewTileset, look key: String) {
    isSeries = false
    files = (1...3).map { File(scale: $0, path: "") }
    title = tileset.title
    id = "\(tileset.id)@\(key)"
  }

  /// Returns an identifier for a title that no other tileset has.
  private static func id(_ title: String, others: [String]) -> String {
    let letters = title.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9") ~= scalar)
      return isPlain || scalar == "-" || scalar == "_" ? Character(scalar) : "-"
    }
    var id = String(letters.prefix(60))
    var number = 2
    while id.isEmpty || others.contains(id) {
      id = "\(String(letters.prefix(60)))-\(number)"
      number += 1
    }
    return id
  }

  /// Returns the path of the archive's companion with a suffix, at a density: `.report.json`,
  /// `.legend.png`.
  func companion(_ suffix: String, of file: File) -> String {
    let own = isSeries ? Self.manifestSuffix : Self.packsSuffix
    guard file.path.hasSuffix(own) else { return OutputDefinition.stem(of: file.path) + suffix }
    return String(file.path.dropLast(own.count)) + suffix
  }

  /// Returns the archive of a density and, for series, of a frame.
  ///
  /// - Parameter frame: the frame's name, such as `2014-01-19T0600Z`, as in the archives of a
  ///   series.
  /// - Returns: `nil` if no such archive can exist.
  func archive(scale: Int, frame: String?) -> String? {
    guard let file = files.first(where: { $0.scale == scale }) else { return nil }
    guard isSeries else { return frame == nil ? file.path : nil }
    let stem = String(file.path.dropLast(Self.manifestSuffix.count))
    let name = FilePath(stem).lastComponent?.string ?? ""
    guard let frame, let names = try? FrameNames(series: name),
      names.isArchive("\(name)/\(frame)\(Self.archiveSuffix)")
    else { return nil }
    return "\(stem)/\(frame)\(Self.archiveSuffix)"
  }
}
