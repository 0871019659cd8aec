package import Tiling

/// Which tiles are made, and how large.
package struct TilesDefinition: Hashable, Sendable {
  /// The first zoom, as in a tile's z.
  package var minZoom: Int

  /// The last zoom, as in a tile's z.
  package var maxZoom: Int

  /// The width of a tile at density 1 in px: 256 or 512.
  package var tileSize: Int

  /// The pixel densities, ascending: 1, 2 or both.
  package var scales: [Int]

  /// The px grid of the world to which circle and label centres round; 0 is exact.
  package var snap: Double

  /// Only tiles that touch this box are made, `nil` for the whole world.
  package var bounds: GeoBounds?

  package var fill: TileFill

  package var interactivity: Interactivity?
}

/// What a tap on a tile tells.
package struct Interactivity: Hashable, Sendable {
  /// The ids of the layers that answer.
  package var layers: [String]

  /// The properties that the answer holds.
  package var fields: [String]
}

/// The archive that is published.
package struct OutputDefinition: Hashable, Sendable {
  /// The archive's path, resolved against the pipeline file's folder; ends in `.mbtiles`.
  package var path: String

  package var layout: LayoutChoice

  /// The archive of a pixel density: `NAME.mbtiles`, `NAME@2x.mbtiles`.
  package func path(scale: Int) -> String {
    scale == 1 ? path : "\(path.dropLast(Self.suffix.count))@\(scale)x\(Self.suffix)"
  }

  package static let suffix = ".mbtiles"
}

/// What the result must be, else it is not published.
package struct Expectation: Hashable, Sendable {
  /// How many records are used, all sources together.
  package var features = CountRange()

  /// How many tiles the archive holds.
  package var tiles = CountRange()
}

/// A range of counts with optional ends, both inside.
package struct CountRange: Hashable, Sendable {
  package var minimum: Int?
  package var maximum: Int?

  package init(minimum: Int? = nil, maximum: Int? = nil) {
    self.minimum = minimum
    self.maximum = maximum
  }

  package func contains(_ count: Int) -> Bool {
    count >= minimum ?? .min && count <= maximum ?? .max
  }
}

extension Expectation {
  /// Refuses a result that is not what was asked for.
  ///
  /// - Throws: ``PipelineError`` with code `unexpected`.
  package func check(features: Int, tiles: Int) throws(PipelineError) {
    try Self.check(features, self.features, "features")
    try Self.check(tiles, self.tiles, "tiles")
  }

  private static func check(
    _ count: Int, _ range: CountRange, _ noun: String
  ) throws(PipelineError) {
    guard !range.contains(count) else { return }
    let least = range.minimum.map { "at least \($0)" }
    let most = range.maximum.map { "at most \($0)" }
    let wanted = [least, most].compactMap(\.self).joined(separator: " and ")
    throw PipelineError(
      .unexpected,
      "there are \(count) \(noun), but 'expect' wants \(wanted). The last archive stays; "
        + "check the data or change 'expect'.")
  }
}
