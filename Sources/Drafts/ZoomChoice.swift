import Baking
import Examination
import Ingest
import Overlays
import Platform
import Tiling

/// The choice of the zooms of a tileset by what its sources hold.
struct ZoomChoice {
  /// The last zoom at which something new is to be seen.
  private(set) var last = 0

  /// The first zoom.
  private(set) var first = 0

  /// The bytes of the pictures of a draft: with the answers to taps, the archive stays at some 20 MB.
  private static let byteLimit = 15_000_000

  /// The seconds that painting may take on one thread; clusters, scenes and writing take as long again,
  /// on as many threads as there are.
  private static let secondLimit = 10.0

  /// The most tiles that the boxes of lines, areas and images may touch: beyond that not even
  /// counting them is quick.
  private static let boxLimit = 200_000

  /// The most tiles of a zoom that ground fills: at 10 kB each, some 200 MB.
  private static let groundLimit = 20_000

  /// The last zoom that a single place is shown at: houses can be told apart.
  private static let houses = 15

  /// The number of zooms that any draft goes beyond the one at which a source fits on a screen.
  private static let closer = 2

  /// The deepest zoom of any draft.
  private static let deepest = 16

  /// - Parameter chosen: the zooms that the user named; `nil` for those that suit the sources.
  init(_ sources: [SourceDraft], chosen: ClosedRange<Int>? = nil) {
    if let chosen {
      (first, last) = (chosen.lowerBound, chosen.upperBound)
      return
    }
    let measures = sources.map(Self.measure)
    let fits = measures.map { $0.isDot ? 0 : Self.fit($0.box) }
    last = measures.map(\.zoom).max() ?? 0
    // All sources are drawn at all zooms, so the widest area or image bounds the zooms of the others.
    for measure in measures {
      last = Self.bounded(last, box: measure.box, isDot: measure.isDot)
    }
    // Four zooms further out the data is a spot of 64 px.
    first = min(max((fits.min() ?? 0) - 4, 0), last)
  }

  /// Returns the zoom that suits a source, its box in the world, and whether it consists of points.
  private static func measure(_ source: SourceDraft) -> (zoom: Int, box: Box<Double>, isDot: Bool) {
    switch source.content {
    case .image(let extent, let size), .series(let extent, let size):
      let scale = Double(size.width) / (256 * max(extent.east - extent.west, 1e-9))
      let zoom = Int(min(max(log2(scale).rounded(.up), 0), 18))
      return (
        zoom,
        Box(minX: extent.west, minY: extent.north, maxX: extent.east, maxY: extent.south), false
      )
    case .records(let facts):
      let box = Self.world(facts.box)
      var zoom = 0
      if facts.points > 0 {
        zoom = max(facts.survey.separationZoom, min(fit(box) + closer, houses))
      }
      // A track of a day is followed along its streets.
      if facts.tracks != nil {
        zoom = min(max(fit(box) + 4, facts.connections == nil ? 10 : 6), houses)
      }
      if let shapes = facts.survey.zoom(showing: 100) { zoom = max(zoom, shapes + 2, 6) }
      return (min(zoom, deepest), box, facts.lines + facts.polygons == 0)
    }
  }

  private static func world(_ degrees: Box<Double>) -> Box<Double> {
    func fraction(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
      let limit = WorldPoint.maxLatitude
      let point = WorldPoint(
        LngLat(longitude: 0, latitude: min(max(latitude, -limit), limit)))
      return (longitude / 360 + 0.5, Double(point?.y ?? 0) / 0x1p32)
    }
    let (left, top) = fraction(degrees.minX, degrees.maxY)
    let (right, bottom) = fraction(degrees.maxX, degrees.minY)
    return Box(minX: left, minY: top, maxX: max(right, left), maxY: max(bottom, top))
  }

  private static func bounded(_ zoom: Int, box: Box<Double>, isDot: Bool) -> Int {
    guard !isDot else { return zoom }
    var zoom = zoom
    while zoom > 0, tiles(box, zoom) > Double(boxLimit) { zoom -= 1 }
    return zoom
  }

  private static func tiles(_ box: Box<Double>, _ zoom: Int) -> Double {
    let side = Double(1 << zoom)
    return (min(box.maxX - box.minX, 1) * side + 1) * (min(box.maxY - box.minY, 1) * side + 1)
  }

  /// Returns the zoom at which a box is about 1,024 px wide or high.
  private static func fit(_ box: Box<Double>) -> Int {
    let side = max(box.maxX - box.minX, box.maxY - box.minY, 1e-9)
    return Int(min(max(log2(4 / side).rounded(.down), 0), Double(TileCoord.maxZoom)))
  }

  /// Lowers the last zoom until the tiles of a box, each of which ground fills, are few enough.
  mutating func limit(to box: GeoBounds) {
    while last > first, TileRange(WorldBox(box), zoom: last).count > Self.groundLimit { last -= 1 }
  }

  /// Lowers the last zoom until the tiles cost little enough.
  mutating func limit(by costs: [Build.ZoomCost]) {
    var bytes = costs.reduce(0) { $0 + $1.bytes }
    var seconds = costs.reduce(0) { $0 + $1.seconds }
    for cost in costs.reversed()
    where (bytes > Self.byteLimit || seconds > Self.secondLimit) && last > first {
      guard cost.zoom == last else { continue }
      bytes -= cost.bytes
      seconds -= cost.seconds
      last -= 1
    }
  }
}
