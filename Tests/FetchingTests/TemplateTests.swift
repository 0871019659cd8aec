import Fetching
import Testing
import Tiling

/// Areas cut into requests.
struct TemplateTests {
  static func uris(
    _ template: String, _ area: GeoBounds, _ cut: TemplateCut, limit: Int = 100
  ) throws -> [String] {
    try AddressTemplate(template).requests(over: area, cut: cut, limit: limit, kind: .geojson)
      .map { $0.resource.uri }
  }

  @Test("an area is one request, in degrees without exponent and trailing zeros")
  func whole() throws {
    let area = GeoBounds(west: -73.9999999499, south: 40.7, east: -1e-9, north: 41)
    #expect(
      try Self.uris("http://a/?b={west},{south},{east},{north}", area, .whole)
        == ["http://a/?b=-73.9999999,40.7,0,41"])
  }

  @Test("a step divides an area from the north-west, row by row, and the last boxes are smaller")
  func degrees() throws {
    let area = GeoBounds(west: 0, south: 0, east: 2.5, north: 1.5)
    #expect(
      try Self.uris("http://a/{west},{south},{east},{north}", area, .degrees(1)) == [
        "http://a/0,0.5,1,1.5", "http://a/1,0.5,2,1.5", "http://a/2,0.5,2.5,1.5",
        "http://a/0,0,1,0.5", "http://a/1,0,2,0.5", "http://a/2,0,2.5,0.5",
      ])
  }

  @Test(
    "the boxes of an area leave no gap and do not overlap", arguments: [0.1, 0.3, 0.7, 1.0 / 3, 7])
  func seamless(step: Double) throws {
    let area = GeoBounds(west: -3.3, south: -1.1, east: 3.7, north: 2.2)
    let requests = try AddressTemplate("http://a/{west}").requests(
      over: area, cut: .degrees(step), limit: 10_000, kind: .any)
    let boxes = requests.map(\.cell.bounds)
    let size = boxes.map { ($0.east - $0.west) * ($0.north - $0.south) }.reduce(0, +)
    #expect(abs(size - 7 * 3.3) < 1e-6)
    let wests = Set(boxes.map(\.west))
    #expect(boxes.allSatisfy { $0.east == 3.7 || wests.contains($0.east) })
    let norths = Set(boxes.map(\.north))
    #expect(boxes.allSatisfy { $0.south == -1.1 || norths.contains($0.south) })
  }

  @Test("an area over the antimeridian is divided there")
  func antimeridian() throws {
    let area = GeoBounds(west: 179, south: 0, east: -179, north: 1)
    #expect(
      try Self.uris("http://a/{west}:{east}", area, .whole)
        == ["http://a/179:180", "http://a/-180:-179"])
    #expect(
      try Self.uris("http://a/{z}/{x}/{y}", area, .zoom(3)) == ["http://a/3/7/3", "http://a/3/0/3"])
    #expect(try Self.uris("http://a/{z}/{x}/{y}", area, .zoom(0)) == ["http://a/0/0/0"])
  }

  @Test(
    "tiles of an area are those that it touches; an edge on a tile's border touches it from inside")
  func tiles() throws {
    let quarter = GeoBounds(west: -180, south: 0, east: 0, north: WorldPoint.maxLatitude)
    #expect(try Self.uris("http://a/{z}/{x}/{y}", quarter, .zoom(1)) == ["http://a/1/0/0"])
    #expect(try Self.uris("http://a/{z}/{x}/{y}", .world, .zoom(1)).count == 4)
    #expect(try Self.uris("http://a/{z}/{x}/{y}", .world, .zoom(3)).count == 64)
    let point = GeoBounds(west: 0, south: 0, east: 0, north: 0)
    #expect(try Self.uris("http://a/{z}/{x}/{y}", point, .zoom(1)) == ["http://a/1/1/1"])
    let tall = GeoBounds(west: -1, south: -90, east: 1, north: 90)
    #expect(try Self.uris("http://a/{y}/{x}", tall, .zoom(1)).count == 4)
  }

  @Test("a tile may also be requested by its edges")
  func tileEdges() throws {
    #expect(
      try Self.uris(
        "http://a/{west},{south},{east},{north}",
        GeoBounds(west: 1, south: 1, east: 2, north: 2), .zoom(1)) == [
          "http://a/0,0,180,85.0511288"
        ])
  }

  @Test("too many requests, and invalid steps and areas, are refused")
  func refused() throws {
    let area = GeoBounds(west: 0, south: 0, east: 10, north: 10)
    let bad: [(GeoBounds, TemplateCut)] = [
      (area, .degrees(0.5)), (.world, .zoom(22)), (.world, .zoom(4)), (area, .degrees(0)),
      (area, .degrees(-1)), (area, .degrees(.nan)), (area, .degrees(1e-9)),
      (area, .degrees(1e-7)), (area, .zoom(23)), (area, .zoom(-1)),
      (GeoBounds(west: 0, south: 2, east: 1, north: 1), .whole),
      (GeoBounds(west: .nan, south: 0, east: 1, north: 1), .whole),
      (GeoBounds(west: 0, south: -91, east: 1, north: 1), .whole),
      (GeoBounds(west: 0, south: 0, east: .infinity, north: 1), .whole),
    ]
    for (area, cut) in bad {
      let error = FetchingSample.failure { try Self.uris("http://a/{west}", area, cut) }
      #expect(error?.code == .badAddress, "\(area) \(cut)")
    }
    #expect(try Self.uris("http://a/{west}", area, .degrees(1)).count == 100)
  }

  @Test("an unknown placeholder lists the known ones, and an unclosed brace is refused")
  func placeholders() throws {
    let error = FetchingSample.failure { try AddressTemplate("http://a/{bbox}") }
    #expect(error?.message.contains("'{bbox}'; there are {west}, {south}") == true)
    #expect(FetchingSample.failure { try AddressTemplate("http://a/{west") } != nil)
    #expect(try AddressTemplate("http://a/x").isTemplate == false)
    let tiles = try AddressTemplate("http://a/{z}/{x}/{y}")
    #expect(tiles.needsZoom)
    let missing = FetchingSample.failure {
      try tiles.requests(over: .world, cut: .whole, limit: 9, kind: .any)
    }
    #expect(missing?.message.contains("zoom") == true)
  }

  @Test("escapes and secrets of a template are kept")
  func secrets() throws {
    let template = try AddressTemplate(
      "http://a/%7Bx%7D/{x}?q=a%2Cb&k=hidden-1", secrets: SecretValues(["hidden-1"]))
    let request = try template.requests(over: .world, cut: .zoom(0), limit: 1, kind: .any)
    #expect(request.map(\.resource.uri) == ["http://a/%7Bx%7D/0?q=a%2Cb&k=***"])
    #expect(template.uri == "http://a/%7Bx%7D/{x}?q=a%2Cb&k=***")
  }

  @Test("features in two responses are read once, and duplicates within one response are kept")
  func overlap() {
    var overlap = AnswerOverlap<String>()
    let answers = [["a", "b", "b"], ["b", "c"], ["b", "b", "b", "a"], []]
    var kept: [String] = []
    for answer in answers {
      overlap.beginAnswer()
      kept += answer.filter { overlap.isNew($0) }
    }
    #expect(kept == ["a", "b", "b", "c", "b"])
    #expect(overlap.repeats == 4)
  }
}
