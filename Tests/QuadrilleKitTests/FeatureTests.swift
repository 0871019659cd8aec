import Foundation
import QuadrilleKit
import TestSupport
import Testing

/// Features of the calling program as the data of a source.
@Suite("features from memory")
struct FeatureTests {
  private let sample: KitSample

  init() throws { sample = try KitSample() }

  private static func position(_ longitude: Double, _ latitude: Double) -> MapPosition {
    MapPosition(longitude: longitude, latitude: latitude)
  }

  @Test("they give the tiles of a file with the same records, and the same features change nothing")
  func tiles() throws {
    try sample.folder.write(KitSample.sequence, to: "hotels.geojsonl")
    let file = try sample.pipeline(KitSample.text("type: geojsonseq, data: hotels.geojsonl"))
    let other = BuildSettings(output: sample.folder.url.appending(path: "file.mbtiles"))
    let expected = try #require(try file.build(other).first)

    let empty = try sample.pipeline()
    let pipeline = try empty.replacingSource("hotels", with: KitSample.features)
    let built = try #require(try pipeline.build().first)
    #expect(built.outcome == .published && built.digest == expected.digest)
    #expect(built.sources.map(\.used) == [2] && built.sources.map(\.noGeometry) == [1])
    let tap = try #require(
      try TileArchive(url: built.archive).tap(longitude: -20.5, latitude: 47.4))
    #expect(tap.json.contains(#"Alpha \"1\""#))

    // The properties of a dictionary have another order in each process, and in each copy.
    let again = try empty.replacingSource("hotels", with: KitSample.features.lazy.map { $0 })
    #expect(try again.build().map(\.outcome) == [.unchanged])
    let fewer = try again.replacingSource("hotels", with: KitSample.features.prefix(1))
    #expect(try fewer.build().map(\.outcome) == [.published])
    #expect(try !sample.folder.names().contains { $0.contains("features") })
  }

  @Test("a check, a picture and a second run read them again")
  func rereading() throws {
    let pipeline = try sample.pipeline().replacingSource("hotels", with: KitSample.features)
    let check = try pipeline.check()
    #expect(check.failure == nil && check.sources.map(\.read) == [3])
    let area = MapArea.center(Self.position(8.5, 47.4), zoom: 3)
    let picture = try pipeline.render(area, size: MapSize(width: 64, height: 64))
    #expect(try picture == pipeline.render(area, size: MapSize(width: 64, height: 64)))
    #expect(picture.pixels.contains { $0 > 0 })
  }

  @Test("lines and polygons are drawn, and a ring may be closed or open")
  func shapes() throws {
    let text = """
      version: 1
      sources: {shapes: {type: geojson, data: none.geojson}}
      layers:
        - {id: areas, type: fill, source: shapes, filter: [==, [geometry-type], Polygon]}
        - {id: lines, type: line, source: shapes}
        - {id: points, type: circle, source: shapes, filter: [==, [geometry-type], Point]}
      tiles: {maxzoom: 2}
      """
    let ring = [(0.0, 0.0), (40.0, 0.0), (20.0, 30.0)].map { Self.position($0.0, $0.1) }
    let hole = [(15.0, 5.0), (20.0, 15.0), (25.0, 5.0)].map { Self.position($0.0, $0.1) }
    let line = [Self.position(-20, 10), Self.position(-40, 50)]
    func digest(_ geometries: [MapGeometry]) throws -> String {
      let features = geometries.map { MapFeature(id: "a", geometry: $0) }
      let pipeline = try sample.pipeline(text).replacingSource("shapes", with: features)
      let result = try #require(try pipeline.build().first)
      // Equal bytes are an unchanged build.
      let isUsed = result.sources.map(\.used) == [features.count]
      #expect(isUsed || result.outcome == .unchanged)
      return result.digest
    }
    let open = try digest([.polygon([ring, hole])])
    #expect(try digest([.polygon([ring + ring.prefix(1), hole + hole.prefix(1)])]) == open)
    #expect(try digest([.polygons([[ring, hole]])]) == open)
    #expect(try digest([.polygon([ring])]) != open)
    #expect(try digest([.line(line)]) == digest([.lines([line])]))
    #expect(try digest([.points(line)]) != digest([.point(line[0])]))
  }

  @Test(
    "a feature that cannot be drawn is refused with its number",
    arguments: [
      (.point(MapPosition(longitude: 8, latitude: 91)), "latitude 91.0 is not within ±90°"),
      (.point(MapPosition(longitude: .nan, latitude: 1)), "longitude nan is not within ±540°"),
      (.points([MapPosition(longitude: 541, latitude: 0)]), "longitude 541.0 is not within ±540°"),
      (.line([MapPosition(longitude: 8, latitude: 9)]), "a line has fewer than two positions"),
      (.lines([[]]), "a line has fewer than two positions"),
      (.polygon([]), "a polygon has no ring"),
      (
        .polygons([
          [[MapPosition(longitude: 8, latitude: 9), MapPosition(longitude: 9, latitude: 9)]]
        ]),
        "a ring has fewer than three positions"
      ),
      (
        .polygon([[MapPosition(longitude: 8, latitude: 9)]]),
        "a ring has fewer than three positions"
      ),
      (.polygon([[]]), "a ring has fewer than three positions"),
    ] as [(MapGeometry, String)])
  func refusals(geometry: MapGeometry, words: String) throws {
    let features = KitSample.features.prefix(1) + [MapFeature(geometry: geometry)]
    let error = try #require(throws: QuadrilleError.self) {
      try sample.pipeline().replacingSource("hotels", with: features)
    }
    #expect(error.code == .badData && error.sentence.hasPrefix("\(words)."))
    #expect(error.description.hasPrefix("features of 'hotels':2: "))
  }

  @Test("numbers that are not finite, and sources that are not there or hold images, are refused")
  func misuse() throws {
    let endless = MapFeature(geometry: nil, properties: ["size": .number(.infinity)])
    let number = try #require(throws: QuadrilleError.self) {
      try sample.pipeline().replacingSource("hotels", with: [endless])
    }
    #expect(number.code == .badData && number.sentence.hasPrefix("the number 'size' is inf."))
    let unknown = try #require(throws: QuadrilleError.self) {
      try sample.pipeline().replacingSource("hotel", with: [])
    }
    #expect(unknown.code == .usage && unknown.sentence.contains("did you mean 'hotels'?"))
    let image = try sample.pipeline(
      """
      version: 1
      sources: {photo: {type: image, url: a.png, bounds: [0, 0, 1, 1]}}
      layers: [{id: photo, type: raster, source: photo}]
      tiles: {maxzoom: 1}
      """)
    let refused = try #require(throws: QuadrilleError.self) {
      try image.replacingSource("photo", with: [])
    }
    #expect(refused.code == .usage && refused.sentence.contains("has images"))
  }

  @Test("an endless sequence ends with its task")
  func endless() async throws {
    let sample = sample
    let task = Task {
      try sample.pipeline().replacingSource(
        "hotels", with: sequence(first: KitSample.features[0]) { $0 })
    }
    task.cancel()
    let error = await #expect(throws: QuadrilleError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("no features are an empty source, and many are written piece by piece")
  func counts() throws {
    let empty = try sample.pipeline().replacingSource("hotels", with: [])
    #expect(try empty.check().sources.map(\.read) == [0])
    let many = (0..<3000).lazy.map { (number: Int) -> MapFeature in
      let place = Self.position(Double(number % 360 - 180), Double(number % 160 - 80))
      return MapFeature(
        id: .integer(number), geometry: .point(place),
        properties: ["name": "number \(number)", "rooms": .integer(number % 9)])
    }
    let pipeline = try sample.pipeline().replacingSource("hotels", with: many)
    #expect(try pipeline.build().first?.sources.map(\.used) == [3000])
  }
}
