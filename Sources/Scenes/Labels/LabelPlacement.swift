import Columns
import Raster
import Styling
import Tiling

/// The placement of labels and icons that find room, decided once for the whole zoom.
///
/// As in MapLibre, layers are placed from the topmost down, whatever their sources; within a
/// layer, features are placed in drawing order, except that the last of the vector tiles comes
/// first. A label shows if its footprint, grown by `text-padding`, meets nothing placed before it;
/// circles and charts that are obstacles are placed before all labels.
/// The decision is made on world pixels and is therefore the same in every tile, so no label is
/// cut or doubled at a border.
struct LabelPlacement {
  let grid: PixelGrid

  /// The room of symbols: in whole device px, or in 1/16 px for symbols of tiles, as MapLibre
  /// measures it.
  private let footprint: LabelFootprint
  private let exactFootprint: LabelFootprint
  var index: CollisionIndex
  private let sizes = LabelSizes()

  /// - Parameter scratch: decides where the index of taken room lies; `nil` for memory.
  init(grid: PixelGrid, shaper: TextShaper, in scratch: Scratch? = nil) {
    self.grid = grid
    footprint = LabelFootprint(scale: grid.scale, shaper: shaper)
    exactFootprint = LabelFootprint(scale: grid.scale, shaper: shaper, steps: PixelGrid.phases)
    index = CollisionIndex(world: grid.worldPixels * PixelGrid.phases, in: scratch)
  }

  /// Removes the labels and icons of a layer that find no room from a group's stacks, or takes the
  /// room of its circles or charts.
  ///
  /// - Complexity: O(symbols), each with the symbols near it.
  mutating func place(_ layer: LookResolver, in group: inout SymbolGroup, looks: inout LookTable)
    throws
  {
    guard !layer.isObstacle else { return takeObstacles(of: layer, in: group, looks) }
    sizes.removeAll()
    let rules = Rules(layer, scale: grid.scale)
    for rows in group.rowsByTile().reversed() {
      for step in 0..<rows.count {
        let row = layer.isOrderedByLatitude ? rows.upperBound - 1 - step : rows.lowerBound + step
        try place(row, of: layer, rules, in: &group, &looks)
      }
    }
  }

  /// Removes the label and icon of one symbol that find no room.
  private mutating func place(
    _ row: Int, of layer: LookResolver, _ rules: Rules, in group: inout SymbolGroup,
    _ looks: inout LookTable
  ) throws {
    let number = group.symbols.stacks[row]
    guard number != 0 else { return }
    let (icon, text) = looks.stacks[Int(number)].symbol(of: layer.index)
    guard icon != nil || text != nil else { return }
    let anchor = Anchor(
      stack: number, row: row,
      place: Place(
        x: group.symbols.xs[row], y: group.symbols.ys[row], isExact: group.isOfTiles))
    var label = try text.flatMap { try room(for: $0, at: anchor, layer, rules, group) }
    var picture = try icon.flatMap {
      try room(for: $0, around: label?.look ?? text, at: anchor, layer, rules, group)
    }
    settle(&label, &picture, isPair: text != nil && icon != nil, rules)
    if label?.look == text, picture?.look == icon { return }
    group.symbols.stacks[row] = stack(
      number, of: layer.index, icon: picture?.look, text: label?.look, &looks)
  }

  /// Drops a label or icon that may not be shown without the other, and takes the room of what
  /// remains.
  private mutating func settle<Label, Picture>(
    _ label: inout Room<Label>?, _ picture: inout Room<Picture>?, isPair: Bool, _ rules: Rules
  ) {
    if isPair {
      let (hasLabel, hasPicture) = (label != nil, picture != nil)
      if !hasLabel, !rules.isTextOptional { picture = nil }
      if !hasPicture, !rules.isIconOptional { label = nil }
    }
    for obstacle in label?.obstacles ?? [] where !rules.ignoresPlacement {
      index.take(obstacle, with: rules.overlap)
    }
    for obstacle in picture?.obstacles ?? [] where !rules.iconIgnoresPlacement {
      index.take(obstacle, with: rules.iconOverlap)
    }
  }

  /// A symbol to be placed: its row, its stack and its place.
  private struct Anchor {
    let stack: UInt32
    let row: Int
    let place: Place
  }

  /// The place of a symbol's anchor in the world, in 1/16 device px.
  struct Place {
    let x: Int
    let y: Int

    /// Whether the exact anchor counts instead of its pixel, and touching boxes collide, as in
    /// MapLibre: boxes along a line of a tile are often exactly as far apart as they are wide.
    let isExact: Bool

    /// Returns the room that an obstacle takes up here, in 1/16 device px.
    ///
    /// - Parameters:
    ///   - obstacle: in 1/16 device px around the anchor.
    ///   - padding: the distance by which it grows, in device px.
    func room(_ obstacle: LabelObstacle, padding: Int = 0) -> LabelObstacle {
      let unit = PixelGrid.phases
      let (x, y) = isExact ? (x, y) : (x & -unit, y & -unit)
      let rim = isExact && !obstacle.isCircle ? 1 : 0
      return LabelObstacle(
        left: obstacle.left - padding * unit + x, top: obstacle.top - padding * unit + y,
        right: obstacle.right + padding * unit + x + rim,
        bottom: obstacle.bottom + padding * unit + y + rim, isCircle: obstacle.isCircle)
    }
  }

  /// A look that fits, with the room that it takes up in the world.
  private struct Room<Kind> {
    let look: Kind
    let obstacles: [LabelObstacle]
  }

  /// The rules of a layer that do not depend on the feature.
  struct Rules {
    let overlap: LabelOverlap
    let iconOverlap: LabelOverlap
    let ignoresPlacement: Bool
    let iconIgnoresPlacement: Bool
    let isTextOptional: Bool
    let isIconOptional: Bool
    /// The padding in device px; `nil` if it depends on the feature.
    let padding: Int?

    init(_ layer: LookResolver, scale: Int) {
      overlap = layer.overlap
      iconOverlap = layer.iconOverlap
      ignoresPlacement = layer.ignoresPlacement
      iconIgnoresPlacement = layer.iconIgnoresPlacement
      isTextOptional = layer.isTextOptional
      isIconOptional = layer.isIconOptional
      padding =
        !layer.values.isConstant(.textPadding)
        ? nil : Self.pixels(layer.values.constant(.textPadding, 2), scale: scale)
    }

    fileprivate static func pixels(_ padding: Double, scale: Int) -> Int {
      Int(min(max(padding * Double(scale), 0), 4096).rounded(.up))
    }
  }

  /// Returns the stack with other looks of one layer; there are few different stacks.
  private func stack(
    _ number: UInt32, of layer: Int, icon: IconLook?, text: TextLook?, _ looks: inout LookTable
  ) -> UInt32 {
    let isEmpty = icon == nil && text == nil
    if isEmpty, let known = sizes.rest(of: number) { return known }
    let own = [icon.map { Look.icon($0) }, text.map { Look.text($0) }].compactMap(\.self)
    var stack: LookStack = []
    var isDone = false
    for entry in looks.stacks[Int(number)] {
      guard entry.layer == layer else {
        stack.append(entry)
        continue
      }
      if !isDone { stack += own.map { StackedLook(layer: layer, look: $0) } }
      isDone = true
    }
    let rest = looks.number(of: stack)
    if isEmpty { sizes.remember(rest: rest, of: number) }
    return rest
  }

  // MARK: Labels

  /// Returns a label if there is room for it, otherwise `nil`.
  private mutating func room(
    for look: TextLook, at anchor: Anchor, _ layer: LookResolver, _ rules: Rules,
    _ group: SymbolGroup
  ) throws -> Room<TextLook>? {
    let padding = padding(ofSymbol: anchor.row, layer, rules, group)
    let width = roomWidth(ofSymbol: anchor.row, layer, group)
    if layer.hasVariants, look.poses.isEmpty {
      let tries = layer.choices(of: look, group.feature(ofSymbol: anchor.row))
      let boxes = try tries.map { look in
        anchor.place.room(
          try box(of: anchor.stack, look, width: width, isExact: anchor.place.isExact),
          padding: padding)
      }
      return firstFree(boxes, padding: padding * PixelGrid.phases, rules).map {
        Room(look: tries[$0], obstacles: [boxes[$0]])
      }
    }
    let obstacles = try obstacles(
      of: anchor.stack, look, width: width, isExact: anchor.place.isExact
    ).map {
      anchor.place.room($0, padding: padding)
    }
    let bare = padding * PixelGrid.phases
    let isTaken = obstacles.contains { index.isTaken($0, padding: bare, for: rules.overlap) }
    return isTaken ? nil : Room(look: look, obstacles: obstacles)
  }

  /// Returns the space around a label, in device px.
  private func padding(
    ofSymbol row: Int, _ layer: LookResolver, _ rules: Rules, _ group: SymbolGroup
  ) -> Int {
    rules.padding
      ?? Rules.pixels(layer.padding(group.feature(ofSymbol: row)), scale: grid.scale)
  }

  /// Returns the width of a label in placement as a multiple of its drawn width.
  private func roomWidth(
    ofSymbol row: Int, _ layer: LookResolver, _ group: SymbolGroup
  ) -> Double {
    layer.hasOtherTextRoom ? layer.textRoom(group.feature(ofSymbol: row)) : 1
  }

  /// Returns the first of the rooms of a label that is free; `nil` if none is. As in MapLibre, a label
  /// that may overlap others first tries all of them without overlap.
  private func firstFree(_ boxes: [LabelObstacle], padding: Int, _ rules: Rules) -> Int? {
    for overlap in rules.overlap == .never ? [.never] : [.never, rules.overlap] {
      let free = boxes.firstIndex { !index.isTaken($0, padding: padding, for: overlap) }
      if let free { return free }
    }
    return nil
  }

  // MARK: Icons

  /// Returns an icon if there is room for it, otherwise `nil`. An icon that is fitted to a label
  /// moves with the label.
  private func room(
    for icon: IconLook, around text: TextLook?, at anchor: Anchor, _ layer: LookResolver,
    _ rules: Rules, _ group: SymbolGroup
  ) throws -> Room<IconLook>? {
    let feature = group.feature(ofSymbol: anchor.row)
    let icon = try layer.icon(icon, beside: text, feature)
    let box = anchor.place.room(box(of: icon, layer, feature, isExact: anchor.place.isExact))
    return index.isTaken(box, for: rules.iconOverlap) ? nil : Room(look: icon, obstacles: [box])
  }

  /// Returns the box that an icon takes up around its anchor.
  private func box(
    of icon: IconLook, _ layer: LookResolver, _ feature: any LookFeature, isExact: Bool
  ) -> LabelObstacle {
    var icon = icon.unturnedByLine
    if layer.hasOtherIconRoom { icon = icon.scaled(by: layer.iconRoom(feature)) }
    let padding = layer.iconPadding(feature)
    return isExact
      ? exactFootprint.box(of: icon, padding: padding)
      : footprint.box(of: icon, padding: padding).inSteps
  }

  // MARK: Claims

  /// Calls `body` with the row of each symbol of a layer that has to be placed, and the room that
  /// it asks for, or that its circle or chart takes.
  func forEachClaim(
    of layer: LookResolver, in group: SymbolGroup, _ looks: LookTable,
    _ body: (Int, RoomRequest) throws -> Void
  ) throws {
    sizes.removeAll()
    let rules = Rules(layer, scale: grid.scale)
    for row in 0..<group.symbols.count {
      let number = group.symbols.stacks[row]
      if layer.isObstacle, let room = obstacle(of: layer, in: looks.stacks[Int(number)]) {
        try body(row, RoomRequest(label: [room]))
      }
      let (icon, text) = looks.stacks[Int(number)].symbol(of: layer.index)
      guard icon != nil || text != nil else { continue }
      try body(row, try claim(ofSymbol: row, icon, text, layer, rules, group))
    }
  }

  /// Returns the room that the icon and the label of a symbol ask for.
  private func claim(
    ofSymbol row: Int, _ icon: IconLook?, _ text: TextLook?, _ layer: LookResolver, _ rules: Rules,
    _ group: SymbolGroup
  ) throws -> RoomRequest {
    let (number, feature) = (group.symbols.stacks[row], group.feature(ofSymbol: row))
    // Neither is evaluated for a symbol without a label.
    let padding =
      text == nil ? 0 : padding(ofSymbol: row, layer, rules, group) * PixelGrid.phases
    let width = text == nil ? 1 : roomWidth(ofSymbol: row, layer, group)
    func boxes(of look: TextLook) throws -> [LabelObstacle] {
      try obstacles(of: number, look, width: width, isExact: group.isOfTiles).map {
        $0.moved(x: 0, y: 0, padding: padding)
      }
    }
    func box(of icon: IconLook, beside text: TextLook?) throws -> LabelObstacle {
      self.box(
        of: try layer.icon(icon, beside: text, feature), layer, feature, isExact: group.isOfTiles)
    }
    var claim = RoomRequest(
      label: try text.map(boxes), padding: padding,
      icon: try icon.map { try box(of: $0, beside: text) })
    guard layer.hasVariants, let text, text.poses.isEmpty else { return claim }
    let looks = layer.choices(of: text, feature)
    claim.choose(
      among: try looks.flatMap(boxes),
      icons: try icon.map { icon in try looks.map { try box(of: icon, beside: $0) } } ?? [])
    return claim
  }

  /// Decides whether there is room for the label and the icon of a claim at a place, and takes the
  /// room.
  ///
  /// - Returns: the number of the label's room among those to choose from, 0 for the only one; `nil`
  ///   if it is hidden. And whether the icon shows.
  mutating func decide(
    _ claim: RoomRequest, at place: Place, _ rules: Rules
  ) -> (label: Int?, icon: Bool) {
    func room(
      of obstacles: [LabelObstacle], padding: Int, _ overlap: LabelOverlap
    ) -> Room<Int>? {
      let moved = obstacles.map { place.room($0) }
      return moved.contains { index.isTaken($0, padding: padding, for: overlap) }
        ? nil : Room(look: 0, obstacles: moved)
    }
    var label = claim.label.flatMap { label -> Room<Int>? in
      guard claim.isChoice else { return room(of: label, padding: claim.padding, rules.overlap) }
      let boxes = label.map { place.room($0) }
      return firstFree(boxes, padding: claim.padding, rules).map {
        Room(look: $0, obstacles: [boxes[$0]])
      }
    }
    var icon = claim.icon(at: label?.look).flatMap {
      room(of: [$0], padding: 0, rules.iconOverlap)
    }
    settle(&label, &icon, isPair: claim.label != nil && claim.icon != nil, rules)
    return (label?.look, icon != nil)
  }

  // MARK: Room that labels take up

  /// Returns the obstacles of a label around its anchor.
  ///
  /// - Parameter width: the width of the room as a multiple of the label's own width; a label
  ///   along a line takes up exactly its own.
  private func obstacles(
    of number: UInt32, _ look: TextLook, width: Double, isExact: Bool
  ) throws -> [LabelObstacle] {
    guard look.poses.isEmpty else {
      return isExact
        ? try exactFootprint.circles(along: look)
        : try footprint.circles(along: look).map(\.inSteps)
    }
    return [try box(of: number, look, width: width, isExact: isExact)]
  }

  private func box(
    of number: UInt32, _ look: TextLook, width: Double, isExact: Bool
  ) throws -> LabelObstacle {
    var look = look
    if width != 1 { look.style.size *= width }
    let size = try size(of: number, look)
    return isExact
      ? exactFootprint.box(of: look, size) : footprint.box(of: look, size).inSteps
  }

  /// Returns the size of a flat label, measured once for each stack and direction of the lines.
  private func size(of number: UInt32, _ look: TextLook) throws -> LabelFootprint.Size {
    let key = LabelSizes.Key(
      stack: number, writingMode: look.style.writingMode, size: look.style.size)
    if let known = sizes.size(of: key) { return known }
    let size = try footprint.size(of: look)
    sizes.remember(size, of: key)
    return size
  }
}

extension LabelObstacle {
  /// The obstacle, converted from px to 1/16 px.
  fileprivate var inSteps: LabelObstacle {
    let unit = PixelGrid.phases
    return LabelObstacle(
      left: left * unit, top: top * unit, right: right * unit, bottom: bottom * unit,
      isCircle: isCircle)
  }
}
