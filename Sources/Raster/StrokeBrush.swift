/// A brush that paints edges, joins and disks of lines into a plane by the profile of their
/// distances.
///
/// A pixel's value depends only on whole-number differences between its centre and vertices; the
/// plane's borders merely exclude pixels.
struct StrokeBrush {
  /// The side of the line's direction that is painted.
  enum Side: Int {
    case left = -1
    case both = 0
    case right = 1
  }

  let bytes: UnsafeMutablePointer<UInt8>
  let bounds: UnsafeMutablePointer<(lower: Int32, upper: Int32)>
  let width: Int
  let height: Int
  private let painted: PaintedEdges.Memory

  /// The rows painted so far.
  private(set) var rows = 0..<0

  init?(_ plane: borrowing CoveragePlane) {
    guard let bytes = plane.bytes.baseAddress, let bounds = plane.touched.bounds.baseAddress
    else { return nil }
    self.bytes = bytes
    self.bounds = bounds
    width = plane.width
    height = plane.height
    painted = plane.painted.memory
  }

  /// Paints an edge up to its ends, and its dashes; all edges that both sides of are painted at
  /// once have one profile until the plane is empty again.
  ///
  /// - Complexity: O(pixels nearer than the profile's reach).
  mutating func paint(
    _ edge: StrokeEdge, _ profile: StrokeProfile, side: Side, dashes: DashPattern?
  ) {
    if side != .both {
      paint(edge, profile, BentShare(edge: edge, dashes: dashes), side)
    } else if let dashes {
      paint(edge, profile, DashedShare(edge: edge, dashes: dashes), side)
    } else if edge.isCut {
      paint(edge, profile, CutShare(edge: edge), side)
    } else if !painted.knows(edge) {
      paint(edge, profile, WholeShare(), side)
    }
  }

  /// Paints an edge; this loop is specialized for each kind of share: the one for whole edges, whose
  /// both sides are painted, is all that solid lines need.
  @inline(__always)
  private mutating func paint(
    _ edge: StrokeEdge, _ profile: StrokeProfile, _ share: some StrokeShare,
    _ side: Side
  ) {
    guard let scan = StrokeScan(edge, reach: profile.reach, height: height) else { return }
    let along = edge.along
    let span = UInt(bitPattern: along.upperBound &- along.lowerBound)
    let scale = profile.scale * edge.inverseLength
    let base = profile.base * profile.scale
    let last = Double(profile.count &- 1)
    let table = profile.table + edge.slopeClass &* profile.stride
    for row in scan.rows {
      let columns = scan.columns(row: row, width: width)
      guard !columns.isEmpty else { continue }
      touch(row, columns)
      let py = row &* 256 &+ 128 &- edge.y
      let px = columns.lowerBound &* 256 &+ 128 &- edge.x
      var across = py &* edge.dx &- px &* edge.dy
      var dot = px &* edge.dx &+ py &* edge.dy
      let line = bytes + row &* width
      for column in columns {
        let isNear = UInt(bitPattern: dot &- along.lowerBound) <= span
        if share.isWhole {
          // Without a branch: which pixels are near, and which are covered already, is hard to
          // predict.
          let step = min(max(Double(across).magnitude * scale - base, 0), last)
          let value = table[StrokeProfile.nearestIndex(step)] & (isNear ? 255 : 0)
          line[column] = max(line[column], value)
        } else if isNear, across &* side.rawValue >= 0 {
          let step = min(max(Double(across).magnitude * scale - base, 0), last)
          let value = table[StrokeProfile.nearestIndex(step)]
          if value > line[column] {
            let px = column &* 256 &+ 128 &- edge.x
            let area = share.area(px, py, Double(dot) * edge.inverseLength / 256)
            let left = UInt8(truncatingIfNeeded: Int(Double(value) * area + 0.5))
            line[column] = max(line[column], left)
          }
        }
        across = across &- 256 &* edge.dy
        dot = dot &+ 256 &* edge.dx
      }
    }
    note(scan.rows)
  }

  /// Paints the pixels whose centre lies beyond the end of one edge and before the start of the next.
  ///
  /// - Parameter outset: the distance in pixels from the line to the side that a bevel cuts off;
  ///   nil for a line beside the geometry.
  /// - Complexity: O(pixels within the miter's length).
  mutating func paint(_ join: StrokeJoin, _ profile: StrokeProfile, side: Side, outset: Double?) {
    guard side.rawValue * join.outerSide >= 0 else { return }
    let reach = Int(profile.reach * join.tipRatio * 256) + 1
    let rows = pixels(join.y, reach, limit: height)
    let columns = pixels(join.x, reach, limit: width)
    guard !rows.isEmpty, !columns.isEmpty else { return }
    for row in rows {
      let py = row &* 256 &+ 128 &- join.y
      let line = bytes + row &* width
      for column in columns {
        let px = column &* 256 &+ 128 &- join.x
        guard join.contains(px, py) else { continue }
        let value = join.value(px, py, profile, outset: outset)
        guard value > line[column] else { continue }
        line[column] = value
        touch(row, column..<(column &+ 1))
      }
    }
    note(rows)
  }

  /// Paints a disk whose centre is (`dx`, `dy`) from a vertex (`x`, `y`), all in 1/256 px.
  ///
  /// - Complexity: O(pixels of the disk).
  mutating func paintDisk(_ x: Int, _ y: Int, dx: Double, dy: Double, _ profile: StrokeProfile) {
    let reach = Int(profile.reach * 256) + 1
    let rows = pixels(y + Int(dy), reach + 1, limit: height)
    let columns = pixels(x + Int(dx), reach + 1, limit: width)
    guard !rows.isEmpty, !columns.isEmpty else { return }
    for row in rows {
      let py = Double(row &* 256 &+ 128 &- y) - dy
      for column in columns {
        let px = Double(column &* 256 &+ 128 &- x) - dx
        let value = profile.value(
          slopeClass: StrokeProfile.slopeClass(px, py),
          distance: (px * px + py * py).squareRoot())
        guard value > bytes[row &* width &+ column] else { continue }
        bytes[row &* width &+ column] = value
        touch(row, column..<(column &+ 1))
      }
    }
    note(rows)
  }

  /// Returns the rows or columns of the plane whose centres are near a position, all in 1/256 px.
  private func pixels(_ center: Int, _ reach: Int, limit: Int) -> Range<Int> {
    let first = max((center &- reach &+ 127) >> 8, 0)
    return first..<max(min(((center &+ reach &- 128) >> 8) &+ 1, limit), first)
  }

  @inline(__always)
  private func touch(_ row: Int, _ columns: Range<Int>) {
    let old = bounds[row]
    bounds[row] = (
      min(old.lower, Int32(truncatingIfNeeded: columns.lowerBound)),
      max(old.upper, Int32(truncatingIfNeeded: columns.upperBound))
    )
  }

  private mutating func note(_ painted: Range<Int>) {
    rows =
      rows.isEmpty
      ? painted
      : min(rows.lowerBound, painted.lowerBound)..<max(rows.upperBound, painted.upperBound)
  }
}

/// The share of a pixel that an edge's ends and dashes leave.
protocol StrokeShare {
  /// Whether every pixel is left whole.
  var isWhole: Bool { get }

  /// Returns the share of a pixel that is left, 0 … 1.
  ///
  /// - Parameters:
  ///   - px: the horizontal distance of the pixel's centre from the edge's first vertex, in 1/256
  ///     px.
  ///   - py: the vertical distance, likewise, downward.
  ///   - distance: the distance in pixels along the edge from its first vertex.
  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double
}

/// The whole of each pixel: an edge between two others.
struct WholeShare: StrokeShare {
  var isWhole: Bool { true }

  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double { 1 }
}

/// The part of a pixel that is not beyond a line's end.
struct CutShare: StrokeShare {
  let edge: StrokeEdge
  var isWhole: Bool { false }

  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double { edge.endArea(at: distance) }
}

/// The part of a pixel that lies on dashes.
struct DashedShare: StrokeShare {
  let edge: StrokeEdge
  let dashes: DashPattern
  var isWhole: Bool { false }

  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double {
    edge.dashedArea(at: distance, dashes)
  }
}

/// The part of a pixel on this edge's side of the bisectors of its bends, and on dashes if there
/// are any: lines beside their geometry.
struct BentShare: StrokeShare {
  let edge: StrokeEdge
  let dashes: DashPattern?
  var isWhole: Bool { false }

  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double {
    guard edge.ownsBend(px, py) else { return 0 }
    guard let dashes else { return edge.endArea(at: distance) }
    return edge.dashedArea(at: distance, dashes)
  }
}
