import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Runs

/// A file of regions in a folder of its own.
struct RegionSample {
  let folder: TemporaryFolder
  var packs: PackDefinition

  init(_ features: [String], name: String? = nil) throws {
    folder = try TemporaryFolder()
    let path = try folder.write(
      "{\"type\": \"FeatureCollection\", \"features\": [\n\(features.joined(separator: ",\n"))\n]}",
      to: "regions.geojson")
    packs = PackDefinition(
      regions: path, place: DocumentPlace(file: "map.yml", line: 9, column: 20),
      nameProperty: name, namePlace: DocumentPlace(file: "map.yml", line: 9, column: 40))
  }

  func read() throws -> RegionFile { try RegionFile(packs) }

  /// Returns a feature with a name and polygons, each a list of rings.
  static func feature(_ name: String?, _ polygons: [[[[Double]]]], more: String = "") -> String {
    let properties = name.map { "{\"name\": \"\($0)\"}" } ?? "{}"
    return "{\"type\": \"Feature\"\(more), \"properties\": \(properties), \"geometry\": "
      + "{\"type\": \"MultiPolygon\", \"coordinates\": \(polygons)}}"
  }

  /// Returns the ring of a box.
  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [[Double]] {
    [[west, south], [east, south], [east, north], [west, north], [west, south]]
  }

  static func point(_ name: String) -> String {
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"\(name)\"}, \"geometry\": "
      + "{\"type\": \"Point\", \"coordinates\": [1, 2]}}"
  }
}

@Suite("Files of regions")
struct RegionFileTests {
  @Test("a region has the name of its property, or else its id")
  func names() throws {
    let box = [[RegionSample.box(0, 0, 10, 10)]]
    let sample = try RegionSample([
      RegionSample.feature("Côte d'Ivoire", box),
      RegionSample.feature(nil, box, more: ", \"id\": 17"),
    ])
    let regions = try sample.read().regions
    #expect(regions.map(\.name) == ["Côte d'Ivoire", "17"])
    #expect(regions[0].digest == regions[1].digest && !regions[0].digest.isEmpty)
  }

  private static let boxes: [(polygons: [[[[Double]]]], box: [Double])] = [
    ([[RegionSample.box(10, 20, 30, 40)]], [10, 20, 30, 40]),
    // One polygon over the antimeridian.
    ([[RegionSample.box(170, -20, 190, -10)]], [170, -20, -170, -10]),
    // Two that meet there.
    (
      [[RegionSample.box(170, -20, 180, -10)], [RegionSample.box(-180, -20, -175, -10)]],
      [170, -20, -175, -10]
    ),
    // The gap of the Atlantic is narrower than that of the Pacific.
    (
      [[RegionSample.box(-60, 0, -50, 10)], [RegionSample.box(20, 0, 30, 10)]], [-60, 0, 30, 10]
    ),
    // One over the antimeridian, which covers the beginning of the world, and one far from it.
    (
      [[RegionSample.box(160, 0, 200, 10)], [RegionSample.box(-150, 0, -140, 10)]],
      [160, 0, -140, 10]
    ),
    ([[RegionSample.box(-180, -60, 180, 60)]], [-180, -60, 180, 60]),
  ]

  @Test("the box of a region is the narrowest, also across the antimeridian", arguments: boxes)
  func bounds(polygons: [[[[Double]]]], box: [Double]) throws {
    let sample = try RegionSample([RegionSample.feature("a", polygons)])
    let bounds = try #require(try sample.read().regions.first).bounds
    let edges = [bounds.west, bounds.south, bounds.east, bounds.north]
    #expect(zip(edges, box).allSatisfy { abs($0 - $1) < 1e-6 }, "\(edges), not \(box)")
  }

  private static let area = [[RegionSample.box(0, 0, 10, 10)]]

  private static let refused: [(features: [String], place: String, message: String)] = [
    ([RegionSample.feature("a", area), RegionSample.point("b")], ":3:1:", "MultiPolygon"),
    (
      [RegionSample.feature("a", area), RegionSample.feature("a", area)], ":3:1:",
      "two regions are named 'a'; the other one begins at line 2"
    ),
    ([RegionSample.feature(nil, area)], ":2:1:", "neither the property 'name' nor an id"),
    ([RegionSample.feature("a", [])], ":2:1:", "empty"),
    (
      [RegionSample.feature("a", [[[[0, 0], [1, 1], [0, 0], [0, 0]]]])], ":2:1:",
      "it has no area"
    ),
    (
      [
        "{\"type\": \"Feature\", \"properties\": {\"name\": \"a\"}, \"geometry\": null}"
      ], ":2:1:", "no geometry"
    ),
    ([RegionSample.feature("/a/b", area)], ":2:1:", "metadata"),
    (
      [
        "{\"type\": \"Feature\", \"properties\": {\"name\": \"a\"}, \"geometry\": "
          + "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [1]]]}}"
      ], ":2:", "no region"
    ),
    ([], ":", "there is no region"),
  ]

  @Test("a feature that is no region is refused with its place", arguments: refused)
  func refusals(features: [String], place: String, message: String) throws {
    let sample = try RegionSample(features)
    let error = #expect(throws: PipelineError.self) { try sample.read() }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("regions.geojson\(place)") && text.contains(message), "\(text)")
    #expect(error?.exitCode == 65)
  }

  @Test("all features that are no regions are named at once")
  func several() throws {
    let sample = try RegionSample([
      RegionSample.point("a"), RegionSample.feature("b", Self.area), RegionSample.point("c"),
    ])
    let error = #expect(throws: PipelineError.self) { try sample.read() }
    #expect(error?.place?.line == 2 && error?.others.map(\.place?.line) == [4])
  }

  @Test("a property that no feature has is refused at its key, with those that there are")
  func unknownProperty() throws {
    let sample = try RegionSample(
      [RegionSample.feature("a", Self.area, more: ", \"id\": 1")], name: "nme")
    let error = #expect(throws: PipelineError.self) { try sample.read() }
    #expect(error?.place == DocumentPlace(file: "map.yml", line: 9, column: 40))
    #expect(error?.message.contains("did you mean 'name'?") == true)
    #expect(error?.message.contains("properties are name.") == true)
  }

  @Test("a file that is not there is named")
  func missing() throws {
    var sample = try RegionSample([])
    sample.packs.regions = sample.folder.path("none.geojson")
    let error = #expect(throws: PipelineError.self) { try sample.read() }
    #expect(error?.exitCode == 66 && "\(String(describing: error))".contains("none.geojson"))
  }
}
