import PNG
import Raster
package import Scenes
import Styling
import Synchronization
package import TileCodecs

/// A factory of painters, one for each worker of a build.
///
/// Painters share the build's sprites, and the palette and codes that are trained on its style.
/// These are made on first use because scenes do not need them.
package final class PainterFactory: Sendable {
  private let style: Style
  private let zooms: ClosedRange<Int>
  private let clusteredSources: Set<String>
  private let side: Int
  private let scale: Int
  private let fonts: FontLibrary
  private let store: SpriteStore

  /// The format of the tiles.
  package let codec: TileCodec
  private let prepared = PreparedSprites()

  /// The result of training on the style; `nil` before first use.
  private let trained = Mutex<SparseStyle??>(nil)

  /// - Parameters:
  ///   - store: the meter of the builder, complete when the first painter is made.
  ///   - zooms: the zooms that will be built.
  ///   - codec: the format of the tiles.
  ///   - clusteredSources: the ids of the sources whose features are clusters, for specimens.
  package init(
    _ builder: SceneBuilder, store: SpriteStore, zooms: ClosedRange<Int>, codec: TileCodec = .png,
    clusteredSources: Set<String>
  ) {
    style = builder.style
    side = builder.tileSize * builder.scale
    scale = builder.scale
    fonts = builder.fonts
    self.store = store
    self.zooms = zooms
    self.codec = codec
    self.clusteredSources = clusteredSources
  }

  private init(_ other: PainterFactory, codec: TileCodec, store: SpriteStore) {
    style = other.style
    side = other.side
    scale = other.scale
    fonts = other.fonts
    self.store = store
    zooms = other.zooms
    clusteredSources = other.clusteredSources
    self.codec = codec
  }

  /// Returns a factory of painters of the same tiles in another format.
  package func painting(_ codec: TileCodec) -> PainterFactory {
    codec == self.codec ? self : PainterFactory(self, codec: codec, store: store)
  }

  /// Returns a factory of painters of the same style whose scenes have sprites of their own.
  ///
  /// - Throws: ``FontError`` if a font cannot be loaded.
  package func painting(spritesOf store: SpriteStore) throws -> PainterFactory {
    let factory = PainterFactory(self, codec: codec, store: store)
    let sparse = try sparseStyle()
    factory.trained.withLock { $0 = .some(sparse) }
    return factory
  }

  /// Returns the palette and codes of the style's sparse tiles; `nil` if the style has none.
  ///
  /// - Throws: ``FontError`` if a font cannot be loaded.
  package func sparseStyle() throws -> SparseStyle? {
    try trained.withLock { trained in
      if let known = trained { return known }
      let sparse = try train()
      trained = .some(sparse)
      return sparse
    }
  }

  /// Uses the result of an earlier training instead of training again.
  ///
  /// - Parameter training: its values; `nil` for a style without sparse tiles.
  /// - Returns: whether the values can belong to such tiles.
  package func adopt(_ training: SparseStyle.Training?) -> Bool {
    let sparse = training.flatMap { SparseStyle($0, size: side, format: sparseFormat ?? .png) }
    guard (sparse == nil) == (training == nil) else { return false }
    trained.withLock { $0 = .some(sparse) }
    return true
  }

  /// The format of sparse tiles; `nil` for lossy ones, which have no palette.
  private var sparseFormat: SparseIndexedEncoder.Format? {
    guard codec.isLossless else { return nil }
    return codec == .png ? .png : .webP
  }

  private func train() throws -> SparseStyle? {
    guard let format = sparseFormat else { return nil }
    let background = style.background(at: Double(zooms.lowerBound))
    guard zooms.allSatisfy({ style.background(at: Double($0)) == background }) else { return nil }
    return try SparseStyle(
      drawing: style.specimens(
        zooms: zooms, clusteredSources: clusteredSources, scale: scale, fonts: fonts),
      size: side, background: background.bits, factory: SpriteFactory(scale: scale, fonts: fonts),
      format: format)
  }

  /// Returns a new painter for one worker.
  ///
  /// - Throws: ``FontError`` if a font cannot be loaded.
  package func painter() throws -> TilePainter {
    TilePainter(
      side: side, scale: scale, sparse: try sparseStyle(), codec: codec, fonts: fonts,
      sprites: store.sprites, prepared: prepared)
  }
}
