import Definition
import Drafts
import Files
import Foundation
import JSON
import Preview
import Runs
import SystemPackage

/// The ground under data that is painted: vector tiles in a style of ours, or a style or pipeline.
enum PaintedGround {
  /// The kind of a file, by its name and its first members.
  private enum Kind {
    case tiles
    case style
  }

  /// Opens the map of a path.
  ///
  /// - Returns: `nil` for what a browser draws itself: pictures, GeoJSON, and the addresses of tiles.
  /// - Throws: ``PipelineError``.
  static func open(
    _ path: String, _ pipelines: Pipelines
  ) throws(PipelineError) -> UnderMap.Ground? {
    guard !DataLocation.isAddress(path) else { return nil }
    switch kind(of: path) {
    case .style:
      let tiles = try PaintingQueue(try pipelines.definition(path))
      return UnderMap.Ground(light: tiles, dark: tiles)
    case .tiles:
      guard let light = try queue(path, .light), let dark = try queue(path, .dark) else {
        return nil
      }
      return UnderMap.Ground(light: light, dark: dark)
    case nil: return nil
    }
  }

  private static func queue(
    _ path: String, _ palette: TilesetPalette
  ) throws(PipelineError) -> PaintingQueue? {
    // A pipeline's paths are relative to its file.
    let current = FilePath(FileManager.default.currentDirectoryPath)
    guard
      let draft = try GroundDraft(
        path, data: current.pushing(FilePath(path)).string, palette)
    else { return nil }
    return try PaintingQueue(
      try draft.definition(folder: current.string), attribution: draft.attribution)
  }

  /// - Returns: `nil` for a file that does not exist, or is neither.
  private static func kind(of path: String) -> Kind? {
    guard let status = FileStatus(FilePath(path)) else { return nil }
    switch FilePath(path).extension?.lowercased() {
    case "yml", "yaml": return .style
    case "mbtiles", "pmtiles", "tilejson": return .tiles
    case "json":
      guard let bytes = try? DocumentFile.read(path, limit: 64 << 20, waits: false),
        let document = ReportJSON(bytes)
      else { return nil }
      if document["layers"] != nil, document["sources"] != nil { return .style }
      return document["tiles"] == nil ? nil : .tiles
    default: return status.kind == .folder ? .tiles : nil
    }
  }
}
