import Examination
import Foundation
import TestSupport
import Testing

@testable import Preview

/// The tables of the land and of named places.
@Suite("The preview's land")
struct LandTests {
  /// A line of the table of outlines.
  struct Outline {
    let kind: Substring
    let name: Substring
    let points: [(x: Double, y: Double)]
  }

  private static func lines(_ name: String) throws -> [Substring] {
    let bytes = try #require(PageFiles.file(name)).bytes
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
  }

  static func outlines() throws -> [Outline] {
    try lines("land.txt").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let head = try #require(parts.first).split(separator: " ", maxSplits: 1)
      let points = try #require(parts.last).split(separator: " ").map { pair in
        let numbers = pair.split(separator: ",").map { Double($0) ?? .nan }
        return (x: numbers[0], y: numbers[1])
      }
      return Outline(kind: head[0], name: head[1], points: points)
    }
  }

  @Test("every outline is closed by three positions or more, on the map and without a repeat")
  func outlines() throws {
    let outlines = try Self.outlines()
    #expect(Set(outlines.map { "\($0.kind) \($0.name)" }).count == outlines.count)
    for outline in outlines {
      #expect(["land", "lake", "border"].contains(outline.kind), "\(outline.name)")
      #expect(outline.points.count >= (outline.kind == "border" ? 2 : 3), "\(outline.name)")
      for (x, y) in outline.points {
        #expect((-180...195).contains(x) && (-90...90).contains(y), "\(outline.name): \(x),\(y)")
      }
      for (one, next) in zip(outline.points, outline.points.dropFirst()) {
        #expect(one != next, "\(outline.name): \(one)")
      }
    }
    #expect(outlines.count { $0.kind == "border" } > 250)
  }

  @Test("every named place has a position, a zoom or people, and lies on the land or just off it")
  func places() throws {
    let land = LandMask(try Self.outlines().filter { $0.kind == "land" }.map(\.points))
    var names: Set<Substring> = []
    for line in try Self.lines("places.txt") {
      let parts = line.split(separator: "|")
      #expect(parts.count == 3 && names.insert(parts[0]).inserted, "\(line.prefix(40))")
      let rest = parts[2].split(separator: ":", maxSplits: 1)
      #expect((0...9).contains(try #require(Int(rest[0]))), "\(line.prefix(40))")
      for city in rest[1].split(separator: ";") {
        let words = city.split(separator: " ")
        let place = words[words.count - 2].split(separator: ",").compactMap { Double($0) }
        #expect(place.count == 2 && Double(words[words.count - 1]) != nil, "\(city)")
        // Small islands are not in the table.
        let isSmall = (Int(words[words.count - 1]) ?? 0) < 1000
        #expect(isSmall || land.reaches(place[0], place[1], within: 1), "\(city)")
      }
    }
    #expect(names.count > 190)
  }

  @Test("the page stays within 400 kB with its library and its land")
  func size() throws {
    let own = PageFiles.all.reduce(0) { $0 + $1.content.bytes.count }
    let library =
      (try? LeafletFiles())?.all.filter { ["leaflet.js", "leaflet.css"].contains($0.name) }
      .reduce(0) { $0 + $1.content.bytes.count } ?? 165_000
    #expect(own + library <= 400_000, "\(own) + \(library)")
  }

  @Test(
    "the land agrees with Natural Earth's to 97 % of their area, and 95 % of the coasts to 60 km",
    .enabled(if: SharedData.isThere))
  func comparison() throws {
    let known = try Self.rings("overlays/ne_110m_land.json")
    let own = try Self.outlines()
    let land = own.filter { $0.kind == "land" }.map(\.points)
    let sea = own.filter { $0.name == "Caspian Sea" }.map(\.points)
    let (ours, theirs) = (LandMask(land, without: sea), LandMask(known))
    #expect(ours.agreement(with: theirs) >= 0.965)
    let edges = CoastIndex(land + sea)
    let coast = known.joined().filter { abs($0.x) < 179.9 && (-60...84).contains($0.y) }
    let near = coast.count { edges.isNear($0.x, $0.y, kilometres: 60) }
    #expect(Double(near) >= 0.95 * Double(coast.count), "\(near) of \(coast.count)")
  }

  /// The rings of the polygons of a file of GeoJSON.
  private static func rings(_ name: String) throws -> [[(x: Double, y: Double)]] {
    let data = Data(try SharedData.bytes(name))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let features = try #require(document["features"] as? [[String: Any]])
    return features.flatMap { feature -> [[(x: Double, y: Double)]] in
      let geometry = feature["geometry"] as? [String: Any]
      let one = geometry?["coordinates"] as? [[[Double]]]
      let many = geometry?["coordinates"] as? [[[[Double]]]]
      return (one ?? many?.flatMap { $0 } ?? []).map { ring in ring.map { (x: $0[0], y: $0[1]) } }
    }
  }
}

/// Land on a grid of half degrees, row by row from the north.
struct LandMask {
  private var cells = [Bool](repeating: false, count: 720 * 360)

  init(_ rings: [[(x: Double, y: Double)]], without: [[(x: Double, y: Double)]] = []) {
    for ring in rings { fill(ring, true) }
    for ring in without { fill(ring, false) }
  }

  /// Fills a ring by the even-odd rule at the middles of the cells.
  private mutating func fill(_ ring: [(x: Double, y: Double)], _ value: Bool) {
    for row in 0..<360 {
      let y = 89.75 - Double(row) / 2
      var crossings: [Double] = []
      for (i, end) in ring.enumerated() {
        let start = ring[i == 0 ? ring.count - 1 : i - 1]
        guard (start.y > y) != (end.y > y) else { continue }
        crossings.append(start.x + (y - start.y) / (end.y - start.y) * (end.x - start.x))
      }
      crossings.sort()
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        var column = Int(((crossings[pair] + 180) * 2 - 0.5).rounded(.up))
        while Double(column) / 2 + 0.25 - 180 < crossings[pair + 1] {
          cells[row * 720 + (column % 720 + 720) % 720] = value
          column += 1
        }
      }
    }
  }

  /// The common area of two masks as a share of the area of both together.
  func agreement(with other: LandMask) -> Double {
    var (common, whole) = (0.0, 0.0)
    for (cell, isLand) in cells.enumerated() {
      let weight = cos((89.75 - Double(cell / 720) / 2) * .pi / 180)
      if isLand && other.cells[cell] { common += weight }
      if isLand || other.cells[cell] { whole += weight }
    }
    return common / whole
  }

  /// Whether a cell within some degrees of a position is land.
  func reaches(_ x: Double, _ y: Double, within degrees: Double) -> Bool {
    let reach = Int(degrees * 2)
    let (column, row) = (Int((x + 180) * 2), Int((90 - y) * 2))
    for i in -reach...reach {
      for j in -reach...reach where (0..<360).contains(row + j) {
        if cells[(row + j) * 720 + (column + i + 720) % 720] { return true }
      }
    }
    return false
  }
}

/// The edges of coasts by the degree that they pass.
private struct CoastIndex {
  private var edges: [Int: [(a: (x: Double, y: Double), b: (x: Double, y: Double))]] = [:]

  init(_ rings: [[(x: Double, y: Double)]]) {
    for ring in rings {
      for (i, end) in ring.enumerated() {
        let start = ring[i == 0 ? ring.count - 1 : i - 1]
        let steps = max(1, Int(max(abs(end.x - start.x), abs(end.y - start.y)) * 2))
        var cells: Set<Int> = []
        for step in 0...steps {
          let share = Double(step) / Double(steps)
          cells.insert(
            Self.cell(start.x + share * (end.x - start.x), start.y + share * (end.y - start.y)))
        }
        for cell in cells { edges[cell, default: []].append((start, end)) }
      }
    }
  }

  private static func cell(_ x: Double, _ y: Double) -> Int {
    let column = (Int((x + 180).rounded(.down)) % 360 + 360) % 360
    return Int((y + 90).rounded(.down)) * 360 + column
  }

  /// Whether an edge passes within a distance of a position, on a plane around it.
  func isNear(_ x: Double, _ y: Double, kilometres: Double) -> Bool {
    let shrink = max(cos(y * .pi / 180), 0.05)
    let reach = Int((kilometres / 111 / shrink).rounded(.up))
    for j in -1...1 {
      for i in -reach...reach {
        for (a, b) in edges[Self.cell(x + Double(i), y + Double(j))] ?? [] {
          if Self.distance(x, y, a, b, shrink) * 111 <= kilometres { return true }
        }
      }
    }
    return false
  }

  private static func distance(
    _ x: Double, _ y: Double, _ a: (x: Double, y: Double), _ b: (x: Double, y: Double),
    _ shrink: Double
  ) -> Double {
    func near(_ value: Double) -> Double { (value - x).remainder(dividingBy: 360) * shrink }
    let (ax, ay) = (near(a.x), a.y - y)
    let (dx, dy) = (near(b.x) - ax, b.y - y - ay)
    let length = dx * dx + dy * dy
    let share = length == 0 ? 0 : min(max(-(ax * dx + ay * dy) / length, 0), 1)
    return ((ax + share * dx) * (ax + share * dx) + (ay + share * dy) * (ay + share * dy))
      .squareRoot()
  }
}
