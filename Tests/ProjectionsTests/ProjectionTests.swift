import Projections
import Testing
import Tiling

@Suite("Positions of other reference systems")
struct ProjectionTests {
  private func degrees(_ name: String, _ x: Double, _ y: Double) throws -> LngLat {
    let projection = try Projection(from: try #require(ReferenceSystem(name)))
    var positions = ContiguousArray([LngLat(longitude: x, latitude: y)])
    projection.apply(to: &positions)
    return positions[0]
  }

  @Test("metres of Web Mercator are converted by arithmetic, under all their names")
  func mercator() throws {
    for name in ["EPSG:3857", "epsg:900913", "EPSG:102100"] {
      #expect(ReferenceSystem(name) == .webMercator)
    }
    let edge = try degrees("EPSG:3857", 20_037_508.342789244, 20_037_508.342789244)
    #expect(abs(edge.longitude - 180) < 1e-9 && abs(edge.latitude - 85.0511287798066) < 1e-9)
    let berlin = try degrees("EPSG:3857", 1_492_237.774, 6_894_699.801)
    #expect(abs(berlin.longitude - 13.405) < 1e-5 && abs(berlin.latitude - 52.52) < 1e-5)
  }

  @Test("degrees stay as they are")
  func degreesStay() throws {
    for name in ["EPSG:4326", "OGC:CRS84", "crs84"] {
      #expect(try degrees(name, 13.4, 52.5) == LngLat(longitude: 13.4, latitude: 52.5))
    }
  }

  /// Positions with their degrees by other programs: the origin of the Dutch grid at Amersfoort, the
  /// false origins of UTM 32 and of Lambert-93.
  static let known: [(system: String, x: Double, y: Double, longitude: Double, latitude: Double)] =
    [
      ("EPSG:28992", 155_000, 463_000, 5.38720621, 52.15517440),
      ("EPSG:25832", 500_000, 0, 9, 0), ("EPSG:2154", 700_000, 6_600_000, 3, 46.5),
      ("+proj=utm +zone=32 +datum=WGS84", 500_000, 0, 9, 0),
    ]

  @Test("other systems are PROJ's, easting before northing", arguments: known)
  func library(
    system: String, x: Double, y: Double, longitude: Double, latitude: Double
  ) throws {
    guard Projection.libraryVersion != nil else {
      print("skipped: PROJ is not installed")
      return
    }
    let position = try degrees(system, x, y)
    #expect(abs(position.longitude - longitude) < 1e-5, "\(position)")
    #expect(abs(position.latitude - latitude) < 1e-5, "\(position)")
  }

  @Test("what has no place on the globe becomes infinite")
  func lost() throws {
    guard Projection.libraryVersion != nil else {
      print("skipped: PROJ is not installed")
      return
    }
    #expect(!(try degrees("EPSG:25832", 1e30, 1e30).latitude.isFinite))
  }

  @Test("a name that PROJ does not know, or that may be a file, is refused")
  func unknown() throws {
    for name in ["", "utm32", "/etc/passwd", "a\u{7}b:1"] { #expect(ReferenceSystem(name) == nil) }
    let system = try #require(ReferenceSystem("EPSG:99999999"))
    let expected = Projection.libraryVersion == nil ? ProjectionError.absent : .unknown
    #expect(throws: expected) { try Projection(from: system) }
  }
}
