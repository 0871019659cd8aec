import Expressions
import Raster

/// Decides which labels find room, once for the whole zoom.
///
/// As in MapLibre, a label shows if its box, grown by `text-padding`, meets no box placed before
/// it; features come in drawing order, top layers first. Because the decision is made on world
/// pixels it is the same in every tile, so no label is cut or doubled at a border.
struct LabelPlacement {
  /// A box in device px of the world, half-open.
  private struct Box {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    func meets(_ other: Box) -> Bool {
      left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
  }

  /// Side of a bucket in device px; labels are some tens of px.
  private static let bucket = 64

  /// Device px from its anchor within which a label takes room; bounds the buckets of one label.
  private static let reach = 8192.0

  private let grid: PixelGrid
  private let shaper: TextShaper
  private var buckets: [UInt64: [Box]] = [:]
  private var boxes: [TextLook: Box] = [:]

  init(grid: PixelGrid, shaper: TextShaper) {
    self.grid = grid
    self.shaper = shaper
  }

  /// The stack without the labels that find no room.
  mutating func place(
    _ number: UInt32, at center: (x: Int, y: Int), _ feature: any LookFeature,
    _ group: [LookResolver], looks: inout LookTable
  ) throws -> UInt32 {
    guard group.contains(where: { $0.layer.mayHideLabels }) else { return number }
    var kept = looks.stacks[Int(number)]
    for resolver in group.reversed() where resolver.layer.kind == .symbol {
      guard let index = kept.firstIndex(where: { $0.layer == resolver.index }),
        case .text(let look) = kept[index].look
      else { continue }
      let box = try box(
        of: look, at: center, padding: resolver.padding(feature) * Double(grid.scale))
      if !resolver.allowsOverlap(feature), isTaken(box) {
        kept.remove(at: index)
      } else if !resolver.ignoresPlacement(feature) {
        take(box)
      }
    }
    return looks.number(of: kept)
  }

  private mutating func box(of look: TextLook, at center: (x: Int, y: Int), padding: Double)
    throws -> Box
  {
    let own: Box
    if let known = boxes[look] {
      own = known
    } else {
      var style = look.style
      style.size *= Double(grid.scale)
      let bounds = try shaper.shape(look.text, style: style).layoutBounds
      let x = look.translateX * Double(grid.scale)
      let y = look.translateY * Double(grid.scale)
      own = Box(
        left: Self.pixel((bounds.minX + x).rounded(.down)),
        top: Self.pixel((bounds.minY + y).rounded(.down)),
        right: Self.pixel((bounds.maxX + x).rounded(.up)),
        bottom: Self.pixel((bounds.maxY + y).rounded(.up)))
      boxes[look] = own
    }
    let room = Int(min(max(padding, 0), 4096).rounded(.up))
    return Box(
      left: own.left + (center.x >> 4) - room, top: own.top + (center.y >> 4) - room,
      right: own.right + (center.x >> 4) + room, bottom: own.bottom + (center.y >> 4) + room)
  }

  /// A coordinate of a box: what is beyond any label's reach is as good as the reach.
  private static func pixel(_ value: Double) -> Int {
    guard value > -Self.reach else { return Int(-Self.reach) }
    return Int(min(value, Self.reach))
  }

  private func isTaken(_ box: Box) -> Bool {
    for copy in copies(of: box) {
      for key in keys(of: copy) {
        if let placed = buckets[key], placed.contains(where: { $0.meets(copy) }) { return true }
      }
    }
    return false
  }

  private mutating func take(_ box: Box) {
    for copy in copies(of: box) {
      for key in keys(of: copy) { buckets[key, default: []].append(copy) }
    }
  }

  /// The box, and its copy on the other side of the antimeridian where it reaches over.
  private func copies(of box: Box) -> [Box] {
    let world = grid.worldPixels
    var all = [box]
    for shift in [world, -world] {
      let moved = Box(
        left: box.left + shift, top: box.top, right: box.right + shift, bottom: box.bottom)
      if moved.right > 0, moved.left < world { all.append(moved) }
    }
    return all
  }

  private func keys(of box: Box) -> [UInt64] {
    var keys: [UInt64] = []
    // A negative line height turns a box of several lines inside out.
    guard box.left <= box.right, box.top <= box.bottom else { return [] }
    for column in (box.left / Self.bucket - 1)...(box.right / Self.bucket) {
      for row in (box.top / Self.bucket - 1)...(box.bottom / Self.bucket) {
        keys.append(
          UInt64(UInt32(truncatingIfNeeded: column)) << 32
            | UInt64(UInt32(truncatingIfNeeded: row)))
      }
    }
    return keys
  }
}

extension StyleLayer {
  /// Whether a label of the layer may give way to another.
  var mayHideLabels: Bool {
    guard kind == .symbol else { return false }
    guard let overlap = properties[.textAllowOverlap], overlap.isFeatureConstant,
      overlap.isZoomConstant
    else { return true }
    return !overlap.bool(.init(zoom: 0))
  }
}
