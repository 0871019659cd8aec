/// A block of compact taps as a client reads it that knows nothing but docs/taps.md.
///
/// It shares no code with the product; names and steps are those of the page.
struct PageBlock {
  struct Print {
    var layer: Int
    var kind: Int
    /// Left, top, right and bottom in 1/256 px from the anchor.
    var edges: [Int]
  }

  struct Shape {
    var tile: Int
    var kind: Int
    var layer: Int
    var feature: Int
    var half = 0
    var gap = 0
    /// Vertices in 1/16 px.
    var runs: [[(x: Int, y: Int)]] = []
  }

  struct Truncated: Error {}

  private var rest: ArraySlice<UInt8>
  private var tiles: [UInt8] = []
  private var side = 0
  private var features: [Int] = []
  private var stacks: [[Print]] = []
  private var symbols: [(stack: Int, x: Int, y: Int, feature: Int)] = []
  private var shapes: [Shape] = []

  /// Decodes the bytes of an inflated block.
  init(_ bytes: [UInt8]) throws {
    rest = bytes[...]
    guard try n() == 2 else { throw Truncated() }
    for _ in 0..<8 { tiles.append(try byte()) }
    side = try n()
    var last = 0
    for _ in 0..<(try n()) {
      last += try n()
      features.append(last)
    }
    for _ in 0..<(try n()) {
      var stack: [Print] = []
      for _ in 0..<(try n()) {
        let (layer, kind) = (try n(), try n())
        stack.append(Print(layer: layer, kind: kind, edges: [try s(), try s(), try s(), try s()]))
      }
      stacks.append(stack)
    }
    let count = try n()
    let numbers = try (0..<count).map { _ in try n() }
    let (xs, ys, places) = (try steps(count), try steps(count), try steps(count))
    symbols = (0..<count).map { (numbers[$0], xs[$0], ys[$0], features[places[$0]]) }
    try readShapes()
    guard rest.isEmpty else { throw Truncated() }
  }

  private mutating func readShapes() throws {
    var (tile, place, x, y) = (0, 0, 0, 0)
    for _ in 0..<(try n()) {
      tile += try n()
      let (kind, layer) = (try n(), try n())
      place += try s()
      var shape = Shape(tile: tile, kind: kind, layer: layer, feature: features[place])
      if kind == 3 || kind == 4 { (shape.half, shape.gap) = (try n(), try n()) }
      for _ in 0..<(kind == 0 ? 0 : try n()) {
        var run: [(x: Int, y: Int)] = []
        for _ in 0..<(try n()) {
          x += try s()
          y += try s()
          run.append((x, y))
        }
        shape.runs.append(run)
      }
      shapes.append(shape)
    }
  }

  private mutating func byte() throws -> UInt8 {
    guard let byte = rest.popFirst() else { throw Truncated() }
    return byte
  }

  private mutating func n() throws -> Int {
    var (value, shift) = (0, 0)
    while true {
      let byte = try byte()
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  private mutating func s() throws -> Int {
    let value = try n()
    return value % 2 == 0 ? value / 2 : -(value + 1) / 2
  }

  private mutating func steps(_ count: Int) throws -> [Int] {
    var last = 0
    return try (0..<count).map { _ in
      last += try s()
      return last
    }
  }

  // MARK: Answers

  /// Returns the feature at a place in px from the block's north-west corner.
  func answer(x: Double, y: Double) -> Int? {
    let (column, row) = (
      Int((x / Double(side)).rounded(.down)), Int((y / Double(side)).rounded(.down))
    )
    guard (0..<8).contains(column), (0..<8).contains(row) else { return nil }
    let tile = 8 * row + column
    guard tiles[tile / 8] >> (tile % 8) & 1 == 1 else { return nil }
    var best: (rank: (Int, Int), feature: Int)?
    func offer(_ rank: (Int, Int), _ feature: Int, _ isInside: Bool) {
      if isInside, best.map({ rank >= $0.rank }) ?? true { best = (rank, feature) }
    }
    for symbol in symbols {
      for print in stacks[symbol.stack] {
        offer((print.layer, 0), symbol.feature, isInside(print, symbol.x, symbol.y, x, y))
      }
    }
    for shape in shapes where shape.tile == tile {
      let area = shape.kind == 0 || shape.kind == 1
      offer(
        (shape.layer, area ? 2 : shape.kind == 2 ? 1 : 0), shape.feature, isInside(shape, x, y))
    }
    return best?.feature
  }

  private func isInside(
    _ print: Print, _ anchorX: Int, _ anchorY: Int, _ x: Double, _ y: Double
  ) -> Bool {
    func rounded(_ value: Int) -> Int { Int((Double(value) / 16).rounded(.down)) * 16 }
    let onPixel = print.kind & 2 != 0
    let anchor = [onPixel ? rounded(anchorX) : anchorX, onPixel ? rounded(anchorY) : anchorY]
    let edges = (0..<4).map { Double(anchor[$0 % 2]) / 16 + Double(print.edges[$0]) / 256 }
    guard print.kind & 1 != 0 else {
      return x >= edges[0] && x < edges[2] && y >= edges[1] && y < edges[3]
    }
    let (middleX, middleY) = ((edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2)
    let radius = (edges[2] - edges[0]) / 2
    return (x - middleX) * (x - middleX) + (y - middleY) * (y - middleY) < radius * radius
  }

  private func isInside(_ shape: Shape, _ x: Double, _ y: Double) -> Bool {
    let runs = shape.runs.map { $0.map { (x: Double($0.x) / 16, y: Double($0.y) / 16) } }
    switch shape.kind {
    case 0: return true
    case 1:
      var crossings = 0
      for ring in runs {
        for (index, end) in ring.enumerated() {
          let start = ring[(index + ring.count - 1) % ring.count]
          guard (start.y > y) != (end.y > y) else { continue }
          if start.x + (y - start.y) / (end.y - start.y) * (end.x - start.x) > x { crossings += 1 }
        }
      }
      return crossings % 2 == 1
    case 2:
      let corner = runs[0][0]
      return x >= corner.x && x < corner.x + 1 && y >= corner.y && y < corner.y + 1
    default:
      let distance = runs.map { Self.distance(from: $0, x, y) }.min() ?? .infinity
      return distance < Double(shape.half) / 256
        && (shape.gap == 0 || distance > Double(shape.gap) / 256)
    }
  }

  private static func distance(
    from run: [(x: Double, y: Double)], _ x: Double, _ y: Double
  ) -> Double {
    var least = Double.infinity
    for (index, end) in run.enumerated() {
      let start = run[max(0, index - 1)]
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let square = dx * dx + dy * dy
      let along = square == 0 ? 0 : ((x - start.x) * dx + (y - start.y) * dy) / square
      let share = max(0, min(1, along))
      let (ex, ey) = (x - start.x - share * dx, y - start.y - share * dy)
      least = min(least, (ex * ex + ey * ey).squareRoot())
    }
    return least
  }
}
