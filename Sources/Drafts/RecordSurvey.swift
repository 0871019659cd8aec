import Definition
import Examination
import Features
import Ingest
import Inputs
import Platform
import RecordChanges
import SpatialIndex
import Tiling

/// A sample of a source's records: where its points lie, how large its shapes are, and the values
/// that decide colours.
struct RecordSurvey {
  /// The codes of the points.
  private var codes: [UInt64] = []

  /// The greater side of the box of each line or polygon, as a fraction of the world's width.
  private var sides: [Double] = []

  /// The numbers of the column that is surveyed.
  private(set) var numbers: [Double] = []

  /// The numbers of the column that decides sizes, if it is another one.
  private(set) var sizes: [Double] = []

  /// The texts of the column of categories with their numbers of records.
  private(set) var categories: [String: Int] = [:]

  /// The first and the last instant of the records, in seconds since 1970-01-01T00:00:00Z; `nil` where a
  /// record has none.
  private(set) var instants: ClosedRange<Int64>?

  /// The box of all points, as fractions of the world's width.
  private var extent = Box<Double>.empty

  /// The box of all positions, as fractions of the world's width from its north-west corner.
  private(set) var reach = Box<Double>.empty

  /// The last point of each track, and the lengths of the ways between points that follow each other.
  private var lastPoints: [String: (x: Double, y: Double)] = [:]
  private var way = (steps: 0, moves: 0, length: 0.0)

  /// The most tracks that are followed.
  private static let trackLimit = 10_000

  /// The most records that are looked at; a larger source is sampled evenly.
  private static let limit = 400_000

  /// Reads a source once.
  ///
  /// - Parameters:
  ///   - count: the number of records of the source.
  ///   - advance: called after each batch; throwing ends the work.
  /// - Complexity: O(bytes of the file).
  init(
    _ source: ResolvedSource, roles: ColumnRoles, count: Int, advance: (Int) throws -> Void
  ) throws {
    var request = ReadRequest()
    request.wanted = [
      roles.number, roles.size, roles.category, roles.track?.by, roles.instants,
    ].compactMap(\.self)
    var times: (first: Int64, last: Int64, areWhole: Bool) = (.max, .min, roles.instants != nil)
    var reader = try source.reader(request)
    var batch = FeatureBatch()
    let step = max(1, count / Self.limit)
    var row = 0
    while try reader.read(into: &batch) {
      func column(_ name: String?) -> PropertyColumn? {
        name.flatMap { name in batch.columns.first { $0.name == name } }
      }
      func value(_ column: PropertyColumn?, _ index: Int) -> Double? {
        guard let column else { return nil }
        return column.number(index)
          ?? roles.spellings[column.name].flatMap { column.text(index).flatMap($0.number) }
      }
      let number = column(roles.number)
      let size = column(roles.size)
      let category = column(roles.category)
      let track = column(roles.track?.by)
      let instants = column(roles.instants)
      for index in 0..<batch.count {
        defer { row += 1 }
        // A sum below a table has no place.
        guard row % step == 0, !batch.geometry.partRange(index).isEmpty else { continue }
        add(batch.geometry, index)
        if roles.track != nil { follow(batch.geometry, index, of: track?.text(index) ?? "") }
        if let value = value(number, index) { numbers.append(value) }
        if let value = value(size, index) { sizes.append(value) }
        if let text = category?.text(index) { countCategory(text) }
        guard times.areWhole, let instant = instants?.instant(index) else {
          times.areWhole = false
          continue
        }
        times = (min(times.first, instant), max(times.last, instant), true)
      }
      try advance(reader.bytesRead)
    }
    if times.areWhole, times.first <= times.last { instants = times.first...times.last }
    codes.sort()
    sides.sort()
    numbers.sort()
    sizes.sort()
  }

  /// The most texts that are counted.
  private static let categoryLimit = 64

  /// Follows a track to its next point.
  private mutating func follow(_ geometry: GeometryColumn, _ record: Int, of track: String) {
    guard let part = geometry.partRange(record).first, geometry.parts[part] == .point,
      let position = geometry.positionRange(part).first,
      let point = WorldPoint(geometry.positions[position])
    else { return }
    let (x, y) = (Double(point.x) / 0x1p32, Double(point.y) / 0x1p32)
    extent.include(x: x, y: y)
    if let last = lastPoints[track] {
      let length = ((x - last.x) * (x - last.x) + (y - last.y) * (y - last.y)).squareRoot()
      way.steps += 1
      way.length += length
      if length > 0 { way.moves += 1 }
    }
    if lastPoints.count < Self.trackLimit || lastPoints[track] != nil { lastPoints[track] = (x, y) }
  }

  private mutating func countCategory(_ category: String) {
    guard categories.count < Self.categoryLimit || categories[category] != nil else {
      return
    }
    categories[category, default: 0] += 1
  }

  private mutating func add(_ geometry: GeometryColumn, _ record: Int) {
    var box = Box<Double>.empty
    var isShape = false
    for part in geometry.partRange(record) {
      isShape = isShape || geometry.parts[part] != .point
      for index in geometry.positionRange(part) {
        guard let point = WorldPoint(geometry.positions[index]) else { continue }
        if geometry.parts[part] == .point { codes.append(MortonCode(point).rawValue) }
        box.include(x: Double(point.x) / 0x1p32, y: Double(point.y) / 0x1p32)
        reach.include(x: Double(point.x) / 0x1p32, y: Double(point.y) / 0x1p32)
      }
    }
    if isShape, !box.isEmpty { sides.append(max(box.maxX - box.minX, box.maxY - box.minY)) }
  }

  // MARK: Measures

  /// The number of tracks if points follow one another in small steps, as the vertices of tracks do;
  /// `nil` for points that are scattered or stay where they are.
  var trackCount: Int? {
    let width = max(extent.maxX - extent.minX, extent.maxY - extent.minY)
    guard way.steps >= 10, way.moves * 10 >= way.steps * 7, width > 0,
      way.length / Double(way.steps) <= width * (lastPoints.count > 1 ? 0.1 : 0.04)
    else { return nil }
    return lastPoints.count
  }

  /// Returns the first zoom at which nine of ten points have a square of 64 px to themselves; points
  /// at one place count as one.
  ///
  /// - Complexity: O(points) per zoom.
  var separationZoom: Int {
    let places = Self.distinct(codes, shift: 0)
    for zoom in 0..<TileCoord.maxZoom {
      // A tile of 256 px has 4 × 4 such squares.
      let squares = Self.distinct(codes, shift: 64 - 2 * (zoom + 2))
      if squares * 10 >= places * 9 { return zoom }
    }
    return TileCoord.maxZoom
  }

  private static func distinct(_ codes: [UInt64], shift: Int) -> Int {
    var count = 0
    var last: UInt64?
    for code in codes {
      let cell = code >> UInt64(shift)
      if cell != last { count += 1 }
      last = cell
    }
    return count
  }

  /// Returns the first zoom at which the middle one of the shapes, by size, is at least as wide or
  /// high as a number of pixels; `nil` without shapes.
  func zoom(showing pixels: Double) -> Int? {
    guard !sides.isEmpty else { return nil }
    let side = max(sides[sides.count / 2], 1e-9)
    let zoom = log2(pixels / (256 * side)).rounded(.up)
    return Int(min(max(zoom, 0), Double(TileCoord.maxZoom)))
  }
}
