import TapReading

/// A box in tiles of a zoom. Places within it count eastward from its west edge, and southward from the
/// map's north edge.
struct TileBox: Sendable {
  let zoom: Int

  /// The number of tiles along a side of the map.
  private let count: Int
  private let west: Double
  private let width: Double
  private let north: Double
  private let south: Double
  private var features: [UInt64: Found] = [:]

  /// The most blocks that one question reads.
  private static let blockLimit = 64

  /// The parts of a feature in the box.
  private struct Found: Sendable {
    var layer: Int
    /// The symbol that is nearest to the middle.
    var symbol: (x: Double, y: Double)?
    /// The part of lines and areas.
    var part: (west: Double, north: Double, east: Double, south: Double)?

    var place: (x: Double, y: Double) {
      if let symbol { return symbol }
      guard let part else { return (0, 0) }
      return ((part.west + part.east) / 2, (part.north + part.south) / 2)
    }
  }

  init(_ box: MapBox, zoom: Int) {
    self.zoom = zoom
    count = 1 << zoom
    let side = Double(count)
    west = Self.modulo((box.west + 180) / 360, 1) * side
    width =
      box.east - box.west >= 360 ? side : Self.modulo(box.east - box.west, 360) / 360 * side
    func row(_ latitude: Double) -> Double {
      let limit = MapCoordinate.maxLatitude
      let place = MapCoordinate(longitude: 0, latitude: min(max(latitude, -limit), limit))
      return (place.world?.y ?? 0) * side
    }
    (north, south) = (row(box.north), row(box.south))
  }

  /// Returns the rest of a division, which is never negative.
  static func modulo(_ number: Double, _ divisor: Double) -> Double {
    let rest = number.truncatingRemainder(dividingBy: divisor)
    return rest < 0 ? rest + divisor : rest
  }

  /// Returns the blocks that hold a tile of the box, or one beside such a tile.
  func blocks() throws(ClientError) -> [(column: Int, row: Int)] {
    guard west.isFinite, width.isFinite, north.isFinite, south.isFinite else { return [] }
    let first = Int(west.rounded(.down)) - 1
    let last = Int((west + width).rounded(.down)) + 1
    let bits = TapBlock.sideBits
    let rows =
      max(Int(north.rounded(.down)) - 1, 0) >> bits...min(
        Int(south.rounded(.down)) + 1, count - 1) >> bits
    let spans =
      last - first + 1 >= count
      ? [0...count - 1]
      : first < 0
        ? [first + count...count - 1, 0...last]
        : last >= count ? [first...count - 1, 0...last - count] : [first...last]
    let blocks = spans.map { ($0.lowerBound >> bits)...($0.upperBound >> bits) }
    let total = blocks.reduce(0) { $0 + $1.count } * rows.count
    guard total <= Self.blockLimit else { throw ClientError.boxTooLarge(blocks: total) }
    let columns = Set(blocks.joined()).sorted()
    return rows.flatMap { row in columns.map { ($0, row) } }
  }

  /// Adds what a block has in the box.
  ///
  /// - Parameter corner: the block's north-west tile.
  mutating func add(_ block: TapBlock, at corner: TileAddress) {
    let unit = Double(TapBlock.steps * block.tileSide)
    let layers = block.stacks.map { $0.reduce(0) { max($0, Int($1.layer)) } }
    let symbols = block.symbols
    for index in 0..<symbols.count {
      let column = Double(corner.column) + Double(symbols.xs[index]) / unit
      let x = Self.modulo(column - west, Double(count))
      let y = Double(corner.row) + Double(symbols.ys[index]) / unit
      guard x <= width, north <= y, y <= south else { continue }
      let layer = layers[Int(symbols.stacks[index])]
      var found = known(symbols.features[index], layer)
      if found.symbol.map({ isNearer((x, y), $0) }) ?? true { found.symbol = (x, y) }
      features[symbols.features[index]] = found
    }
    var run = 0
    for shape in block.shapes {
      defer { run += Int(shape.runs) }
      guard block.tiles >> UInt64(shape.tile) & 1 == 1 else { continue }
      let vertices = (run..<run + Int(shape.runs)).lazy.flatMap { block.vertexRange(ofRun: $0) }
        .map { block.vertices[$0] }
      add(shape, vertices, unit: unit, at: corner)
    }
  }

  private mutating func add(
    _ shape: TapShape, _ vertices: some Sequence<TapVertex>, unit: Double, at corner: TileAddress
  ) {
    let (tileX, tileY) = (
      Double(Int(shape.tile) % TapBlock.side), Double(Int(shape.tile) / TapBlock.side)
    )
    var (left, top, right, bottom) = (tileX, tileY, tileX + 1, tileY + 1)
    if shape.kind != .wholeTile {
      (left, top, right, bottom) = (.infinity, .infinity, -.infinity, -.infinity)
      for vertex in vertices {
        (left, top) = (min(left, Double(vertex.x) / unit), min(top, Double(vertex.y) / unit))
        (right, bottom) = (
          max(right, Double(vertex.x) / unit), max(bottom, Double(vertex.y) / unit)
        )
      }
      let pixel = shape.kind == .speck ? Double(TapBlock.steps) / unit : 0
      (left, top) = (max(left, tileX), max(top, tileY))
      (right, bottom) = (min(right + pixel, tileX + 1), min(bottom + pixel, tileY + 1))
      guard left <= right, top <= bottom else { return }
    }
    let begin = Self.modulo(Double(corner.column) + left - west, Double(count))
    // A rectangle that begins west of the box may reach into it.
    let isInside = begin <= width
    let start = isInside ? begin : 0
    let end = min(begin + right - left - (isInside ? 0 : Double(count)), width)
    let above = max(Double(corner.row) + top, north)
    let below = min(Double(corner.row) + bottom, south)
    guard start <= end, above <= below else { return }
    var found = known(shape.feature, Int(shape.layer))
    let old = found.part ?? (start, above, end, below)
    found.part = (
      min(old.west, start), min(old.north, above), max(old.east, end), max(old.south, below)
    )
    features[shape.feature] = found
  }

  /// Returns what is known of a feature, which a layer shows.
  private func known(_ feature: UInt64, _ layer: Int) -> Found {
    var found = features[feature] ?? Found(layer: layer)
    found.layer = max(found.layer, layer)
    return found
  }

  /// Whether a place is nearer to the middle than another one, or as near and farther north or west.
  private func isNearer(_ one: (x: Double, y: Double), _ other: (x: Double, y: Double)) -> Bool {
    (distance(one), one.y, one.x) < (distance(other), other.y, other.x)
  }

  private func distance(_ place: (x: Double, y: Double)) -> Double {
    let (x, y) = (place.x - width / 2, place.y - (north + south) / 2)
    return x * x + y * y
  }

  /// The features in the box, the nearest to its middle first.
  var nearest: [(feature: UInt64, layer: Int, x: Double, y: Double)] {
    features.map { ($0, $1.layer, $1.place, distance($1.place)) }
      .sorted { ($0.3, $0.0) < ($1.3, $1.0) }
      .map { ($0.0, $0.1, $0.2.x, $0.2.y) }
  }

  /// Returns the nearest features as entries.
  ///
  /// - Parameter taps: what is known of them; those without are left out.
  func entries(limit: Int, _ taps: [UInt64: Tap]) -> [MapEntry] {
    nearest.prefix(max(limit, 0)).compactMap { one in
      guard let tap = taps[one.feature] else { return nil }
      return MapEntry(
        coordinate: coordinate(one.x, one.y), count: tap.cluster?.count ?? 1, layer: one.layer,
        tap: tap)
    }
  }

  private func coordinate(_ x: Double, _ y: Double) -> MapCoordinate {
    let side = Double(count)
    return MapCoordinate(
      longitude: Self.modulo((west + x) / side, 1) * 360 - 180,
      latitude: MapCoordinate.latitude(ofShare: y / side))
  }
}
