import Archives
import Definition
import Foundation
import JSON
import MBTiles
package import Runs
import Synchronization
import SystemPackage
import Tiling

/// The user's own map under the tiles: tiles of an archive or of a server, a file of GeoJSON, or
/// vector tiles that are painted when the page asks for them.
package struct UnderMap: Sendable {
  /// The text that names its authors; may contain links.
  package let attribution: String

  private let kind: Kind

  private enum Kind: Sendable {
    /// A template with `{z}`, `{x}` and `{y}`, and the sources that a browser may load it from.
    case address(String, sources: String)
    case geoJSON(String)
    case archive(ArchiveTiles)
    case painted(Ground)
  }

  /// A painted map in the looks of the page's themes, which may be the same.
  package struct Ground: Sendable {
    let light: any PaintedTiles
    let dark: any PaintedTiles

    package init(light: any PaintedTiles, dark: any PaintedTiles) {
      (self.light, self.dark) = (light, dark)
    }
  }

  /// - Parameter attribution: the authors; those that its tiles name if it is `nil`.
  package init(_ ground: Ground, attribution: String?) {
    kind = .painted(ground)
    self.attribution = attribution ?? ground.light.description.attribution
  }

  /// The path of the file of GeoJSON; `nil` for tiles.
  var file: String? { if case .geoJSON(let path) = kind { path } else { nil } }

  /// Maximum bytes of a file of GeoJSON; browsers draw no more in good time.
  private static let maxBytes = 64 << 20

  /// - Parameter location: an archive (`.mbtiles`, `.pmtiles`), a file of GeoJSON, or the address of
  ///   tiles such as `https://tile.example.org/{z}/{x}/{y}.png`.
  /// - Throws: ``PipelineError`` if it is none of these or does not exist.
  package init(_ location: String, attribution: String?) throws(PipelineError) {
    if DataLocation.isAddress(location) {
      kind = .address(location, sources: try Self.sources(of: location))
      self.attribution = attribution ?? ""
      return
    }
    guard FileStamp(location) != nil else {
      throw PipelineError(
        .missingInput,
        "--under: there is no file \(location). Name an archive, vector tiles, a style, a file of "
          + "GeoJSON, or the address of tiles with {z}, {x} and {y}.")
    }
    let name = location.lowercased()
    if name.hasSuffix(".mbtiles") || name.hasSuffix(".pmtiles") {
      let archive = try ArchiveTiles(location)
      kind = .archive(archive)
      self.attribution = attribution ?? archive.attribution
    } else if name.hasSuffix(".geojson") || name.hasSuffix(".json") {
      kind = .geoJSON(location)
      self.attribution = attribution ?? ""
      _ = try geoJSON()
    } else {
      throw PipelineError(
        .usage,
        "--under: \(location) is neither tiles (.mbtiles, .pmtiles, a TileJSON), nor a style or "
          + "pipeline, nor GeoJSON (.geojson).")
    }
  }

  /// Whether it lies in files that an export does not take along.
  package var isArchive: Bool {
    switch kind {
    case .archive, .painted: true
    case .address, .geoJSON: false
    }
  }

  /// The member `under` of the catalogue.
  var json: ReportJSON {
    var members: [ReportJSON.Member] = [.init("attribution", .string(attribution))]
    switch kind {
    case .address(let template, _): members.append(.init("tiles", .string(template)))
    case .geoJSON: members.append(.init("geojson", .string("under.geojson")))
    case .painted(let ground):
      let tiles = ground.light.description
      members += [
        .init("tiles", .string("under/{theme}/{scale}x/{z}/{x}/{y}")),
        .init("tileSize", .integer(tiles.tileSize)), .init("bounds", Catalogue.json(tiles.bounds)),
        .init("minzoom", .integer(tiles.zooms.lowerBound)),
        .init("maxzoom", .integer(tiles.zooms.upperBound)),
      ]
    case .archive(let archive):
      members.append(.init("tiles", .string("under/{z}/{x}/{y}")))
      members.append(.init("minzoom", .integer(archive.zooms.lowerBound)))
      members.append(.init("maxzoom", .integer(archive.zooms.upperBound)))
    }
    return .object(members)
  }

  /// Returns the page with what its policy has to allow for the tiles of a server.
  func allowed(in page: PreviewContent) -> PreviewContent {
    guard case .address(_, let sources) = kind else { return page }
    let text = String(decoding: page.bytes, as: UTF8.self)
    return PreviewContent(
      page.kind, Array(text.replacing("img-src 'self'", with: "img-src 'self' \(sources)").utf8))
  }

  /// Returns the file of GeoJSON; `nil` for tiles.
  func geoJSON() throws(PipelineError) -> PreviewContent? {
    guard case .geoJSON(let path) = kind else { return nil }
    guard let bytes = try? DocumentFile.read(path, limit: Self.maxBytes, waits: false) else {
      throw PipelineError(
        .badData, "--under: \(path) cannot be read, or has more than \(Self.maxBytes >> 20) MB.")
    }
    guard ReportJSON(bytes)?["type"]?.text != nil else {
      throw PipelineError(.badData, "--under: \(path) is no GeoJSON.")
    }
    return PreviewContent(.json, bytes)
  }

  /// Returns a tile: `z/x/y` of the archive, `light/2x/z/x/y` of a painted map.
  func tile(_ names: some BidirectionalCollection<String>, for client: PreviewClient) throws
    -> PreviewContent?
  {
    guard let tile = TileCoord(exactly: names.suffix(3).joined(separator: "/")) else { return nil }
    let look = names.dropLast(3).joined(separator: "/")
    switch kind {
    case .archive(let archive) where look.isEmpty: return try archive.tile(tile)
    case .painted(let ground):
      guard let scale = (1...3).first(where: { look == "light/\($0)x" || look == "dark/\($0)x" }),
        ground.light.description.zooms.contains(tile.z)
      else { return nil }
      let tiles = look.hasPrefix("light") ? ground.light : ground.dark
      return try tiles.picture(tile, scale: scale, for: client).map { PreviewContent(tile: $0) }
    default: return nil
    }
  }

  /// Returns the sources of a template for the page's policy, such as `https://tile.example.org`.
  private static func sources(of template: String) throws(PipelineError) -> String {
    let isPlain = template.utf8.allSatisfy { byte in
      (0x21..<0x7F).contains(byte) && !"\"'<>;,\\^`|".utf8.contains(byte)
    }
    let parts = template.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard isPlain, parts.count == 4, template.utf8.count <= 1000,
      ["{z}", "{x}", "{y}"].allSatisfy({ parts[3].contains($0) }), !parts[2].isEmpty,
      !parts[2].contains("@"),
      !parts[2].replacing("{s}", with: "").contains(where: "{}*?#".contains)
    else {
      throw PipelineError(
        .usage,
        "--under: '\(template)' is no address of tiles. It looks like "
          + "https://tile.example.org/{z}/{x}/{y}.png.")
    }
    let hosts =
      parts[2].contains("{s}")
      ? ["a", "b", "c"].map { parts[2].replacing("{s}", with: $0) }
      : [String(parts[2])]
    return hosts.map { "\(parts[0])//\($0)" }.joined(separator: " ")
  }
}

/// The tiles of an archive of another program: MBTiles or PMTiles with images.
private final class ArchiveTiles: Sendable {
  private let reader: Mutex<any StoredTiles>
  let zooms: ClosedRange<Int>
  let attribution: String

  init(_ path: String) throws(PipelineError) {
    do throws(ArchiveError) {
      let tiles = try TileContainer.opening(FilePath(path), giveUpAfter: 5)
      let extent = Catalogue.extent(of: tiles)
      zooms = extent.minZoom...extent.maxZoom
      attribution = tiles.metadata["attribution"] ?? ""
      reader = Mutex(tiles)
    } catch {
      throw PipelineError(error)
    }
  }

  func tile(_ tile: TileCoord) throws -> PreviewContent? {
    let bytes = try reader.withLock { reader in
      reader.giveUp(after: 5)
      return try reader.tile(tile)
    }
    return bytes.flatMap { bytes in
      PreviewContent.Kind(image: bytes).map { PreviewContent($0, bytes) }
    }
  }
}
