import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

/// The builder of one zoom's scenes and what paints them, as a build makes both.
struct SampleBuild {
  private let store: SpriteStore
  private let zoom: Int
  var builder: SceneBuilder

  init(
    _ layers: [StyleLayer], zoom: Int, tileSize: Int = 256, scale: Int = 1, snap: Double = 0,
    bounds: WorldBox = WorldBox(.world)
  ) throws {
    self.zoom = zoom
    store = SpriteStore(scale: scale, fonts: try fonts.get(), threads: 1)
    builder = SceneBuilder(
      style: Style(layers: layers, images: SampleImages.images), tileSize: tileSize, scale: scale,
      snap: snap, bounds: bounds,
      fonts: try fonts.get(), meter: store, threads: 1)
  }

  /// A painter of the scenes that the builder has made.
  func painter() throws -> TilePainter {
    try PainterFactory(builder, store: store, zooms: zoom...zoom, clusteredSources: []).painter()
  }
}
