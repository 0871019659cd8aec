import Columns

/// The room that a symbol asks for around its anchor, in 1/16 device px.
struct RoomRequest {
  /// The room of the label, or of a circle that is an obstacle; `nil` for a symbol without one.
  var label: [LabelObstacle]?

  /// The padding in the room of the label, which does not count for circles.
  var padding = 0

  /// The room of the icon; `nil` for a symbol without one.
  var icon: LabelObstacle?
}

/// The claims of one layer's symbols in columns, some tens of bytes each.
struct ClaimColumns {
  private struct Box: BitwiseCopyable {
    let left: Int32
    let top: Int32
    let right: Int32
    let bottom: Int32
    let isCircle: Bool

    init(_ obstacle: LabelObstacle) {
      left = Int32(clamping: obstacle.left)
      top = Int32(clamping: obstacle.top)
      right = Int32(clamping: obstacle.right)
      bottom = Int32(clamping: obstacle.bottom)
      isCircle = obstacle.isCircle
    }

    var obstacle: LabelObstacle {
      LabelObstacle(
        left: Int(left), top: Int(top), right: Int(right), bottom: Int(bottom), isCircle: isCircle)
    }
  }

  /// The parts of each claim: bit 0 a label, bit 1 an icon.
  private var parts: Column<UInt8>

  /// The symbol of each claim.
  private var symbols: Column<UInt32>

  private var paddings: Column<Int32>

  /// The end of each claim's boxes: those of the label, then the icon's.
  private var ends: Column<Int>
  private var boxes: Column<Box>

  init(in scratch: Scratch?) {
    parts = Column(in: scratch)
    symbols = Column(in: scratch)
    paddings = Column(in: scratch)
    ends = Column(in: scratch)
    boxes = Column(in: scratch)
  }

  var count: Int { parts.count }
  var indices: Range<Int> { 0..<count }

  /// The symbol of a claim, by the number that it was appended with.
  func symbol(_ index: Int) -> Int { Int(symbols[index]) }

  mutating func append(_ claim: RoomRequest, of symbol: Int) {
    for obstacle in claim.label ?? [] { boxes.append(Box(obstacle)) }
    if let icon = claim.icon { boxes.append(Box(icon)) }
    parts.append((claim.label == nil ? 0 : 1) | (claim.icon == nil ? 0 : 2))
    symbols.append(UInt32(truncatingIfNeeded: symbol))
    paddings.append(Int32(clamping: claim.padding))
    ends.append(boxes.count)
  }

  subscript(index: Int) -> RoomRequest {
    var obstacles = boxes[(index == 0 ? 0 : ends[index - 1])..<ends[index]].map(\.obstacle)
    var claim = RoomRequest(padding: Int(paddings[index]))
    if parts[index] & 2 != 0 { claim.icon = obstacles.removeLast() }
    if parts[index] & 1 != 0 { claim.label = obstacles }
    return claim
  }
}
