/// The rivers of a terrain: each cell drains to the sea by a priority flood (Barnes, Lehman and Mulla
/// 2014), and where the water of enough cells comes together is a river.
struct Drainage {
  /// A river between two confluences, from its source or to its mouth.
  struct Reach {
    /// How much water it carries.
    let flow: Int
    let line: [(Double, Double)]
  }

  /// The cells whose water a river needs.
  private static let least = 55

  /// The steps of height that the flood tells apart.
  private static let levels = 8_192

  /// How many cells drain through each cell, itself included.
  private(set) var flow: [Int]

  /// Where the water of each cell flows to; -1 at sea.
  private var below: [Int]

  /// The cells of rivers, those nearest to the sea first.
  private(set) var cells: [Int] = []

  init(of terrain: Terrain) {
    let heights = terrain.heights
    flow = heights.map { $0 > 0 ? 1 : 0 }
    below = [Int](repeating: -1, count: heights.count)
    let order = flood(heights)
    for cell in order.reversed() where flow[below[cell]] > 0 { flow[below[cell]] += flow[cell] }
    cells = order.filter { flow[$0] >= Self.least }
  }

  /// Floods the land from the sea, the lowest cell first, and lets each flow to that from which it
  /// was reached.
  ///
  /// - Returns: the cells of the land in that order.
  private mutating func flood(_ heights: [Double]) -> [Int] {
    var levels = [[Int]](repeating: [], count: Self.levels)
    var order: [Int] = []
    let isSea = heights.map { $0 == 0 }
    levels[0] = heights.indices.filter { cell in
      isSea[cell] && Self.neighbors(of: cell).contains { !isSea[$0] }
    }
    for level in levels.indices {
      var next = 0
      while next < levels[level].count {
        let cell = levels[level][next]
        next += 1
        for neighbor in Self.neighbors(of: cell) where !isSea[neighbor] && below[neighbor] < 0 {
          below[neighbor] = cell
          order.append(neighbor)
          // Without grain the rivers of an even slope would run in straight lines.
          var grain = RandomNumbers(seed: UInt64(neighbor))
          let height = heights[neighbor] + 0.07 * grain.unit()
          let own = min(Self.levels - 1, Int(height * Double(Self.levels)))
          levels[max(own, level)].append(neighbor)
        }
      }
    }
    return order
  }

  /// The four cells beside a cell, then the four at its corners; none beyond the first and last row
  /// and column.
  private static func neighbors(of cell: Int) -> [Int] {
    let width = Terrain.width
    guard (1..<(width - 1)).contains(cell % width),
      (1..<(Terrain.height - 1)).contains(cell / width)
    else { return [] }
    return [
      cell - width, cell - 1, cell + 1, cell + width, cell - width - 1, cell - width + 1,
      cell + width - 1, cell + width + 1,
    ]
  }

  /// The rivers in parts, from each source and confluence to the next confluence or the sea.
  func reaches() -> [Reach] {
    var sources: [Int: Int] = [:]
    for cell in cells { sources[below[cell], default: 0] += 1 }
    return cells.filter { sources[$0] != 1 }.compactMap { start in
      var path = [start]
      var cell = start
      repeat {
        cell = below[cell]
        path.append(cell)
      } while flow[cell] > 0 && sources[cell] == 1
      guard path.count > 3 || sources[start] != nil else { return nil }
      return Reach(
        flow: max(1, flow[path[path.count - 2]] / 60), line: line(path, endsAtSea: flow[cell] == 0))
    }
  }

  /// Smooths the steps of a path from cell to cell, but keeps its ends, at which others begin. At sea
  /// it ends halfway to the last cell, on the coast.
  private func line(_ path: [Int], endsAtSea: Bool) -> [(Double, Double)] {
    var line = path.map(Terrain.place)
    if endsAtSea {
      let (coast, sea) = (line[line.count - 2], line[line.count - 1])
      line[line.count - 1] = ((coast.0 + sea.0) / 2, (coast.1 + sea.1) / 2)
    }
    for _ in 0..<8 where line.count > 2 {
      let rough = line
      for index in 1..<(line.count - 1) {
        let (a, b, c) = (rough[index - 1], rough[index], rough[index + 1])
        line[index] = ((a.0 + 2 * b.0 + c.0) / 4, (a.1 + 2 * b.1 + c.1) / 4)
      }
    }
    // Every other point is enough.
    let last = line.count - 1
    return line.enumerated().filter { $0.offset % 2 == 0 || $0.offset == last }.map(\.element)
  }
}
