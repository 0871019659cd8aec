import ArgumentParser
import Tiling

/// The zooms and the area of tiles: replacing those of a pipeline, or selecting from an archive.
struct TileRangeOptions: ParsableArguments {
  @Option(name: [.customShort("Z", allowingJoined: true), .long], help: "The first zoom.")
  var minzoom: Int?

  @Option(name: [.customShort("z", allowingJoined: true), .long], help: "The last zoom.")
  var maxzoom: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only tiles that touch this box in degrees; w > e crosses the antimeridian.",
      valueName: "w,s,e,n"),
    transform: Self.bounds)
  var bbox: GeoBounds?

  func validate() throws {
    for zoom in [minzoom, maxzoom].compactMap(\.self) where !(0...TileCoord.maxZoom).contains(zoom)
    {
      throw ValidationError("zoom \(zoom) is not between 0 and \(TileCoord.maxZoom).")
    }
  }

  /// Parses `w,s,e,n`.
  static func bounds(_ text: String) throws -> GeoBounds {
    guard let bounds = GeoBounds(text) else {
      throw ValidationError("'\(text)' is not w,s,e,n: four numbers in degrees, south ≤ north.")
    }
    return bounds
  }
}
