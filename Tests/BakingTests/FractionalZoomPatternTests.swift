import Foundation
import PNG
import Raster
import TestSupport
import Testing

@Suite("What views at fractional zooms take from the whole zoom")
struct FractionalZoomPatternTests {
  typealias Place = FractionalZoomTests.Place

  /// A line along the equator, around which there is an area.
  private static let equator = """
    {type: geojson, data: {type: FeatureCollection, features: [
     {type: Feature, geometry: {type: LineString, coordinates: [[-170, 0], [0, 0], [170, 0]]}},
     {type: Feature, geometry: {type: Polygon,
      coordinates: [[[-170, 5], [0, 5], [170, 5], [170, -5], [0, -5], [-170, -5], [-170, 5]]]}}]}}
    """

  /// A layer that repeats something along the equator, and the length of the repetition at a whole
  /// zoom; what is shown is the first half of it. It begins at a longitude.
  struct Repetition: Sendable, CustomTestStringConvertible {
    var layer: String
    var length: Double
    var start: Double

    var testDescription: String { layer }
  }

  private static let repetitions = [
    Repetition(
      layer: """
        type: line, filter: [==, [geometry-type], LineString], paint: {line-dasharray: [2, 2],
            line-width: [interpolate, [linear], [zoom], 2, 4, 3, 8]}
        """, length: 16, start: -170),
    Repetition(
      layer: """
        type: line, filter: [==, [geometry-type], LineString], paint: {line-pattern: stripe,
            line-width: [interpolate, [linear], [zoom], 2, 8, 3, 12]}
        """, length: 8, start: -170),
    Repetition(layer: "type: fill, paint: {fill-pattern: stripe}", length: 8, start: -180),
    Repetition(
      layer: """
        type: line, filter: [==, [geometry-type], LineString], paint: {line-width: 4,
            line-dasharray: [step, [zoom], [literal, [3, 3]], 2.01, [literal, [1, 1]]]}
        """, length: 24, start: -170),
  ]

  @Test(
    "dashes and patterns grow with the world from the whole zoom on", arguments: repetitions,
    [2, 2.25, 2.5, 2.9])
  func repetition(repetition: Repetition, zoom: Double) throws {
    let place = Place(zoom: zoom, longitude: 10, latitude: 0)
    let picture = try FractionalZoomTests.view(place, Self.equator, repetition.layer)
    let world = FractionalZoomTests.tileSize * exp2(zoom)
    let length = repetition.length * exp2(zoom - 2)
    let wrong = (0..<picture.width).filter { column in
      let along =
        Double(column) + 0.5 - Double(picture.width) / 2
        + world * (place.longitude - repetition.start) / 360
      let phase = along.truncatingRemainder(dividingBy: length)
      // The pixels at the ends of each stripe are mixed; with a border of one pixel of the image, as
      // MapLibre draws along lines, over one and a half.
      let edge = min(phase, abs(phase - length / 2), length - phase)
      let mixed = repetition.layer.contains("line-pattern") ? 1.25 * exp2(zoom - 2) : 1.6
      if edge < mixed { return false }
      return picture[column, picture.height / 2].alpha != (phase < length / 2 ? 255 : 0)
    }
    #expect(wrong.isEmpty, "columns \(wrong)")
  }

  @Test("a background's pattern grows with the world", arguments: [2, 2.5])
  func background(zoom: Double) throws {
    let place = Place(zoom: zoom, longitude: 0, latitude: 0)
    let picture = try FractionalZoomTests.view(
      place, Self.equator,
      "type: fill, paint: {fill-opacity: 0}}\n  - {id: back, type: background, "
        + "paint: {background-pattern: stripe}")
    let fill = try FractionalZoomTests.view(
      place, Self.equator, "type: fill, paint: {fill-pattern: stripe}")
    let row = picture.height / 2
    #expect((0..<picture.width).map { picture[$0, row] } == (0..<fill.width).map { fill[$0, row] })
  }

  @Test("a pattern of a view that begins between two pixels is mixed of both", arguments: [2, 3])
  func betweenPixels(zoom: Double) throws {
    let pixel = 360 / (FractionalZoomTests.tileSize * exp2(zoom))
    func mixtures(_ shift: Double) throws -> [UInt8] {
      let picture = try FractionalZoomTests.view(
        Place(zoom: zoom, longitude: shift * pixel, latitude: 0), Self.equator,
        "type: fill, paint: {fill-pattern: stripe}")
      return (0..<picture.width).map { picture[$0, picture.height / 2].alpha }.filter {
        $0 > 0 && $0 < 255
      }
    }
    #expect(try mixtures(0).isEmpty && mixtures(1).isEmpty)
    let halves = try mixtures(0.5)
    #expect(!halves.isEmpty && halves.allSatisfy { abs(Int($0) - 128) <= 8 })
  }

  @Test("symbols on a line stand where they stand at the whole zoom", arguments: [2.25, 2.5, 2.9])
  func spacing(zoom: Double) throws {
    let layer = """
      type: symbol, filter: [==, [geometry-type], LineString], layout: {icon-image: black,
          symbol-placement: line, symbol-spacing: 60, icon-allow-overlap: true}
      """
    func middles(_ zoom: Double) throws -> [Double] {
      let place = Place(zoom: zoom, longitude: 10, latitude: 0)
      let picture = try FractionalZoomTests.view(
        place, width: 1024, height: 32, Self.equator, layer)
      let shown = (0..<picture.width).filter { picture[$0, 16].alpha > 127 }
      // Two pixels each.
      return stride(from: 0, to: shown.count - 1, by: 2).map {
        Double(shown[$0] + shown[$0 + 1] + 1) / 2 - 512
      }
    }
    let whole = try middles(2)
    let fraction = try middles(zoom)
    let factor = exp2(zoom - 2)
    let expected = whole.map { $0 * factor }.filter { abs($0) < 510 }
    #expect(fraction.count == expected.count && expected.count > 5)
    #expect(zip(fraction, expected).allSatisfy { abs($0 - $1) < 1.5 })
  }

  @Test("filters and layout are those of the whole zoom, but paint is not")
  func steps() throws {
    let point = "{type: geojson, data: {type: Point, coordinates: [0, 0]}}"
    func alpha(_ zoom: Double, _ layer: String) throws -> UInt8 {
      let place = Place(zoom: zoom, longitude: 0, latitude: 0)
      return try FractionalZoomTests.view(place, width: 32, height: 32, point, layer)[16, 16].alpha
    }
    let filtered = "type: circle, filter: [step, [zoom], false, 2.5, true]"
    let named = "type: symbol, layout: {icon-image: [step, [zoom], '', 2.5, black]}"
    let painted = "type: circle, paint: {circle-opacity: [step, [zoom], 0, 2.5, 1]}"
    #expect(try alpha(2.7, filtered) == 0 && alpha(3, filtered) == 255)
    #expect(try alpha(2.7, named) == 0 && alpha(3, named) == 255)
    #expect(try alpha(2.4, painted) == 0 && alpha(2.7, painted) == 255)
  }
}
