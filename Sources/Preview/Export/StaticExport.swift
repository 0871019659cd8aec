import Archives
import JSON
import MBTiles
import Overlays
package import Runs
import SystemPackage
import TapBlocks
import Tiling

/// An export of the page and everything it requests as files, for any web server.
package struct StaticExport {
  package let tilesets: [PreviewTileset]
  package let leaflet: LeafletFiles

  /// The zooms to export; the archives may have more.
  package var zooms = 0...TileCoord.maxZoom

  /// The user's own map under the tiles: tiles of a server or a file of GeoJSON.
  package var under: UnderMap?

  /// Maximum number of files; larger folders are a burden to most file systems and programs.
  package var maxFiles = 200_000

  package init(_ tilesets: [PreviewTileset], leaflet: LeafletFiles) {
    self.tilesets = tilesets
    self.leaflet = leaflet
  }

  /// The totals of an export.
  package struct Summary: Hashable, Sendable {
    package var files: Int
    package var bytes: Int
  }

  /// Writes `path` and `path.zip`; both have the same files.
  ///
  /// - Throws: ``PipelineError`` if the folder exists and is not empty, if the archives have no
  ///   tiles in ``zooms`` or more than ``maxFiles``, or if something cannot be read or written.
  /// - Complexity: O(bytes of the tiles).
  package func write(to path: String) throws(PipelineError) -> Summary {
    guard under?.isArchive != true else {
      throw PipelineError(
        .usage,
        "--export takes no archive along under the map. Name GeoJSON or the address of tiles with "
          + "--under.")
    }
    return try PipelineError.wrapping {
      let archives = try archives()
      try PipelineError.requireFolderName(path)
      try PipelineError.requireApart(
        "\(FilePath(path).lexicallyNormalized()).zip",
        from: archives.map(\.path) + [under?.file].compactMap(\.self), option: "--export")
      // Everything is taken from the same archives, even if a run publishes others meanwhile.
      let pool = ArchivePool(followsReplacement: false, patience: 3600)
      try requireFewTiles(archives, pool)
      let folder = try ExportFolder(path)
      var router = PreviewRouter(tilesets, leaflet: leaflet)
      router.pool = pool
      router.zooms = zooms
      router.isLive = false
      router.under = under
      for (name, _) in PageFiles.all { try add([name], of: router, to: folder) }
      for (name, content) in leaflet.all { try folder.add("leaflet/\(name)", content) }
      if under != nil { try add(["under.geojson"], of: router, to: folder) }
      try add(["catalogue.json"], of: router, to: folder)
      for tileset in tilesets {
        for name in ["report.json", "legend.png", "legend.json"] {
          try add(["tilesets", tileset.id, name], of: router, to: folder)
        }
      }
      for archive in archives {
        try pool.read(archive.path) { try add($0, of: archive, to: folder) }
      }
      try folder.finish()
      return Summary(files: folder.count, bytes: folder.bytes)
    }
  }

  private func add(
    _ names: [String], of router: PreviewRouter, to folder: ExportFolder
  ) throws {
    guard let content = try router.content(names) else { return }
    try folder.add(names.joined(separator: "/"), content)
  }

  /// An archive and the destination of its tiles.
  private struct Archive {
    let path: String
    /// The destination, such as `tiles/rain/1x/2014-01-19T0600Z`.
    let folder: String
  }

  private func archives() throws -> [Archive] {
    var archives: [Archive] = []
    for tileset in tilesets {
      for file in tileset.files {
        let folder = "tiles/\(tileset.id)/\(file.scale)x"
        guard tileset.isSeries else {
          archives.append(Archive(path: file.path, folder: folder))
          continue
        }
        for frame in try Catalogue.manifest(file.path).frames {
          let name = frame.time.fileName
          guard let path = tileset.archive(scale: file.scale, frame: name) else { continue }
          archives.append(Archive(path: path, folder: "\(folder)/\(name)"))
        }
      }
    }
    return archives
  }

  private func requireFewTiles(_ archives: [Archive], _ pool: ArchivePool) throws {
    var count = 0
    var known: Set<Int> = []
    for archive in archives {
      for (zoom, tiles) in try pool.read(archive.path, { try $0.tileCounts() }) {
        known.insert(zoom)
        if zooms.contains(zoom) { count += tiles }
      }
    }
    guard count > 0 else {
      let range = known.min().map { "it has zooms \($0) to \(known.max() ?? $0)" }
      throw PipelineError(
        .badData,
        "no tile of \(tilesets.map(\.id).joined(separator: ", ")) is in zooms \(zooms.lowerBound) to "
          + "\(zooms.upperBound); \(range ?? "it has none"). Widen -Z and -z.")
    }
    guard count <= maxFiles else {
      throw PipelineError(
        .usage,
        "the export would have \(count) tiles, more than \(maxFiles) files. Set --maxzoom, or raise "
          + "--max-files.")
    }
  }

  private func add(
    _ reader: any StoredTiles, of archive: Archive, to folder: ExportFolder
  ) throws {
    func add(_ file: ArchiveFile, _ content: PreviewContent) throws(PipelineError) {
      try folder.add("\(archive.folder)/\(file.name)", content)
    }
    func add(_ file: ArchiveFile) throws {
      if let content = try file.content(in: reader) { try add(file, content) }
    }
    let form = try TapForm(reader)
    let suffix = Catalogue.suffix(of: reader)
    var tiles: [TileCoord] = []
    // What reads the rows throws errors of archives only.
    var failure: PipelineError?
    func keep(_ body: () throws(PipelineError) -> Void) {
      guard failure == nil else { return }
      do throws(PipelineError) { try body() } catch { failure = error }
    }
    try reader.forEachTile { tile, bytes in
      guard zooms.contains(tile.z) else { return }
      keep { () throws(PipelineError) in
        try add(.picture(tile, suffix: suffix), PreviewContent(tile: Array(bytes)))
      }
      if form == .grids { tiles.append(tile) }
    }
    for tile in tiles where failure == nil { try add(.grid(tile)) }
    if form == .blocks, let taps = reader.taps {
      try taps.forEachTapStream { block, stream in
        guard zooms.contains(block.zoom) else { return }
        keep { () throws(PipelineError) in try add(.block(block), PreviewContent(.taps, stream)) }
      }
      try add(.entryStarts)
      for first in try taps.tapPageStarts() { try add(.entries(first: first)) }
    }
    if let failure { throw failure }
  }
}
