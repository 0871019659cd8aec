package import Columns

/// The symbols of one zoom before they are assigned to tiles: one row per visible feature.
///
/// Row order is drawing order within every layer.
package struct ZoomSymbols: Sendable {
  /// The number of the look stack in the build's ``LookTable``.
  package var stacks: Column<UInt32>

  /// The distances of the centres eastward from the world's west edge, in 1/16 device px.
  package var xs: Column<Int>

  /// The distances of the centres southward from the world's north edge, in 1/16 device px.
  package var ys: Column<Int>

  /// The feature of each row; empty if features are not kept.
  package var features: Column<TapFeature>

  /// Creates an empty list.
  ///
  /// - Parameter scratch: decides where the columns lie; `nil` for memory.
  package init(in scratch: Scratch? = nil) {
    stacks = Column(in: scratch)
    xs = Column(in: scratch)
    ys = Column(in: scratch)
    features = Column(in: scratch)
  }

  package var count: Int { stacks.count }

  /// The scratch of the columns, and of those that are made from them; `nil` for memory.
  var scratch: Scratch? { stacks.scratch }

  package mutating func reserve(_ capacity: Int) {
    stacks.reserveCapacity(capacity)
    xs.reserveCapacity(capacity)
    ys.reserveCapacity(capacity)
  }

  @inline(__always)
  package mutating func append(stack: UInt32, x: Int, y: Int) {
    stacks.append(stack)
    xs.append(x)
    ys.append(y)
  }

  /// Returns the sprite key of a row: its stack and the position of its centre inside the anchor
  /// pixel.
  @inline(__always)
  func key(_ row: Int) -> SpriteKey {
    SpriteKey(
      stack: stacks[row], phaseX: UInt8(truncatingIfNeeded: xs[row] & 15),
      phaseY: UInt8(truncatingIfNeeded: ys[row] & 15))
  }
}
