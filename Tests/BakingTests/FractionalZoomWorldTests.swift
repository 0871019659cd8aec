import Foundation
import PNG
import PlainPainting
import Raster
import TestSupport
import Testing

@Suite("Things as wide as the world at fractional zooms")
struct FractionalZoomWorldTests {
  typealias Place = FractionalZoomTests.Place

  /// Returns the pixels at which a view differs from one of the next whole zoom, scaled; pixels near
  /// an edge may differ.
  private static func differences(
    _ place: Place, width: Int = 256, height: Int = 192, _ source: String, _ layer: String
  ) throws -> [String] {
    let fraction = try FractionalZoomTests.view(place, width: width, height: height, source, layer)
    var next = place
    next.zoom = place.zoom.rounded(.up)
    let factor = exp2(next.zoom - place.zoom)
    // Some pixels more on all sides.
    let (wide, high) = (Double(width) * factor, Double(height) * factor)
    let whole = try FractionalZoomTests.view(
      next, width: Int(wide.rounded(.up)) + 8, height: Int(high.rounded(.up)) + 8, source, layer)
    func wholePixel(_ pixel: Int, _ count: Int, _ wholeCount: Int) -> Int {
      let fromMiddle = (Double(pixel) + 0.5 - Double(count) / 2) * factor
      return Int((fromMiddle + Double(wholeCount) / 2).rounded(.down))
    }
    var differences: [String] = []
    for row in 0..<height {
      let y = wholePixel(row, height, whole.height)
      for column in 0..<width {
        let x = wholePixel(column, width, whole.width)
        let color = whole[x, y]
        // A zoom simplifies a little more than the next, so slivers may overlap; twice is 64 more.
        let found = fraction[column, row]
        guard abs(Int(found.alpha) - Int(color.alpha)) > 16 else { continue }
        if whole.isFlat(aroundX: x, y: y, radius: 3) {
          differences.append("\(column), \(row): \(found), not \(color)")
        }
      }
    }
    return differences
  }

  /// Zooms and the middles of views in which the world's countries reach over the edges.
  private static let eightPlaces = [
    Place(zoom: 0.4, longitude: 10, latitude: 20), Place(zoom: 0.9, longitude: -100, latitude: 40),
    Place(zoom: 1.05, longitude: 100, latitude: 60), Place(zoom: 1.58, longitude: 10, latitude: 48),
    Place(zoom: 1.95, longitude: 180, latitude: -17),
    Place(zoom: 2.5, longitude: -66, latitude: -70),
    Place(zoom: 3.2, longitude: 5, latitude: 56),
    Place(zoom: 5.7, longitude: 179.9, latitude: -16.6),
  ]

  @Test("shapes of several parts around the world are drawn once", arguments: eightPlaces)
  func wideShapes(place: Place) throws {
    // Islands on both sides of the antimeridian; land from Europe to beyond it, with a lake; a cap
    // over the south pole; a line around half the world.
    let source = """
      {type: geojson, data: {type: FeatureCollection, features: [
       {type: Feature, geometry: {type: MultiPolygon, coordinates: [
        [[[-179, 50], [-120, 50], [-120, 70], [-179, 70], [-179, 50]]],
        [[[170, 50], [179, 50], [179, 60], [170, 60], [170, 50]]],
        [[[-60, 0], [-50, 0], [-50, 10], [-60, 10], [-60, 0]]]]}},
       {type: Feature, geometry: {type: Polygon, coordinates: [
        [[20, 45], [195, 45], [195, 80], [20, 80], [20, 45]],
        [[60, 50], [100, 50], [100, 60], [60, 60], [60, 50]]]}},
       {type: Feature, geometry: {type: Polygon, coordinates: [
        [[-180, -90], [180, -90], [180, -65], [-180, -65], [-180, -90]]]}},
       {type: Feature, geometry: {type: MultiLineString, coordinates: [
        [[-170, -20], [10, -30], [60, -20]], [[170, -16], [190, -17]]]}}]}}
      """
    let areas = try Self.differences(place, source, "type: fill, paint: {fill-opacity: 0.5}")
    #expect(areas.isEmpty, "\(areas.count) pixels: \(areas.prefix(3))")
    let lines = try Self.differences(
      place, source,
      "type: line, paint: {line-width: [interpolate, [exponential, 2], [zoom], 0, 2, 6, 128]}")
    #expect(lines.isEmpty, "\(lines.count) pixels: \(lines.prefix(3))")
  }

  @Test(
    "Natural Earth's countries are drawn as at whole zooms",
    .enabled(if: SharedData.isThere, "needs the shared data"), arguments: eightPlaces)
  func countries(place: Place) throws {
    let path = SharedData.path("overlays/ne_110m_admin_0_countries.json")
    let areas = try Self.differences(
      place, width: 640, height: 480, "{type: geojson, data: \(path)}",
      "type: fill, paint: {fill-opacity: 0.5}")
    #expect(areas.isEmpty, "\(areas.count) pixels: \(areas.prefix(3))")
  }

  @Test("an image of the world is drawn once, and without a seam", arguments: eightPlaces)
  func worldImage(place: Place) throws {
    let picture = try FractionalZoomTests.view(
      place, width: 640, height: 300,
      "{type: image, url: black.png, bounds: [-180, -85.0511, 180, 85.0511]}",
      "type: raster, paint: {raster-opacity: 0.5}")
    let middle = (0..<picture.width).map { picture[$0, picture.height / 2].alpha }
    #expect(Set(middle) == [128])
    let half = try FractionalZoomTests.view(
      place, width: 640, height: 300,
      "{type: image, url: black.png, bounds: [-150, -85.0511, 160, 85.0511]}",
      "type: raster, paint: {raster-opacity: 0.5}")
    let (worldSide, centre) = (
      FractionalZoomTests.tileSize * exp2(place.zoom), place.longitude / 360
    )
    let wrong = (0..<half.width).filter { column in
      let longitude = ((Double(column) + 0.5 - 320) / worldSide + centre) * 360
      let wrapped = longitude - ((longitude + 180) / 360).rounded(.down) * 360
      // One pixel may be crossed by an edge.
      let pixel = 360 / worldSide
      if min(abs(wrapped + 150), abs(wrapped - 160)) < pixel { return false }
      return half[column, half.height / 2].alpha != (wrapped > -150 && wrapped < 160 ? 128 : 0)
    }
    #expect(wrong.isEmpty, "columns \(wrong.prefix(9))")
  }

  @Test("a view wider than the world shows it again on both sides")
  func repetition() throws {
    let place = Place(zoom: 0.5, longitude: 30, latitude: 0)
    let world = FractionalZoomTests.tileSize * exp2(place.zoom)
    let ramp = "[step, [heatmap-density], transparent, 0.01, black]"
    for layer in [
      "type: circle, paint: {circle-radius: 9}",
      "type: heatmap, paint: {heatmap-radius: 9, heatmap-color: \(ramp)}",
    ] {
      let picture = try FractionalZoomTests.view(
        place, width: 2000, height: 64, "{type: geojson, data: {type: Point, coordinates: [0, 0]}}",
        layer)
      let first = 1000 - world * 30 / 360
      let places = (-2...2).map { first + Double($0) * world }.filter { (0..<2000).contains($0) }
      #expect(places.count == 3)
      let shown = places.map { picture[Int($0), 32].alpha == 255 }
      #expect(shown == places.map { _ in true }, "\(layer)")
      let between = places.map { picture[Int($0) + 100, 32].alpha == 0 }
      #expect(between == places.map { _ in true }, "\(layer)")
    }
  }
}
