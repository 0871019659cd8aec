import Foundation
import PNG
import PipelineSamples
import Raster
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Reuse

@Suite("Views at fractional zooms")
struct FractionalZoomTests {
  /// Side of the world at zoom 0, in px.
  static let tileSize = 512.0

  /// A zoom and the middle of a view, some of which reach over the antimeridian.
  struct Place: Sendable, CustomTestStringConvertible {
    var zoom: Double
    var longitude: Double
    var latitude: Double

    var testDescription: String { "zoom \(zoom) at \(longitude), \(latitude)" }
  }

  private static let places = [
    Place(zoom: 2.5, longitude: 10, latitude: 15), Place(zoom: 0.3, longitude: 0, latitude: 0),
    Place(zoom: 3.75, longitude: 179.5, latitude: -40),
    Place(zoom: 1.0001, longitude: -179, latitude: 60),
    Place(zoom: 21.6, longitude: 24.9384, latitude: 60.1699),
    Place(zoom: 4, longitude: 24, latitude: 60),
  ]

  static func view(
    _ place: Place, width: Int = 256, height: Int = 192, _ source: String, _ layer: String
  ) throws -> Pixmap {
    let folder = try TemporaryFolder()
    let checks = Pixmap(width: 2, height: 2)
    checks.clear(to: PremultipliedColor(.black))
    try Data(PNGEncoder().encode(checks)).write(
      to: URL(fileURLWithPath: folder.path("black.png")))
    // Black on the left, transparent on the right.
    let stripe = Pixmap(width: 8, height: 8)
    stripe.clear(to: .transparent)
    for pixel in stripe.pixels.indices where pixel % 8 < 4 { stripe.pixels[pixel] = 0xFF00_0000 }
    try Data(PNGEncoder().encode(stripe)).write(
      to: URL(fileURLWithPath: folder.path("stripe.png")))
    let file = try folder.write(
      """
      version: 1
      sources:
        data: \(source)
      layers:
        - {id: layer, source: data, \(layer)}
      images: {black: black.png, stripe: stripe.png}
      tiles: {maxzoom: 0, tileSize: \(Int(tileSize))}
      output: {path: out.mbtiles}
      """, to: "view.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let view = MapView(
      center: LngLat(longitude: place.longitude, latitude: place.latitude), zoom: place.zoom,
      width: width, height: height)
    return try PNGDecoder().decode(
      definition.build().render(view))
  }

  /// The position `dx`, `dy` px from the middle of a view, by the formula of Web Mercator.
  private static func position(_ place: Place, dx: Double, dy: Double) -> (Double, Double) {
    let world = tileSize * exp2(place.zoom)
    let middle = log(tan(.pi / 4 + place.latitude * .pi / 360)) / (2 * .pi)
    let north = (middle - dy / world) * 2 * .pi
    return (place.longitude + dx / world * 360, atan(sinh(north)) * 180 / .pi)
  }

  /// The sum of alpha and its middle, in px from the middle of the picture.
  private static func centroid(_ pixmap: Pixmap) -> (mass: Double, x: Double, y: Double) {
    var (mass, x, y) = (0.0, 0.0, 0.0)
    for row in 0..<pixmap.height {
      for column in 0..<pixmap.width {
        let alpha = Double(pixmap[column, row].alpha) / 255
        mass += alpha
        x += alpha * (Double(column) + 0.5 - Double(pixmap.width) / 2)
        y += alpha * (Double(row) + 0.5 - Double(pixmap.height) / 2)
      }
    }
    return (mass, x / mass, y / mass)
  }

  /// The sum of alpha of a circle that fades within its last pixel by t²(3 − 2t).
  private static func mass(ofCircle radius: Double) -> Double {
    .pi * (radius * radius - radius + 0.3)
  }

  @Test("a circle stands where Web Mercator puts it, as large as at that zoom", arguments: places)
  func circle(place: Place) throws {
    let (longitude, latitude) = Self.position(place, dx: 40.25, dy: -30.5)
    let picture = try Self.view(
      place, "{type: geojson, data: {type: Point, coordinates: [\(longitude), \(latitude)]}}",
      "type: circle, paint: {circle-radius: [interpolate, [linear], [zoom], 0, 4, 22, 26]}")
    let found = Self.centroid(picture)
    let radius = 4 + place.zoom
    #expect(abs(found.mass / Self.mass(ofCircle: radius) - 1) < 0.01)
    // A position is a multiple of 2⁻³² of the world, and of 1/16 px; the view is one of 1/16 px.
    let unit = 2.0 / 16 + Self.tileSize * exp2(place.zoom - 32)
    #expect(abs(found.x - 40.25) < unit && abs(found.y + 30.5) < unit)
  }

  @Test("an area covers the pixels that Web Mercator gives it, with soft edges", arguments: places)
  func area(place: Place) throws {
    let (west, north) = Self.position(place, dx: -50.5, dy: -20.25)
    let (east, south) = Self.position(place, dx: 30.25, dy: 40.5)
    let picture = try Self.view(
      place,
      """
      {type: geojson, data: {type: Polygon, coordinates: [[[\(west), \(south)], [\(east), \(south)],
       [\(east), \(north)], [\(west), \(north)], [\(west), \(south)]]]}}
      """, "type: fill")
    let found = Self.centroid(picture)
    // From the middles of pixels in the west and south; in the east and north a quarter of a pixel short
    // of one, of which the edge's line covers 0.84.
    #expect(abs(found.mass - 81.84 * 61.84) < 3)
    #expect(abs(found.x + 10.08) < 0.02 && abs(found.y - 10.08) < 0.02)
  }

  @Test("an image covers the pixels that Web Mercator gives it", arguments: places)
  func image(place: Place) throws {
    let (west, north) = Self.position(place, dx: -50, dy: -20)
    let (east, south) = Self.position(place, dx: 30, dy: 40)
    let picture = try Self.view(
      place, "{type: image, url: black.png, bounds: [\(west), \(south), \(east), \(north)]}",
      "type: raster, paint: {raster-resampling: nearest}")
    let found = Self.centroid(picture)
    #expect(abs(found.mass - 80 * 60) < 150)
    #expect(abs(found.x + 10) < 0.6 && abs(found.y - 10) < 0.6)
  }

  @Test("clusters are those of the whole zoom below, and layers end at their fractional zoom")
  func clusters() throws {
    let place = Place(zoom: 2.4, longitude: 0, latitude: 0)
    let points = "{type: MultiPoint, coordinates: [[1, 0], [3, 0]]}"
    let source = "{type: geojson, data: \(points), cluster: true, clusterRadius: 12}"
    func circles(_ more: String) throws -> Double {
      Self.centroid(
        try Self.view(place, source, "type: circle\(more), paint: {circle-radius: 4}")
      ).mass / Self.mass(ofCircle: 4)
    }
    // 2° are 11.4 px at zoom 2, where they are one, and 15 px at 2.4.
    #expect(abs(try circles("") - 1) < 0.05)
    #expect(abs(try circles(", minzoom: 2.39") - 1) < 0.05)
    #expect(try circles(", minzoom: 2.41") == 0)
    #expect(try circles(", maxzoom: 2.4") == 0)
  }
}
