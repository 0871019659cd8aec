package import Definition
import Features
import OrderedCollections
package import Runs
import Tilesets
package import Tiling

/// Vector tiles as the ground under data, in a quiet style for the schema that their layers show.
package struct GroundDraft {
  let tileset: TilesetDraft

  /// The deepest zoom that is painted: tiles beyond their last zoom are enlarged as vectors.
  private static let lastZoom = 20

  /// - Parameters:
  ///   - path: an MBTiles or PMTiles file, a folder or a TileJSON.
  ///   - data: the same as a pipeline file spells it; the path if it is `nil`.
  ///   - names: the names that other sources have.
  /// - Returns: `nil` for tiles that are pictures.
  /// - Throws: ``PipelineError`` where the tiles cannot be read.
  package init?(
    _ path: String, data: String? = nil, _ palette: TilesetPalette, besides names: [String] = []
  ) throws(PipelineError) {
    guard let draft = try TilesetDraft(path, data: data ?? path, palette, besides: names),
      draft.survey.picture == nil
    else { return nil }
    tileset = draft
  }

  /// The authors, as the tiles name them; may contain links.
  package var attribution: String { tileset.survey.head.attribution ?? "" }

  /// The box of the tiles; the world if they do not name one.
  package var bounds: GeoBounds { tileset.survey.bounds ?? .world }

  /// The first zoom with tiles.
  package var firstZoom: Int { tileset.survey.zooms.lowerBound }

  /// The pipeline that paints the ground alone.
  ///
  /// - Parameter folder: the folder beside which fetched tiles are kept.
  package func definition(folder: String) throws(PipelineError) -> PipelineDefinition {
    let text = DraftText.text([
      DraftEntry("version", .number(1)), DraftEntry("name", .string(tileset.name)),
      DraftEntry("sources", .object([tileset.name: tileset.source])),
      DraftEntry("layers", .list(tileset.layerEntries)),
      DraftEntry(
        "tiles",
        .object([
          "minzoom": .number(Double(firstZoom)), "maxzoom": .number(Double(Self.lastZoom)),
          "tileSize": .number(512), "bounds": Self.value(bounds),
        ])),
      DraftEntry("output", .object(["path": .string("\(folder)/\(tileset.name).mbtiles")])),
    ])
    return try PipelineDefinition(
      Document(bytes: Array(text.utf8), file: "\(folder)/ground.yml", environment: { _ in nil }))
  }

  /// A box as `bounds` of a pipeline.
  static func value(_ box: GeoBounds) -> PropertyValue {
    .array(
      [box.west, box.south, box.east, box.north].map { .number(TilesetDraft.rounded($0)) })
  }
}
