import Columns

/// The room that a symbol asks for around its anchor, in 1/16 device px.
struct RoomRequest {
  /// The room of the label, or of a circle or chart that is an obstacle; `nil` for a symbol without one.
  var label: [LabelObstacle]?

  /// Whether the label has one of these rooms, the first that is free, and not all of them.
  var isChoice = false

  /// The padding in the room of the label, which does not count for circles.
  var padding = 0

  /// The room of the icon; `nil` for a symbol without one.
  var icon: LabelObstacle?

  /// The room of an icon that moves with its label, for each of the label's; empty for one that stays.
  var movedIcons: [LabelObstacle] = []

  /// Returns the room of the icon beside the label in one of its rooms; `nil` for no label.
  func icon(at choice: Int?) -> LabelObstacle? {
    choice.flatMap { movedIcons.isEmpty ? nil : movedIcons[$0] } ?? icon
  }

  /// The distance by which the label or the icon may lie farther from the anchor than by themselves,
  /// in 1/16 device px.
  var excess = 0

  /// Lets the label choose among rooms.
  ///
  /// - Parameter icons: the room of the icon beside each of them; empty without an icon.
  mutating func choose(among labels: [LabelObstacle], icons: [LabelObstacle]) {
    func reach(_ boxes: [LabelObstacle]) -> Int {
      boxes.map { max(-$0.left, -$0.top, $0.right, $0.bottom) }.max() ?? 0
    }
    excess = max(
      0, reach(labels) - reach(label ?? []), reach(icons) - reach([icon].compactMap(\.self)))
    (label, isChoice) = (labels, true)
    if icons.contains(where: { $0 != icon }) { movedIcons = icons }
  }
}

/// The claims of one layer's symbols in columns, some tens of bytes each.
struct ClaimColumns {
  private struct Box: BitwiseCopyable {
    let left: Int32
    let top: Int32
    let right: Int32
    let bottom: Int32

    /// 1 for a circle, 0 for a box.
    let circles: Int32

    init(_ obstacle: LabelObstacle) {
      left = Int32(clamping: obstacle.left)
      top = Int32(clamping: obstacle.top)
      right = Int32(clamping: obstacle.right)
      bottom = Int32(clamping: obstacle.bottom)
      circles = obstacle.isCircle ? 1 : 0
    }

    var obstacle: LabelObstacle {
      LabelObstacle(
        left: Int(left), top: Int(top), right: Int(right), bottom: Int(bottom),
        isCircle: circles == 1)
    }
  }

  /// The parts of each claim: bit 0 a label, bit 1 an icon; bit 2 if the label has rooms to choose
  /// from, bit 3 if the icon moves with it.
  private var parts: Column<UInt8>

  /// The symbol of each claim.
  private var symbols: Column<UInt32>

  private var paddings: Column<Int32>

  /// The end of each claim's boxes: those of the label, then the icon's, the moved ones first.
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
    for icon in claim.movedIcons { boxes.append(Box(icon)) }
    if let icon = claim.icon { boxes.append(Box(icon)) }
    parts.append(
      (claim.label == nil ? 0 : 1) | (claim.icon == nil ? 0 : 2) | (claim.isChoice ? 4 : 0)
        | (claim.movedIcons.isEmpty ? 0 : 8))
    symbols.append(UInt32(truncatingIfNeeded: symbol))
    paddings.append(Int32(clamping: claim.padding))
    ends.append(boxes.count)
  }

  subscript(index: Int) -> RoomRequest {
    var obstacles = boxes[(index == 0 ? 0 : ends[index - 1])..<ends[index]].map(\.obstacle)
    var claim = RoomRequest(padding: Int(paddings[index]))
    if parts[index] & 2 != 0 { claim.icon = obstacles.removeLast() }
    claim.isChoice = parts[index] & 4 != 0
    if parts[index] & 8 != 0 {
      claim.movedIcons = Array(obstacles.suffix(obstacles.count / 2))
      obstacles.removeLast(claim.movedIcons.count)
    }
    if parts[index] & 1 != 0 { claim.label = obstacles }
    return claim
  }

  /// Appends the claims of symbols that follow `firstSymbol` others.
  mutating func append(_ other: ClaimColumns, firstSymbol: Int) {
    let (firstBox, offset) = (boxes.count, UInt32(truncatingIfNeeded: firstSymbol))
    parts.append(contentsOf: other.parts)
    symbols.append(contentsOf: other.symbols.lazy.map { $0 &+ offset })
    paddings.append(contentsOf: other.paddings)
    ends.append(contentsOf: other.ends.lazy.map { $0 + firstBox })
    boxes.append(contentsOf: other.boxes)
  }

  // MARK: As bytes

  func append(to writer: inout ByteWriter) {
    writer.append(parts)
    writer.append(symbols)
    writer.append(paddings)
    writer.append(ends)
    writer.append(boxes)
  }

  /// Reads claims of a number of symbols.
  init(_ reader: inout ByteReader, symbols count: Int) throws(ByteReader.Damage) {
    parts = try reader.column(of: UInt8.self)
    symbols = try reader.column(of: UInt32.self)
    paddings = try reader.column(of: Int32.self)
    ends = try reader.column(of: Int.self)
    boxes = try reader.column(of: Box.self)
    guard symbols.count == parts.count, paddings.count == parts.count, ends.count == parts.count,
      symbols.allSatisfy({ $0 < count }), ends.last ?? 0 == boxes.count, ends.first ?? 0 >= 0,
      zip(ends, ends.dropFirst()).allSatisfy({ $0 <= $1 })
    else { throw ByteReader.Damage() }
  }
}
