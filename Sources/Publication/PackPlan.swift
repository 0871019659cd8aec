import Archives
import Definition
import Files
import Hashing
import Inputs
import MBTiles
import Reuse
import Runs
import SystemPackage
import Tiling

/// The packs that an archive is divided into, without their tiles.
struct PackPlan {
  /// One pack.
  struct Pack {
    let path: FilePath
    /// The name of the region.
    let name: String
    /// The name of the tileset.
    let title: String
    let mark: PackMark
    /// The box of the region; `nil` for that of the archive.
    let bounds: GeoBounds?
    /// A hash of everything but the tiles that determines the pack.
    let inputs: String

    var file: String { path.lastComponent?.string ?? path.string }
  }

  /// The packs by their numbers (``PackRouting``); `nil` for a shared one that is not wanted.
  let packs: [Pack?]

  init(
    _ definition: PackDefinition, _ regions: RegionFile, of archive: ArchiveReader,
    names: PackNames, inputs: String
  ) throws(PipelineError) {
    let file = archive.path.lastComponent?.string ?? ""
    let tileset = archive.metadata["name"] ?? OutputDefinition.stem(of: file)
    let common = try Self.common(archive, definition)
    func pack(
      _ path: String, _ region: String?, _ bounds: GeoBounds?, _ own: [String]
    ) -> Pack {
      let title = region.map { "\(tileset): \($0)" } ?? tileset
      return Pack(
        path: FilePath(path), name: region ?? title, title: title,
        mark: PackMark(archive: file, region: region), bounds: bounds,
        inputs: Provenance.digest(of: common + [title] + own))
    }
    let shared =
      definition.sharedMaxZoom == nil ? nil : pack(names.shared, nil, nil, [inputs])
    let paths = names.paths(ofRegions: regions.regions.map(\.name))
    packs =
      [shared]
      + zip(paths, regions.regions).map { path, region in
        pack(path, region.name, region.bounds, [region.digest])
      }
  }

  /// The number of the pack in each place, ascending.
  var numbers: [Int] { packs.indices.filter { packs[$0] != nil } }

  /// Returns the inputs that all packs share, besides their regions.
  private static func common(
    _ archive: ArchiveReader, _ definition: PackDefinition
  ) throws(PipelineError) -> [String] {
    let rows = archive.metadata.entries.filter { entry in
      !entry.name.hasPrefix(ArchiveMetadata.prefix) && entry.name != AggTilesHash.key
    }
    return [
      try ProgramIdentity.sha256() ?? "", archive.layout.rawValue, "\(archive.pageSize)",
      definition.sharedMaxZoom.map { "\($0)" } ?? "",
    ] + rows.map { "\($0.name) \($0.value)" }
  }

  /// Refuses to replace files that are no packs of the archive.
  ///
  /// - Parameter known: the names of its packs so far, which may be damaged.
  /// - Throws: ``PipelineError`` with code `cannotCreate`.
  func requireFree(except known: Set<String>) throws(PipelineError) {
    for pack in packs.compactMap(\.self)
    where !known.contains(pack.file) && !PackMark.isFree(pack.path, forPacksOf: pack.mark.archive) {
      throw PipelineError(
        .cannotCreate,
        "\(pack.path), the pack of '\(pack.name)', would replace a file that is no pack of "
          + "\(pack.mark.archive). Move it, or give the pipeline another 'output: {path: …}'.")
    }
  }
}
