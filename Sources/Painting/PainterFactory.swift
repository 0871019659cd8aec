import Raster
package import Scenes
import Styling
import Synchronization

/// Makes a painter for each worker of a build.
///
/// Painters share the build's sprites, and the palette and codes that its style trains. These are
/// made when they are first asked for: scenes do not need them.
package final class PainterFactory: Sendable {
  private let style: Style
  private let zooms: ClosedRange<Int>
  private let clusteredSources: Set<String>
  private let side: Int
  private let scale: Int
  private let fonts: FontLibrary
  private let store: SpriteStore
  private let prepared = PreparedSprites()

  /// What the style has trained; `nil` before it is asked for.
  private let trained = Mutex<SparseStyle??>(nil)

  /// - Parameters:
  ///   - store: the meter of the builder, complete when the first painter is made.
  ///   - zooms: those that will be built.
  ///   - clusteredSources: ids of the sources whose features come as clusters, for specimens.
  package init(
    _ builder: SceneBuilder, store: SpriteStore, zooms: ClosedRange<Int>,
    clusteredSources: Set<String>
  ) {
    style = builder.style
    side = builder.tileSize * builder.scale
    scale = builder.scale
    fonts = builder.fonts
    self.store = store
    self.zooms = zooms
    self.clusteredSources = clusteredSources
  }

  /// The palette and codes of the style's sparse tiles; `nil` where there are none.
  ///
  /// - Throws: ``FontError`` where a font cannot be loaded.
  package func sparseStyle() throws -> SparseStyle? {
    try trained.withLock { trained in
      if let known = trained { return known }
      let sparse = try train()
      trained = .some(sparse)
      return sparse
    }
  }

  private func train() throws -> SparseStyle? {
    let background = style.background(at: zooms.lowerBound)
    guard zooms.allSatisfy({ style.background(at: $0) == background }) else { return nil }
    return try SparseStyle(
      drawing: style.specimens(zooms: zooms, clusteredSources: clusteredSources, fonts: fonts),
      size: side, background: background.bits, factory: SpriteFactory(scale: scale, fonts: fonts))
  }

  /// A painter that belongs to one worker.
  ///
  /// - Throws: ``FontError`` where a font cannot be loaded.
  package func painter() throws -> TilePainter {
    TilePainter(
      side: side, scale: scale, sparse: try sparseStyle(), fonts: fonts, sprites: store.sprites,
      prepared: prepared)
  }
}
