import Columns
import Features
import Styling
import Tiling

/// The placement of a zoom's symbols whose features are read part by part. Of each symbol only the
/// room that it asks for is kept, until all are known; ``decided()`` then places them exactly as
/// ``LabelPlacement`` places features that are all in memory.
package struct PlacementPass {
  /// The layers of one source that share one order of features.
  private struct Group {
    let source: String
    let layers: [LookResolver]

    /// The layers of the group with symbols to be placed.
    let placed: [LookResolver]

    /// The symbols of points, and those of lines and polygons, which come after all points.
    var lists: [SymbolList]

    /// The drawing order, as ``SymbolGroup`` has it; known with the first features.
    var order = Order()
  }

  /// The order in which the symbols of a group are drawn.
  private struct Order {
    var tiles: SourceTileRaster?
    var isFromLast = false
    var isByLatitude = false

    /// Whether exact anchors count; see ``LabelPlacement/Place/isExact``.
    var isExact = false

    init() {}

    init(_ group: SymbolGroup) {
      tiles = group.tiles
      isFromLast = group.isFromLast
      isByLatitude = group.isByLatitude
      isExact = group.isOfTiles
    }
  }

  /// Symbols in the order of their features.
  private struct SymbolList {
    /// The number of each symbol in ``VisibleSymbols``.
    var numbers: Column<UInt32>
    var symbols: SymbolRequests.List

    init(layers: Int, in scratch: Scratch?) {
      numbers = Column(in: scratch)
      symbols = SymbolRequests.List(layers: layers, in: scratch)
    }

    /// Appends symbols that get numbers; their keys are not kept.
    mutating func append(_ other: SymbolRequests.List, _ number: (StableHash) -> Int) {
      let first = numbers.count
      for key in other.keys { numbers.append(UInt32(truncatingIfNeeded: number(key))) }
      symbols.xs.append(contentsOf: other.xs)
      symbols.ys.append(contentsOf: other.ys)
      symbols.sortKeys.append(contentsOf: other.sortKeys)
      for (index, claims) in other.claims.enumerated() where index < symbols.claims.count {
        symbols.claims[index].append(claims, firstSymbol: first)
      }
    }
  }

  private let resolver: SymbolResolver
  private let grid: PixelGrid
  private let vast: VastSymbols
  private let placed: [LookResolver]
  private var groups: [Group]
  private var placement: LabelPlacement
  private var shown: VisibleSymbols
  private let scratch: Scratch?

  /// The reach of the symbols at the places that they have by themselves, in device px.
  private var reach = 0

  /// The distance by which labels may choose places farther off, in 1/16 device px.
  private var excess = 0

  /// - Parameter sources: the sources of the zoom, in their order; their features may be left out.
  /// - Returns: `nil` if too many layers of one source have symbols to be placed.
  init?(
    _ resolver: SymbolResolver, of sources: [SymbolSource], grid: PixelGrid, _ vast: VastSymbols,
    in scratch: Scratch?
  ) {
    let found = resolver.layerGroups(of: sources, grid: grid)
    placed = resolver.placedLayers(found.map(\.layers))
    self.resolver = resolver
    self.grid = grid
    self.vast = vast
    self.scratch = scratch
    placement = LabelPlacement(grid: grid, shaper: resolver.shaper, in: scratch)
    shown = VisibleSymbols(in: scratch)
    groups = []
    for (source, layers) in found {
      let own = layers.placed(among: placed)
      guard own.count <= VisibleSymbols.layerLimit else { return nil }
      groups.append(
        Group(
          source: sources[source].id, layers: layers, placed: own,
          lists: (0..<2).map { _ in SymbolList(layers: own.count, in: scratch) }))
    }
  }

  /// Adds the symbols of some features of a source. Features must be added in their order.
  package mutating func add(_ source: SymbolSource) throws {
    for index in groups.indices where groups[index].source == source.id {
      groups[index].order = Order(
        SymbolGroup(
          layers: groups[index].layers, source: source, sourceIndex: 0, grid: grid,
          keepsFeatures: false))
    }
    add(try requests(of: source), of: source.id)
  }

  /// Adds the requests of some features of a source that was added before without them.
  package mutating func add(_ requests: SymbolRequests, of source: String) {
    let own = groups.indices.filter { groups[$0].source == source }
    for (index, lists) in zip(own, requests.groups) {
      for (list, symbols) in lists.enumerated() where list < groups[index].lists.count {
        groups[index].lists[list].append(symbols) { shown.insert($0) }
      }
    }
    reach = max(reach, requests.reach)
    excess = max(excess, requests.excess)
    shown.missingImages.add(requests.missingImages)
    shown.unusable = shown.unusable.union(requests.unusable)
  }

  /// Returns what some features of a source ask for.
  package func requests(of source: SymbolSource) throws -> SymbolRequests {
    var requests = SymbolRequests()
    for (_, layers) in resolver.layerGroups(of: [source], grid: grid) {
      let own = layers.placed(among: placed)
      let isDecided = layers.areDecided(own)
      var looks = LookTable()
      var group = SymbolGroup(
        layers: layers, source: source, sourceIndex: 0, grid: grid, keepsFeatures: isDecided)
      // As in MapLibre, only the texts of one tile may not be repeated.
      var features = FeatureResolver(
        group, source: source, grid: grid, shaper: resolver.shaper, repeats: LabelRepeats())
      try features.resolve(into: &group, looks: &looks)
      for stack in looks.stacks { requests.reach = max(requests.reach, try vast.reach(of: stack)) }
      requests.groups.append(
        isDecided ? try lists(of: group, own, looks, excess: &requests.excess) : [])
      for layer in layers {
        requests.missingImages.add(layer.values.missingImages)
        requests.unusable.insert(layer.values.unusable, of: layer.index)
      }
    }
    return requests
  }

  private func lists(
    of group: SymbolGroup, _ placed: [LookResolver], _ looks: LookTable, excess: inout Int
  ) throws -> [SymbolRequests.List] {
    let hasSortKey = group.layers.contains(where: \.hasSortKey)
    var lists = (0..<2).map { _ in SymbolRequests.List(layers: placed.count, in: scratch) }
    var farthest = excess
    var places: [Int] = []
    places.reserveCapacity(group.symbols.count)
    for row in 0..<group.symbols.count {
      let list = group.isShape(ofSymbol: row) ? 1 : 0
      places.append(lists[list].keys.count)
      lists[list].keys.append(group.key(ofSymbol: row, looks))
      lists[list].xs.append(group.symbols.xs[row])
      lists[list].ys.append(group.symbols.ys[row])
      if hasSortKey {
        lists[list].sortKeys.append(
          group.layers[0].sortKey(of: group.feature(ofSymbol: row)) ?? 0)
      }
    }
    for (number, layer) in placed.enumerated() {
      try placement.forEachClaim(of: layer, in: group, looks) { row, claim in
        farthest = max(farthest, claim.excess)
        lists[group.isShape(ofSymbol: row) ? 1 : 0].claims[number].append(claim, of: places[row])
      }
    }
    excess = farthest
    return lists
  }

  // MARK: Decision

  /// Places the symbols of all features, from the topmost layer down.
  ///
  /// - Parameter cells: the zoom of the squares whose symbols ``VisibleSymbols`` hashes; `nil` for none.
  /// - Complexity: O(symbols), each with the symbols near it.
  package consuming func decided(cells: Int? = nil) -> VisibleSymbols {
    for layer in placed {
      for index in groups.indices {
        guard let number = groups[index].placed.firstIndex(where: { $0.index == layer.index })
        else { continue }
        decide(number, of: layer, in: groups[index])
        for list in groups[index].lists.indices {
          groups[index].lists[list].symbols.claims[number] = ClaimColumns(in: nil)
        }
      }
    }
    shown.reach = reach + (excess + PixelGrid.phases - 1) / PixelGrid.phases
    for layer in groups.flatMap(\.layers) {
      shown.unusable.insert(layer.values.unusable, of: layer.index)
    }
    if let cells {
      for list in groups.lazy.flatMap(\.lists) {
        shown.hash(list.numbers, list.symbols, inCellsOf: cells, grid)
      }
    }
    return shown
  }

  private mutating func decide(_ number: Int, of layer: LookResolver, in group: Group) {
    let rules = LabelPlacement.Rules(layer, scale: grid.scale)
    for (index, claim) in order(of: number, layer, in: group) {
      let list = group.lists[index]
      let claims = list.symbols.claims[number]
      let symbol = claims.symbol(claim)
      let room = claims[claim]
      let place = LabelPlacement.Place(
        x: list.symbols.xs[symbol], y: list.symbols.ys[symbol],
        isExact: group.order.isExact || layer.isObstacle)
      if layer.isObstacle {
        for obstacle in room.label ?? [] { placement.take(obstacle, at: place) }
        continue
      }
      let found = placement.decide(room, at: place, rules)
      let shownNumber = Int(list.numbers[symbol])
      if let choice = found.label {
        if room.isChoice { shown.choose(choice, at: shownNumber) }
      } else if room.label != nil {
        shown.hide(.label, of: number, at: shownNumber)
      }
      if room.icon != nil, !found.icon { shown.hide(.icon, of: number, at: shownNumber) }
    }
  }

  /// Returns the claims of a layer in the order in which ``LabelPlacement`` places its symbols: by
  /// sort key; or tile by tile, the last first; and from south to north if the layer is ordered by
  /// latitude.
  private func order(
    of number: Int, _ layer: LookResolver, in group: Group
  ) -> [(list: Int, claim: Int)] {
    guard group.order.tiles != nil || group.order.isByLatitude || layer.hasSortKey else {
      return group.lists.indices.flatMap { list in
        group.lists[list].symbols.claims[number].indices.map { (list, $0) }
      }
    }
    var order: [(tile: UInt64, y: Int, key: Double, rank: Int, list: Int, claim: Int)] = []
    order.reserveCapacity(group.lists.reduce(0) { $0 + $1.symbols.claims[number].count })
    for (index, list) in group.lists.map(\.symbols).enumerated() {
      for claim in list.claims[number].indices {
        let symbol = list.claims[number].symbol(claim)
        // The last tile comes first.
        let tile = group.order.tiles.map { .max - $0.tile(x: list.xs[symbol], y: list.ys[symbol]) }
        order.append(
          (
            tile ?? 0, group.order.isByLatitude ? list.ys[symbol] : 0,
            list.sortKeys.isEmpty ? 0 : list.sortKeys[symbol], order.count, index, claim
          ))
      }
    }
    // The symbol that is drawn last is placed first.
    let isBackward = layer.isOrderedByLatitude
    let isFromLast = group.order.isFromLast != isBackward
    return order.sorted { left, right in
      if left.tile != right.tile { return left.tile < right.tile }
      if left.y != right.y { return (left.y < right.y) != isBackward }
      if left.key != right.key { return (left.key < right.key) != isBackward }
      return (left.rank < right.rank) != isFromLast
    }.map { ($0.list, $0.claim) }
  }
}

extension [LookResolver] {
  /// Returns the layers that are also among `placed`.
  func placed(among placed: [LookResolver]) -> [LookResolver] {
    filter { layer in placed.contains { $0.index == layer.index } }
  }

  /// Whether other features decide which symbols show: symbols that must be placed, or texts that
  /// must not be repeated.
  func areDecided(_ placed: [LookResolver]) -> Bool {
    !placed.isEmpty || contains { $0.layer.kind == .symbol && $0.placement == .line }
  }
}
