import Raster

/// The sizes of a layer's flat labels, by the number of their stack and the direction of their
/// lines, and the stacks that remain without the layer.
///
/// This is a class because a dictionary inside ``LabelPlacement`` was copied for each label: 87,000
/// names at 17 zooms took 109 s instead of 8 s.
final class LabelSizes {
  struct Key: Hashable {
    let stack: UInt32
    let writingMode: TextStyle.WritingMode
    let size: Double
  }

  private var sizes: [Key: LabelFootprint.Size] = [:]

  func size(of key: Key) -> LabelFootprint.Size? { sizes[key] }

  func remember(_ size: LabelFootprint.Size, of key: Key) { sizes[key] = size }

  /// The stacks without the looks of the layer, by the number of the stack.
  private var rests: [UInt32: UInt32] = [:]

  func rest(of stack: UInt32) -> UInt32? { rests[stack] }

  func remember(rest: UInt32, of stack: UInt32) { rests[stack] = rest }

  func removeAll() {
    sizes.removeAll()
    rests.removeAll()
  }
}
