import Overlays
import Testing
import Tiling

@Suite("The placement of an image")
struct ImagePlacementTests {
  private static func world(_ longitude: Double, _ latitude: Double) -> PlanePoint {
    let point = WorldPoint(LngLat(longitude: longitude, latitude: latitude))
    return PlanePoint(
      x: Double(point?.x ?? 0) / 4_294_967_296, y: Double(point?.y ?? 0) / 4_294_967_296)
  }

  private static func isNear(_ a: PlanePoint?, _ b: PlanePoint, _ tolerance: Double = 1e-9) -> Bool
  {
    guard let a else { return false }
    return abs(a.x - b.x) < tolerance && abs(a.y - b.y) < tolerance
  }

  @Test("a placement by bounds puts the corners and the middle row where its projection does")
  func bounds() throws {
    let mercator = try ImagePlacement(bounds: Workshop.ukBounds)
    let even = try ImagePlacement(bounds: Workshop.ukBounds, projection: .equirectangular)
    for placement in [mercator, even] {
      let corner = Self.world(-12, 61)
      #expect(
        Self.isNear(
          placement.imagePoint(worldX: corner.x, worldY: corner.y), PlanePoint(x: 0, y: 0), 1e-7))
      let other = Self.world(5, 48)
      #expect(
        Self.isNear(
          placement.imagePoint(worldX: other.x, worldY: other.y), PlanePoint(x: 1, y: 1), 1e-7))
    }
    let middle = Self.world(-3.5, 54.5)
    let rowEven = even.imagePoint(worldX: middle.x, worldY: middle.y)
    #expect(Self.isNear(rowEven, PlanePoint(x: 0.5, y: 0.5), 1e-7))
    let rowMercator = mercator.imagePoint(worldX: middle.x, worldY: middle.y)?.y ?? 0
    #expect(rowMercator > 0.51)
  }

  @Test(
    "a placement maps to the world and back",
    arguments: [0, 30, 90, -135, 180, 359.5], ImageProjection.allCases)
  func inverse(bearing: Double, projection: ImageProjection) throws {
    let placement = try ImagePlacement(
      bounds: Workshop.ukBounds, bearing: bearing, projection: projection)
    for u in stride(from: 0.0, through: 1, by: 0.25) {
      for v in stride(from: 0.0, through: 1, by: 0.25) {
        let there = placement.worldPoint(imageX: u, imageY: v)
        let back = placement.imagePoint(worldX: there.x, worldY: there.y)
        #expect(Self.isNear(back, PlanePoint(x: u, y: v)))
        #expect(
          there.x >= placement.extent.west - 1e-12 && there.x <= placement.extent.east + 1e-12)
        #expect(
          there.y >= placement.extent.north - 1e-12 && there.y <= placement.extent.south + 1e-12)
      }
    }
  }

  @Test("a placement rotates clockwise on the screen")
  func clockwise() throws {
    let box = GeoBounds(west: -10, south: -10, east: 10, north: 10)
    let placement = try ImagePlacement(bounds: box, bearing: 90)
    // The top left corner goes to the top right.
    let corner = placement.worldPoint(imageX: 0, imageY: 0)
    #expect(corner.x > 0.5 && corner.y < 0.5)
    let right = placement.worldPoint(imageX: 1, imageY: 0)
    #expect(right.x > 0.5 && right.y > 0.5)
  }

  @Test("a placement by four corners is projective, and affine for a parallelogram")
  func corners() throws {
    func at(_ longitude: Double, _ latitude: Double) -> LngLat {
      LngLat(longitude: longitude, latitude: latitude)
    }
    let quad = [at(-5, 20), at(10, 25), at(20, -10), at(-20, -15)]
    let placement = try ImagePlacement(
      topLeft: quad[0], topRight: quad[1], bottomRight: quad[2], bottomLeft: quad[3])
    let units = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    for (corner, unit) in zip(quad, units) {
      let world = Self.world(corner.longitude, corner.latitude)
      let found = placement.imagePoint(worldX: world.x, worldY: world.y)
      #expect(Self.isNear(found, PlanePoint(x: unit.0, y: unit.1), 1e-6))
    }
    // The diagonals of the image meet where those of the quadrilateral do: straight lines stay so.
    let worlds = quad.map { Self.world($0.longitude, $0.latitude) }
    let (p, r) = (worlds[0], PlanePoint(x: worlds[2].x - worlds[0].x, y: worlds[2].y - worlds[0].y))
    let (q, s) = (worlds[1], PlanePoint(x: worlds[3].x - worlds[1].x, y: worlds[3].y - worlds[1].y))
    let t = ((q.x - p.x) * s.y - (q.y - p.y) * s.x) / (r.x * s.y - r.y * s.x)
    let crossing = placement.worldPoint(imageX: 0.5, imageY: 0.5)
    #expect(Self.isNear(crossing, PlanePoint(x: p.x + t * r.x, y: p.y + t * r.y), 1e-6))
    let slanted = try ImagePlacement(
      topLeft: at(0, 10), topRight: at(10, 10), bottomRight: at(12, 0), bottomLeft: at(2, 0))
    let middle = Self.world(6, 0)
    let top = Self.world(6, 10)
    let found = slanted.imagePoint(worldX: middle.x, worldY: (middle.y + top.y) / 2)
    #expect(Self.isNear(found, PlanePoint(x: 0.5, y: 0.5), 1e-7))
  }

  @Test("a placement crosses the antimeridian, also from 0° to 360°, and knows its tiles")
  func antimeridian() throws {
    let pacific = try ImagePlacement(
      bounds: GeoBounds(west: 170, south: -10, east: -170, north: 10))
    #expect(pacific.extent.tileColumns(zoom: 4) == [0..<1, 15..<16])
    #expect(pacific.extent.tileRows(zoom: 4) == 7..<9)
    let round = try ImagePlacement(
      bounds: GeoBounds(west: 0, south: -90, east: 360, north: 90), projection: .equirectangular)
    #expect(round.extent.tileColumns(zoom: 3) == [0..<8])
    #expect(round.extent.tileRows(zoom: 3) == 0..<8)
    let greenwich = round.imagePoint(worldX: 1.25, worldY: 0.5)
    #expect(Self.isNear(greenwich, PlanePoint(x: 0.75, y: 0.5)))
  }

  @Test("a placement by a world file counts from the centre of the first pixel")
  func worldFile() throws {
    // 10 × 20 pixels of 0.5°; the corner lies at 3° E, 50° N.
    let file = try WorldFile("0.5\n0\n0\n-0.5\n3.25\n49.75\n")
    let placement = try ImagePlacement(
      worldFile: file, width: 10, height: 20, projection: .equirectangular)
    let same = try ImagePlacement(
      bounds: GeoBounds(west: 3, south: 40, east: 8, north: 50), projection: .equirectangular)
    for (u, v) in [(0.0, 0.0), (1, 1), (0.3, 0.8)] {
      #expect(
        Self.isNear(
          placement.worldPoint(imageX: u, imageY: v), same.worldPoint(imageX: u, imageY: v), 1e-12))
    }
    let metres = try WorldFile("1000\r\n0\r\n0\r\n-1000\r\n500000\r\n6000000\r\n")
    let mercator = try ImagePlacement(
      worldFile: metres, width: 100, height: 100, projection: .mercator)
    #expect(
      abs(mercator.extent.west - (0.5 + 499_500 / 40_075_016.685_578_488)) < 1e-12)
    #expect(throws: OverlayError.self) {
      try ImagePlacement(worldFile: file, width: 10, height: 20, projection: .mercator)
    }
    #expect(throws: OverlayError.self) {
      try ImagePlacement(worldFile: metres, width: 9, height: 9, projection: .equirectangular)
    }
    for text in ["", "1\n2\n3", "1\n2\n3\n4\n5\nx", "1\n2\n3\n4\n5\nnan"] {
      #expect(throws: OverlayError.self) { try WorldFile(text) }
    }
  }

  @Test("a placement beyond the map's edge follows Mercator, and cannot have a corner at a pole")
  func beyondTheEdge() throws {
    let box = GeoBounds(west: -60, south: -40, east: 60, north: 89)
    let placement = try ImagePlacement(bounds: box)
    #expect(placement.extent.north == 0)
    let corner = placement.worldPoint(imageX: 0, imageY: 0)
    // ½ − asinh(tan 89°)/2π
    #expect(Self.isNear(corner, PlanePoint(x: 1.0 / 3, y: -0.254_609_1), 1e-6))
    let edge = try #require(placement.imagePoint(worldX: 0.5, worldY: 0))
    #expect(edge.y > 0.28 && edge.y < 0.3)
    let map = try ImagePlacement(
      bounds: GeoBounds(
        west: -180, south: -WorldPoint.maxLatitude, east: 180, north: WorldPoint.maxLatitude))
    #expect(map.worldPoint(imageX: 0, imageY: 0) == PlanePoint(x: 0, y: 0))
    #expect(map.worldPoint(imageX: 1, imageY: 1) == PlanePoint(x: 1, y: 1))
    for latitude in [90.0, -90] {
      let pole = LngLat(longitude: 0, latitude: latitude)
      let error = #expect(throws: OverlayError.self) {
        try ImagePlacement(
          topLeft: pole, topRight: LngLat(longitude: 9, latitude: 0),
          bottomRight: LngLat(longitude: 9, latitude: -1),
          bottomLeft: LngLat(longitude: 0, latitude: -1))
      }
      #expect(error?.message.contains("equirectangular") == true)
    }
  }

  @Test("an invalid placement is refused in one sentence")
  func refused() throws {
    let bad: [GeoBounds] = [
      GeoBounds(west: 0, south: 10, east: 10, north: 0),
      GeoBounds(west: 0, south: 0, east: 0, north: 10),
      GeoBounds(west: -200, south: 0, east: 200, north: 10),
      GeoBounds(west: .nan, south: 0, east: 10, north: 10),
      GeoBounds(west: 0, south: -91, east: 10, north: 10),
      GeoBounds(west: 0, south: 86, east: 10, north: 89),
    ]
    for bounds in bad {
      let error = #expect(throws: OverlayError.self) { try ImagePlacement(bounds: bounds) }
      #expect(error?.code == .badPlacement)
      #expect(error?.message.hasSuffix(".") == true)
    }
    func at(_ longitude: Double, _ latitude: Double) -> LngLat {
      LngLat(longitude: longitude, latitude: latitude)
    }
    #expect(throws: OverlayError.self) {
      try ImagePlacement(
        topLeft: at(0, 10), topRight: at(10, 0), bottomRight: at(10, 10), bottomLeft: at(0, 0))
    }
    #expect(throws: OverlayError.self) {
      try ImagePlacement(
        topLeft: at(0, 10), topRight: at(10, 95), bottomRight: at(10, 0), bottomLeft: at(0, 0))
    }
    #expect(throws: OverlayError.self) {
      try ImagePlacement(bounds: Workshop.ukBounds, bearing: .infinity)
    }
  }
}
