import SpatialIndex

/// A feature of one zoom that answers taps: its source, and its row in that source.
package struct TapFeature: BitwiseCopyable, Hashable, Sendable {
  /// The index of the source among those of the build; the highest bit is set if the row is a
  /// shape's.
  private let place: UInt32

  /// The row of the zoom's ``ClusterLevel``, of the points if there is no level, or of the shapes.
  private let number: UInt32

  private static let shapeFlag: UInt32 = 1 << 31

  package init(source: Int, row: Int, isShape: Bool) {
    place = UInt32(truncatingIfNeeded: source) | (isShape ? Self.shapeFlag : 0)
    number = UInt32(truncatingIfNeeded: row)
  }

  /// The index of the source among those of the build.
  package var source: Int { Int(place & ~Self.shapeFlag) }

  /// The row of the zoom's clusters and lone points, or of the source's shapes.
  package var row: Int { Int(number) }

  /// Whether ``row`` is a shape's.
  package var isShape: Bool { place & Self.shapeFlag != 0 }
}

/// The source of a set of shapes.
struct ShapeOrigin: BitwiseCopyable, Hashable, Sendable {
  /// The index of the source among those of the build.
  let source: Int

  /// Whether the shapes are the areas of the rows of the zoom's ``ClusterLevel``.
  let isOfClusters: Bool

  func feature(ofShape row: Int) -> TapFeature {
    TapFeature(source: source, row: row, isShape: !isOfClusters)
  }
}

/// A feature that a layer draws at a place.
package struct TapHit: Hashable, Sendable {
  /// The index of the layer in the style.
  package let layer: Int
  package let feature: TapFeature

  package init(layer: Int, feature: TapFeature) {
    self.layer = layer
    self.feature = feature
  }
}

extension ZoomScenes {
  /// Returns the feature of a line or an area, as an identifier for taps.
  package func tapFeature(of draw: ShapeDraw) -> TapFeature {
    let pieces = shapes.pieces[Int(draw.set)].pieces
    let shape = draw.dust.map { pieces.dustShapes[$0] } ?? pieces.shapes[Int(draw.piece)]
    return shapeSources[Int(draw.set)].feature(ofShape: Int(shape))
  }
}
