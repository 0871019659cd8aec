package import Definition
import JSON
package import Tiling

/// Tiles that a program paints when they are asked for, shown in the place of an archive.
package protocol PaintedTiles: Sendable {
  var description: PaintedDescription { get }

  /// Returns the PNG of a tile; `nil` where nothing is drawn.
  ///
  /// - Parameters:
  ///   - scale: the pixel density, 1 to 3.
  ///   - client: the program that waits for it.
  /// - Throws: also ``BusyPreview``.
  func picture(_ tile: TileCoord, scale: Int, for client: PreviewClient) throws -> [UInt8]?

  /// Returns the answers to taps on a tile as a UTFGrid with the data of its keys.
  func grid(_ tile: TileCoord, for client: PreviewClient) throws -> [UInt8]?

  /// Returns tiles of the same data in a changed look.
  ///
  /// - Throws: for a look that the pipeline's parser refuses.
  func repainted(_ overlay: LookOverlay) throws -> any PaintedTiles

  /// Returns the PNG of a view, as the command `render` draws it.
  func picture(of view: PicturedView, for client: PreviewClient) throws -> [UInt8]

  /// Returns the first records whose data, as a tap answers with it, matches.
  func records(
    limit: Int, for client: PreviewClient, matching: @escaping @Sendable ([UInt8]) -> Bool
  ) throws -> [(json: [UInt8], place: LngLat)]
}

/// A rectangle of the map in a picture.
package struct PicturedView: Hashable, Sendable {
  package var center: LngLat

  /// The zoom, as in a tile's z; also between two whole ones.
  package var zoom: Double

  /// The size in style pixels.
  package var width: Int
  package var height: Int

  /// Device pixels per style pixel, 1 or 2.
  package var ratio: Int

  /// The longest side in style pixels.
  private static let longest = 4096

  /// Creates the view of the query `center=LNG,LAT&zoom=Z&size=WxH&ratio=R`; `nil` for any other.
  init?(_ request: PreviewRequest) {
    func numbers(_ key: String, _ separator: Character) -> [Double] {
      (request.query(key) ?? "").split(separator: separator).compactMap { Double($0) }
    }
    let (place, size) = (numbers("center", ","), numbers("size", "x"))
    guard place.count == 2, size.count == 2, let zoom = numbers("zoom", ",").first,
      let ratio = numbers("ratio", ",").first, abs(place[0]) <= 540, abs(place[1]) <= 90,
      (0...Double(TileCoord.maxZoom)).contains(zoom), ratio == 1 || ratio == 2,
      size.allSatisfy({ (1...Double(Self.longest)).contains($0) })
    else { return nil }
    center = LngLat(
      longitude: place[0].remainder(dividingBy: 360), latitude: place[1])
    (self.zoom, self.ratio) = (zoom, Int(ratio))
    (width, height) = (Int(size[0]), Int(size[1]))
  }
}

/// The properties of painted tiles, as an archive's metadata has them.
package struct PaintedDescription: Sendable {
  package var name: String
  package var description = ""
  package var attribution = ""
  package var bounds: GeoBounds

  /// The box of nearly all data, on which a map opens.
  package var focus: GeoBounds
  package var zooms: ClosedRange<Int>

  /// The width of a tile at density 1 in pixels.
  package var tileSize: Int
  package var answersTaps: Bool

  /// The legend as JSON and as a PNG.
  package var legend: (json: [UInt8], picture: [UInt8])?

  /// The pixel density of the legend's picture.
  package static let legendScale = 2

  /// - Parameter positions: those of the data, or a sample of them; may be empty.
  package init(
    name: String, bounds: GeoBounds, positions: [LngLat] = [], zooms: ClosedRange<Int>,
    tileSize: Int, answersTaps: Bool
  ) {
    self.name = name
    self.bounds = bounds
    focus = DataFocus(positions)?.bounds ?? bounds
    self.zooms = zooms
    self.tileSize = tileSize
    self.answersTaps = answersTaps
  }

  /// Returns the name of the archive that a build would make.
  private static func file(_ title: String, scale: Int) -> String {
    title + (scale == 1 ? "" : "@\(scale)x") + PreviewTileset.archiveSuffix
  }

  /// The entry of the tiles in the page's catalogue.
  func entry(of tileset: PreviewTileset) -> ReportJSON {
    let middle = (
      longitude: (bounds.west + bounds.east) / 2, latitude: (bounds.south + bounds.north) / 2
    )
    let stem = "tiles/\(tileset.id)"
    let densities = tileset.files.map { file -> ReportJSON in
      let address = "\(stem)/\(file.scale)x/{z}/{x}/{y}"
      let grids: [ReportJSON.Member] =
        answersTaps ? [.init("grids", .string("\(stem)/1x/{z}/{x}/{y}.grid.json"))] : []
      return .object(
        [
          .init("scale", .integer(file.scale)), .init("tiles", .string("\(address).png")),
          .init("file", .string(Self.file(tileset.title, scale: file.scale))),
        ] + grids)
    }
    var members: [ReportJSON.Member] = [
      .init("id", .string(tileset.id)), .init("title", .string(name)),
      .init("description", .string(description)), .init("attribution", .string(attribution)),
      .init("bounds", Catalogue.json(bounds)), .init("focus", Catalogue.json(focus)),
      .init(
        "center",
        .array([
          .number(middle.longitude), .number(middle.latitude), .integer(zooms.lowerBound),
        ])),
      .init("minzoom", .integer(zooms.lowerBound)), .init("maxzoom", .integer(zooms.upperBound)),
      .init("tileSize", .integer(tileSize)), .init("taps", .bool(answersTaps)),
      .init("densities", .array(densities)),
    ]
    if answersTaps {
      members.append(.init("search", .string("tilesets/\(tileset.id)/search.json")))
    }
    if let document = legend.flatMap({ ReportJSON($0.json) }), document["entries"] != .array([]) {
      members.append(
        .init(
          "legend",
          Catalogue.legend(of: tileset, document, scale: Self.legendScale)))
    }
    return .object(members)
  }
}

// The answers about painted tiles.
extension PreviewRouter {
  /// Returns the content of `tilesets/ID/NAME`.
  func companion(_ painted: any PaintedTiles, _ name: String) -> PreviewContent? {
    switch name {
    case "legend.json": painted.description.legend.map { PreviewContent(.json, $0.json) }
    case "legend.png": painted.description.legend.map { PreviewContent(.png, $0.picture) }
    default: nil
    }
  }

  /// Returns the content of a file below the address of painted tiles.
  func content(
    of file: ArchiveFile, _ painted: any PaintedTiles, scale: Int, for client: PreviewClient
  ) throws -> PreviewContent? {
    let zooms = painted.description.zooms
    switch file {
    case .picture(let tile, "png") where zooms.contains(tile.z):
      return try painted.picture(tile, scale: scale, for: client).map { PreviewContent(tile: $0) }
    case .grid(let tile) where zooms.contains(tile.z):
      return try painted.grid(tile, for: client).map { PreviewContent(.json, $0) }
    case .picture, .grid, .block, .entryStarts, .entries: return nil
    }
  }
}
