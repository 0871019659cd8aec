/// The blocks of the plan of 1811, cut by Broadway and by the edges of the built land.
struct GridBlocks {
  /// Feet from Broadway's middle to its houses, along a cross street.
  private static let broadwayHalf = 44.0
  private static let leastWidth = 45.0

  /// What lies between two streets: the y of its faces, and of the streets' middles, in feet.
  private struct Row {
    var street: Int
    var south: Double
    var north: Double
  }

  /// A stretch of a row between two roads, in feet.
  private struct Span {
    var west: Double
    var east: Double
    var westRoad: String
    var eastRoad: String
    var westFirst: Int
    var eastFirst: Int
    var cuts: [Cut] = []
  }

  private let broadway = Manhattan.broadway.map {
    Manhattan.plane.point(longitude: $0.longitude, latitude: $0.latitude)
  }.map { (y: Double($0.y) / 100, x: Double($0.x) / 100) }

  private let westEdge = Manhattan.edges.map { (y: Manhattan.middles[$0.street], x: $0.west) }
  private let eastEdge = Manhattan.edges.map { (y: Manhattan.middles[$0.street], x: $0.east) }

  /// From south to north, west to east.
  ///
  /// - Complexity: O(streets · avenues).
  func blocks() -> [CityBlock] {
    var blocks: [CityBlock] = []
    for street in Manhattan.streets.dropLast() {
      let row = row(from: street, to: street + 1)
      for span in spans(of: row).flatMap({ parted($0, row) }) {
        let (x, y) = ((span.west + span.east) / 2, (row.south + row.north) / 2)
        let taken = Manhattan.parks + Manhattan.campuses
        guard !taken.contains(where: { $0.contains(x: x, y: y) }) else { continue }
        if let block = block(span, row) { blocks.append(block) }
      }
      for campus in Manhattan.campuses where campus.streets.lowerBound == street {
        if let block = block(campus) { blocks.append(block) }
      }
    }
    return blocks
  }

  private func row(from south: Int, to north: Int) -> Row {
    Row(
      street: south,
      south: Manhattan.middles[south] + Manhattan.width(ofStreet: south) / 2,
      north: Manhattan.middles[north] - Manhattan.width(ofStreet: north) / 2)
  }

  private func block(_ campus: Manhattan.Ground) -> CityBlock? {
    let row = row(from: campus.streets.lowerBound, to: campus.streets.upperBound)
    let span = Span(
      west: campus.x.lowerBound + 50, east: campus.x.upperBound - 50, westRoad: campus.name,
      eastRoad: campus.name, westFirst: 0, eastFirst: 0)
    // The longest part: what Broadway cuts off is not the estate's.
    let parts = parted(span, row)
    guard let part = parts.max(by: { $0.east - $0.west < $1.east - $1.west }) else { return nil }
    var block = block(part, row)
    block?.isCampus = true
    return block
  }

  // MARK: Spans

  private func spans(of row: Row) -> [Span] {
    let open = Manhattan.avenues.filter {
      $0.streets.lowerBound <= row.street && row.street < $0.streets.upperBound
    }.sorted { $0.x < $1.x }
    var spans: [Span] = []
    // The river ends the last blocks; below 14th Street, Greenwich Village does in the west.
    if let first = open.first, row.street >= 14 {
      spans.append(
        Span(
          west: first.x - 2000, east: first.x - first.width / 2, westRoad: "Riverside Drive",
          eastRoad: first.name, westFirst: 0, eastFirst: first.first))
    }
    for (west, east) in zip(open, open.dropFirst()) {
      spans.append(
        Span(
          west: west.x + west.width / 2, east: east.x - east.width / 2, westRoad: west.name,
          eastRoad: east.name, westFirst: west.first, eastFirst: east.first))
    }
    if let last = open.last {
      spans.append(
        Span(
          west: last.x + last.width / 2, east: last.x + 2000, westRoad: last.name,
          eastRoad: "East River Drive", westFirst: last.first, eastFirst: 0))
    }
    return spans
  }

  /// What Broadway and the edges of the built land leave of a span.
  private func parted(_ span: Span, _ row: Row) -> [Span] {
    var span = span
    clip(&span.west, &span.cuts, eastOf: westEdge, row)
    clip(&span.east, &span.cuts, westOf: eastEdge, row)
    let middle = (Self.x(of: broadway, at: row.south), Self.x(of: broadway, at: row.north))
    let half = Self.broadwayHalf
    guard max(middle.0, middle.1) + half > span.west, min(middle.0, middle.1) - half < span.east
    else { return [span].filter(isWideEnough) }
    var left = span
    var right = span
    clip(&left.east, &left.cuts, westOf: broadway.map { (y: $0.y, x: $0.x - half) }, row)
    clip(&right.west, &right.cuts, eastOf: broadway.map { (y: $0.y, x: $0.x + half) }, row)
    if left.east < span.east || left.cuts.count > span.cuts.count {
      (left.eastRoad, left.eastFirst) = ("Broadway", -30)
    }
    if right.west > span.west || right.cuts.count > span.cuts.count {
      (right.westRoad, right.westFirst) = ("Broadway", -30)
    }
    return [left, right].filter(isWideEnough)
  }

  private func isWideEnough(_ span: Span) -> Bool { span.east - span.west >= Self.leastWidth }

  private func clip(
    _ west: inout Double, _ cuts: inout [Cut], eastOf line: [(y: Double, x: Double)], _ row: Row
  ) {
    let ends = (Self.x(of: line, at: row.south), Self.x(of: line, at: row.north))
    if max(ends.0, ends.1) <= west { return }
    west = max(west, min(ends.0, ends.1).rounded())
    cuts.append(
      Cut(
        start: PlanePoint(x: feet(ends.1), y: feet(row.north)),
        end: PlanePoint(x: feet(ends.0), y: feet(row.south))))
  }

  private func clip(
    _ east: inout Double, _ cuts: inout [Cut], westOf line: [(y: Double, x: Double)], _ row: Row
  ) {
    let ends = (Self.x(of: line, at: row.south), Self.x(of: line, at: row.north))
    if min(ends.0, ends.1) >= east { return }
    east = min(east, max(ends.0, ends.1).rounded())
    cuts.append(
      Cut(
        start: PlanePoint(x: feet(ends.0), y: feet(row.south)),
        end: PlanePoint(x: feet(ends.1), y: feet(row.north))))
  }

  /// Where a line that goes from south to north is at some y; straight on beyond its ends.
  private static func x(of line: [(y: Double, x: Double)], at y: Double) -> Double {
    let next = line.firstIndex { $0.y > y } ?? line.count - 1
    let (from, to) = (line[max(1, next) - 1], line[max(1, next)])
    return from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y)
  }

  // MARK: Addresses

  private func block(_ span: Span, _ row: Row) -> CityBlock? {
    guard isWideEnough(span) else { return nil }
    let isWest = span.west + span.east < 0
    let numbers = (Self.number(at: span.west), Self.number(at: span.east))
    func along(_ first: Int) -> (Int, Int) {
      let from = max(1, (row.street - first) * 20)
      return (from, from + 18)
    }
    func road(_ street: Int) -> String {
      street == 0
        ? "\(isWest ? "West" : "East") Houston Street"
        : "\(isWest ? "West" : "East") \(street) Street"
    }
    return CityBlock(
      plane: Manhattan.plane, west: feet(span.west), south: feet(row.south),
      east: feet(span.east), north: feet(row.north), cuts: span.cuts,
      southFrontage: Frontage(road: road(row.street), numbers: numbers, isOdd: true),
      northFrontage: Frontage(road: road(row.street + 1), numbers: numbers, isOdd: false),
      westFrontage: Frontage(
        road: span.westRoad, numbers: along(span.westFirst), isOdd: false),
      eastFrontage: Frontage(
        road: span.eastRoad, numbers: along(span.eastFirst), isOdd: true))
  }

  /// The number of a house that many feet from Fifth Avenue.
  private static func number(at x: Double) -> Int {
    let table = x < 0 ? Manhattan.westNumbers : Manhattan.eastNumbers
    let distance = min(x < 0 ? -x : x, 7999)
    let next = table.firstIndex { $0.x > distance } ?? table.count - 1
    let (from, to) = (table[next - 1], table[next])
    let share = (distance - from.x) / (to.x - from.x)
    return Int(from.number + (to.number - from.number) * share)
  }
}
