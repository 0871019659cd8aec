import Clustering
import Features
import Foundation
import Scenes
import SourceStages
import Tiling

@testable import Baking

/// What a ``TapSample`` shows at a place, by looking at every feature: no tile, no scene, no index.
///
/// A place within ``doubt`` px of an edge may be either: drawing rounds positions to 1/16 px, leaves
/// out what is too faint to see, and simplifies shapes.
struct TapModel {
  static let doubt = 0.75

  /// Whether something is drawn in a cell.
  enum Presence { case inside, outside, doubtful }

  /// Something that is drawn: the greater its rank, the higher.
  struct Drawn {
    /// Layer; for areas 0 where they only reach into the cell, 1 where they have its middle; order.
    let rank: (Int, Int, Int)
    let key: String
    let presence: Presence
  }

  private let zoom: Int
  private let grid: PixelGrid
  private let inns: [(x: Double, y: Double, radius: Double, key: String)]
  private let squares: [(ring: [(x: Double, y: Double)], key: String)]
  private let road: [(x: Double, y: Double)]

  init(_ sources: [ClusteredSource], zoom: Int) throws {
    self.zoom = zoom
    let grid = PixelGrid(zoom: zoom)
    self.grid = grid
    let source = sources[0].source
    let level = zoom <= TapSample.clusterMaxZoom ? sources[0].pyramid?.level(zoom) : nil
    let count = level?.count ?? source.points.count
    inns = (0..<count).map { row in
      let isCluster = level?.isCluster(row) ?? false
      let center = grid.symbolCenter(level?.positions[row] ?? source.points.positions[row])
      let member = level.map { Int($0.firstMembers[row]) } ?? row
      let id = source.points.records.id(member) ?? ""
      let key =
        isCluster
        ? FeatureKey(source: "inns", layer: "", feature: "\(level?.ids[row] ?? 0)").description
          + ".\(zoom)" : FeatureKey(source: "inns", layer: "", feature: id).description
      let ring = TapSample.ring
      return (
        Double(center.x) / 16, Double(center.y) / 16,
        (isCluster ? ring.cluster : ring.point) + ring.stroke, key
      )
    }
    func place(_ position: LngLat) -> (x: Double, y: Double) {
      let side = Double(grid.worldPixels)
      let north = WorldPoint(LngLat(longitude: 0, latitude: position.latitude))?.y ?? 0
      return ((position.longitude + 180) / 360 * side, Double(north) / 0x1p32 * side)
    }
    squares = TapSample.squares.map {
      (
        $0.ring.map(place),
        FeatureKey(source: "land", layer: "", feature: $0.id).description
      )
    }
    road = TapSample.road.map(place)
  }

  /// All that may be drawn in a square: of 4 px a cell, of none a place; px of the world.
  func drawn(left: Double, top: Double, side cellSide: Double) -> [Drawn] {
    let side = Double(grid.worldPixels)
    var drawn: [Drawn] = []
    for copy in [-side, 0, side] {
      let cell = Cell(left: left - copy, top: top, side: cellSide)
      for (order, square) in squares.enumerated() { append(square, order, cell, to: &drawn) }
      for (a, b) in zip(road, road.dropFirst()) {
        let presence = Presence(
          cell.distance(a, b), within: TapSample.roadWidth / 2)
        drawn.append(
          Drawn(
            rank: (1, 0, 0),
            key: FeatureKey(source: "land", layer: "", feature: "road").description,
            presence: presence))
      }
      for (order, inn) in inns.enumerated() {
        drawn.append(
          Drawn(
            rank: (2, 0, order), key: inn.key,
            presence: Presence(cell.distance((inn.x, inn.y)), within: inn.radius)))
        // A count of up to four characters stands in the ring, or nearly.
        let isNear = abs(cell.middle.x - inn.x) < 34 && abs(cell.middle.y - inn.y) < 16
        if inn.radius > 10, isNear {
          drawn.append(Drawn(rank: (3, 0, order), key: inn.key, presence: .doubtful))
        }
      }
    }
    return drawn.filter { $0.presence != .outside }
  }

  private func append(
    _ square: (ring: [(x: Double, y: Double)], key: String), _ order: Int, _ cell: Cell,
    to drawn: inout [Drawn]
  ) {
    let (west, north) = (square.ring[3].x, square.ring[3].y)
    let (east, south) = (square.ring[1].x, square.ring[1].y)
    // Far from most cells, which is told without looking at edges.
    guard cell.middle.x > west - 8, cell.middle.x < east + 8, cell.middle.y > north - 8,
      cell.middle.y < south + 8
    else { return }
    let edges = zip(square.ring, square.ring.dropFirst())
    let distance = edges.map { cell.distance($0, $1) }.min() ?? .infinity
    // What is smaller than a pixel is drawn as a speck somewhere there.
    if east - west < 1.5 {
      if distance < 2 {
        drawn.append(Drawn(rank: (0, 0, order), key: square.key, presence: .doubtful))
      }
      return
    }
    let (x, y) = cell.middle
    let depth = min(x - west, east - x, y - north, south - y)
    drawn.append(
      Drawn(rank: (0, 1, order), key: square.key, presence: Presence(-depth, within: 0)))
    let middle = edges.map { Cell.distance(from: cell.middle, $0, $1) }.min() ?? .infinity
    let reaches: Presence =
      middle < cell.side / 2 - Self.doubt ? .inside : distance > Self.doubt ? .outside : .doubtful
    drawn.append(Drawn(rank: (0, 0, order), key: square.key, presence: reaches))
  }

  /// What is wrong with an answer for a square, see ``drawn(left:top:side:)``; `nil` if nothing is.
  func fault(of answer: String?, left: Double, top: Double, side: Double = 4) -> String? {
    let drawn = drawn(left: left, top: top, side: side)
    let certain = drawn.filter { $0.presence == .inside }.max { $0.rank < $1.rank }
    guard let answer else { return certain.map { "nothing answers for \($0.key)" } }
    guard let best = drawn.filter({ $0.key == answer }).max(by: { $0.rank < $1.rank }) else {
      return "\(answer) answers, which is not there"
    }
    guard let certain, certain.rank > best.rank else { return nil }
    return "\(answer) answers under \(certain.key)"
  }
}

extension TapModel.Presence {
  init(_ distance: Double, within reach: Double) {
    if distance < reach - TapModel.doubt {
      self = .inside
    } else {
      self = distance > reach + TapModel.doubt ? .outside : .doubtful
    }
  }
}

/// A square in px of the world.
private struct Cell {
  let left: Double
  let top: Double
  let side: Double

  typealias Place = (x: Double, y: Double)

  var middle: Place { (left + side / 2, top + side / 2) }

  func distance(_ place: Place) -> Double {
    let dx = max(left - place.x, 0, place.x - left - side)
    let dy = max(top - place.y, 0, place.y - top - side)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The least distance of a line's points, some hundred of them.
  func distance(_ a: Place, _ b: Place) -> Double {
    // The nearest point of a convex set moves steadily: search by thirds.
    var (low, high) = (0.0, 1.0)
    func at(_ share: Double) -> Double {
      distance((a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share))
    }
    for _ in 0..<60 {
      let (first, second) = (low + (high - low) / 3, high - (high - low) / 3)
      if at(first) <= at(second) { high = second } else { low = first }
    }
    return at((low + high) / 2)
  }

  static func distance(from place: Place, _ a: Place, _ b: Place) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    let share =
      length > 0 ? min(max(((place.x - a.x) * dx + (place.y - a.y) * dy) / length, 0), 1) : 0
    let (px, py) = (a.x + share * dx - place.x, a.y + share * dy - place.y)
    return (px * px + py * py).squareRoot()
  }
}
