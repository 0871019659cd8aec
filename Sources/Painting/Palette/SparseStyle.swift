package import PNG
import Raster
import Scenes
import Styling

/// The palette and trained encoder of a style's sparse tiles, made before the data is read.
///
/// They are made from specimens that the style itself provides, never from the data, so that a
/// tile's bytes remain a function of its scene.
package final class SparseStyle: Sendable {
  package let palette: StylePalette
  package let encoder: SparseIndexedEncoder

  /// The background of every tile, premultiplied.
  let background: UInt32

  /// Creates the palette and code tables by training on specimens.
  ///
  /// - Parameters:
  ///   - size: the side of a tile in device pixels.
  ///   - specimens: sprites that the style can make, each with its expected frequency.
  package init(
    size: Int, background: UInt32, specimens: [(sprite: StackSprite, weight: Int)],
    format: SparseIndexedEncoder.Format = .png
  ) {
    self.background = background
    var histogram: [UInt32: Int] = [:]
    var exact: [UInt32: Int] = [:]
    for (sprite, weight) in specimens {
      Self.count(sprite.composite, over: background, weight: weight * 4, in: &histogram)
      Self.countSolid(
        sprite.composite, as: sprite.pixels(over: background), weight: weight * 4, in: &exact)
    }
    let likely = specimens.sorted { $0.weight > $1.weight }
    for (index, second) in likely.prefix(Self.overlapCount).enumerated() {
      for first in likely.prefix(index + 1) {
        Self.forEachOverlap(of: first.sprite, second.sprite) { overlap in
          Self.count(overlap, over: background, weight: 1, in: &histogram)
          let colors = ContiguousArray(overlap.pixels.map { sourceOver($0, background) })
          Self.countSolid(overlap, as: colors, weight: 1, in: &exact)
        }
      }
    }
    let ranked = exact.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let palette = StylePalette(background: background, exact: ranked, histogram: histogram)
      .ordered(
        by: likely.map { specimen in
          specimen.sprite.composite.pixels.filter { $0 >> 24 != 0 }.map {
            sourceOver($0, background)
          }
        })
    self.palette = palette
    var matcher = PaletteMatcher(palette)
    let training = specimens.compactMap { sprite, weight in
      Self.indexed(sprite, over: background, with: &matcher, extras: 0).map { ($0.sprite, weight) }
    }
    encoder = SparseIndexedEncoder(
      width: size, height: size, palette: palette.straightColors, training: training,
      format: format)
  }

  /// Creates the palette and code tables from specimens of a style; `nil` if the specimens show
  /// nothing.
  convenience init?(
    drawing specimens: [StyleSpecimen], size: Int, background: UInt32, factory: SpriteFactory,
    format: SparseIndexedEncoder.Format
  ) throws {
    let drawn = try specimens.compactMap { specimen -> (sprite: StackSprite, weight: Int)? in
      // Vast symbols have no sprites in palette indexes.
      guard try factory.vast.box(of: specimen.stack, phaseX: 0, phaseY: 0) == nil else {
        return nil
      }
      let sprite = try factory.sprite(of: specimen.stack, phaseX: 0, phaseY: 0)
      return sprite.composite.isEmpty ? nil : (sprite, specimen.weight)
    }
    guard !drawn.isEmpty else { return nil }
    self.init(size: size, background: background, specimens: drawn, format: format)
  }

  /// Creates the palette and code tables of an earlier training; `nil` where the values cannot come
  /// from one.
  ///
  /// - Parameter size: the side of a tile in device pixels.
  init?(_ training: Training, size: Int, format: SparseIndexedEncoder.Format) {
    background = training.background
    palette = StylePalette(colors: training.colors)
    guard training.colors.first == background,
      let encoder = SparseIndexedEncoder(
        width: size, height: size, palette: palette.straightColors,
        trainedAs: training.frequencies, format: format)
    else { return nil }
    self.encoder = encoder
  }

  /// The values that training finds, from which the same palette and code tables are made again.
  package struct Training: Hashable, Sendable {
    package let background: UInt32

    /// The premultiplied colours of the palette.
    package let colors: [UInt32]
    package let frequencies: SymbolFrequencies

    package init(background: UInt32, colors: [UInt32], frequencies: SymbolFrequencies) {
      self.background = background
      self.colors = colors
      self.frequencies = frequencies
    }
  }

  package var training: Training {
    Training(
      background: background, colors: palette.colors, frequencies: encoder.frequencies)
  }

  /// The data that determines the bytes of a sparse tile, apart from its scene.
  package var identity: [UInt8] {
    ([background] + palette.colors).flatMap { color in
      (0..<4).map { UInt8(truncatingIfNeeded: color >> (8 * $0)) }
    } + encoder.identity
  }

  /// The number of likely specimens that are overlapped in pairs, for colours that appear only
  /// where symbols overlap.
  private static let overlapCount = 12

  /// Returns a stack in palette indexes, and the colours that the palette lacks, which have the
  /// indexes after it: exact ones, and edges rounded to ``EdgeLattice``.
  ///
  /// - Parameter limit: the most such colours; `nil` is returned for a stack with more.
  static func indexed(
    _ stack: StackSprite, over background: UInt32, with matcher: inout PaletteMatcher,
    extras limit: Int
  ) -> (sprite: IndexedSprite, extras: [UInt32])? {
    let sprite = stack.composite
    var indices: [UInt8] = []
    var extras: [UInt32] = []
    indices.reserveCapacity(sprite.pixels.count)
    for (index, color) in stack.pixels(over: background).enumerated() {
      guard sprite.pixels[index] >> 24 != 0 else {
        indices.append(0)
        continue
      }
      let isEdge = sprite.edges[index] != 0
      var entry = Int(matcher.index(of: color, isEdge: isEdge))
      if entry & Int(PaletteMatcher.outOfTolerance) != 0 {
        let rounded = isEdge ? EdgeLattice.nearest(to: color) : color
        entry = matcher.count + extras.number(of: rounded)
        if extras.count > limit { return nil }
      }
      indices.append(UInt8(truncatingIfNeeded: entry))
    }
    return (IndexedSprite(width: sprite.width, height: sprite.height, indices: indices), extras)
  }

  /// Returns a stack in palette indexes with its tokens; `nil` if the palette lacks more colours than
  /// a file has room for.
  ///
  /// - Parameter matcher: the matcher of ``palette``; `nil` prepares nothing.
  func prepared(_ stack: StackSprite, with matcher: inout PaletteMatcher?) -> PreparedSprite? {
    guard var own = matcher.take(), !stack.composite.isEmpty else { return nil }
    defer { matcher = own }
    return Self.indexed(
      stack, over: background, with: &own, extras: 256 - palette.colors.count
    ).map { sprite, extras in
      encoder.prepared(
        sprite, extras: extras.map { PremultipliedColor(bits: $0).straightBits })
    }
  }

  private static func count(
    _ sprite: SymbolSprite, over background: UInt32, weight: Int, in histogram: inout [UInt32: Int]
  ) {
    for pixel in sprite.pixels where pixel >> 24 != 0 {
      histogram[sourceOver(pixel, background), default: 0] += weight
    }
  }

  /// Counts the colours of a sprite's areas, which must be exact except on edges: fills, strokes
  /// and everything drawn over them.
  ///
  /// - Parameter colors: the sprite's pixels over the background.
  private static func countSolid(
    _ sprite: SymbolSprite, as colors: ContiguousArray<UInt32>, weight: Int,
    in counts: inout [UInt32: Int]
  ) {
    for index in sprite.pixels.indices
    where sprite.pixels[index] >> 24 != 0 && sprite.edges[index] == 0 {
      counts[colors[index], default: 0] += weight
    }
  }

  /// A box of pixels.
  private typealias Box = (x: Int, y: Int, width: Int, height: Int)

  /// Calls `body` with combinations of two sprites at a few distances, drawn layer by layer. If
  /// the two do not overlap, `body` gets each of them alone, since a long text would need a vast
  /// canvas.
  private static func forEachOverlap(
    of a: StackSprite, _ b: StackSprite, _ body: (SymbolSprite) -> Void
  ) {
    let reach = max(4, (a.composite.width + b.composite.width) / 2)
    let offsets = [
      (reach / 4, reach / 3), (reach / 2, -reach / 4), (reach - 4, 1), (2, reach * 2 / 3),
      (-reach / 2, reach / 2), (-3, reach - 6),
    ]
    for (dx, dy) in offsets {
      let boxes: [Box] = [
        (a.composite.originX, a.composite.originY, a.composite.width, a.composite.height),
        (b.composite.originX + dx, b.composite.originY + dy, b.composite.width, b.composite.height),
      ]
      let parts = areApart(boxes[0], boxes[1]) ? boxes.map { [$0] } : [boxes]
      let indexes = Set(a.layers.map(\.index) + b.layers.map(\.index)).sorted()
      for part in parts {
        var canvas = SpriteCanvas(covering: part)
        let (showsA, showsB) = (part[0] == boxes[0], part[part.count - 1] == boxes[1])
        for index in indexes {
          for layer in a.layers where layer.index == index && showsA { canvas.over(layer.sprite) }
          for layer in b.layers where layer.index == index && showsB {
            canvas.over(layer.sprite, dx: dx, dy: dy)
          }
        }
        body(canvas.sprite())
      }
    }
  }

  /// Whether two boxes have no pixel in common.
  private static func areApart(_ a: Box, _ b: Box) -> Bool {
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y
      || b.y + b.height <= a.y
  }
}

extension [UInt32] {
  /// Returns the index of a colour, which is added at the end if it is missing.
  mutating func number(of color: UInt32) -> Int {
    if let index = firstIndex(of: color) { return index }
    append(color)
    return count - 1
  }
}
