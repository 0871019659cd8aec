import Definition
import Features
import Inputs
import Platform
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

  /// The texts of the column of categories with their numbers of records.
  private(set) var categories: [String: Int] = [:]

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
    request.wanted = [roles.number, roles.category].compactMap(\.self)
    var reader = try source.reader(request)
    var batch = FeatureBatch()
    let step = max(1, count / Self.limit)
    var row = 0
    while try reader.read(into: &batch) {
      let number = roles.number.flatMap { name in batch.columns.first { $0.name == name } }
      let category = roles.category.flatMap { name in batch.columns.first { $0.name == name } }
      for index in 0..<batch.count {
        defer { row += 1 }
        guard row % step == 0 else { continue }
        add(batch.geometry, index)
        if let value = number?.number(index) { numbers.append(value) }
        if let text = category?.string(index) { countCategory(text) }
      }
      try advance(reader.bytesRead)
    }
    codes.sort()
    sides.sort()
    numbers.sort()
  }

  private mutating func countCategory(_ category: String) {
    guard categories.count < 2 * ColumnRoles.categoryLimit || categories[category] != nil else {
      return
    }
    categories[category, default: 0] += 1
  }

  private mutating func add(_ geometry: GeometryColumn, _ record: Int) {
    var box = Box<Double>(
      minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    var isShape = false
    for part in geometry.partRange(record) {
      isShape = isShape || geometry.parts[part] != .point
      for index in geometry.positionRange(part) {
        guard let point = WorldPoint(geometry.positions[index]) else { continue }
        if geometry.parts[part] == .point { codes.append(MortonCode(point).rawValue) }
        box.include(x: Double(point.x) / 0x1p32, y: Double(point.y) / 0x1p32)
      }
    }
    if isShape, !box.isEmpty { sides.append(max(box.maxX - box.minX, box.maxY - box.minY)) }
  }

  // MARK: Measures

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
