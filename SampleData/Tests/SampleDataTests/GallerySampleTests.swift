import Foundation
import Testing

@testable import sample_data

@Suite struct GallerySampleTests {
  private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs")

  private static let archipelago = Archipelago()

  @Test func `the data of the gallery in docs is what the generator makes`() throws {
    for (name, bytes) in GallerySample.files() {
      let file = try Data(contentsOf: Self.docs.appendingPathComponent("gallery/\(name)"))
      #expect(file == Data(bytes), "\(name): make it anew with 'sample-data gallery docs/gallery'")
    }
    let stores = try Data(contentsOf: Self.docs.appendingPathComponent("stores.csv"))
    #expect(stores == Data(GallerySample.hotels().utf8), "docs/stores.csv is gallery/hotels.csv")
  }

  @Test func `the file of the tutorial in docs is what the generator makes, in Windows-1252`()
    throws
  {
    let bytes = TutorialSample.bytes()
    #expect(
      try Data(contentsOf: Self.docs.appendingPathComponent("tutorial/cafes.csv")) == Data(bytes))
    #expect(String(validating: bytes, as: UTF8.self) == nil)
  }

  @Test func `the sprite has an icon or a pattern in each of its squares, and patterns repeat`() {
    let image = SpriteSample(density: 1).image()
    for (number, name) in SpriteSample.names.enumerated() {
      var drawn = 0
      let side = SpriteSample.side
      for y in 0..<side {
        for x in 0..<side where image.indices[y * image.width + number * side + x] > 0 {
          drawn += 1
        }
      }
      #expect((30...480).contains(drawn), "\(name): \(drawn)")
    }
  }

  @Test func `cities lie on the land that is drawn below them, and waters do not`() {
    for place in NewYork.places {
      #expect(NewYork.isOnLand(place.longitude, place.latitude), "\(place.name)")
    }
    for place in NewYork.waters {
      #expect(!NewYork.isOnLand(place.longitude, place.latitude), "\(place.name)")
    }
    for place in BritishIsles.places {
      let isOnLand = BritishIsles.land.contains {
        Coast.contains($0, (place.longitude, place.latitude))
      }
      #expect(isOnLand, "\(place.name)")
    }
  }

  @Test func `the origin of a place of an island leads back to it`() {
    for island in Self.archipelago.land {
      for (angle, share) in [(0.1, 0.2), (1.7, 0.5), (3.2, 0.4), (4.4, 0.7), (6, 0.3)] {
        let place = island.place(angle, share)
        let origin = island.origin(of: place)
        let back = island.place(origin.angle, origin.share)
        #expect(abs(back.0 - place.0) < 0.02 * island.radius)
        #expect(abs(back.1 - place.1) < 0.02 * island.radius)
      }
      #expect(island.origin(of: (island.longitude + 4 * island.radius, island.latitude)).share > 1)
    }
  }

  @Test func `rivers gain water on their way, and all reach the sea`() {
    let terrain = Self.archipelago.terrain
    let drainage = Drainage(of: terrain)
    let reaches = drainage.reaches()
    #expect(reaches.count > 200)
    let starts = Set(reaches.compactMap { $0.line.first.map { "\($0)" } })
    for reach in reaches {
      #expect(reach.flow > 0)
      guard let end = reach.line.last, !starts.contains("\(end)") else { continue }
      // Halfway to a cell of the sea: one of the two cells beside it is no land.
      let isCoast = [-0.006, 0, 0.006].contains { east in
        [-0.004, 0, 0.004].contains { terrain.elevation(at: (end.0 + east, end.1 + $0)) == 0 }
      }
      #expect(isCoast, "\(end)")
    }
    for cell in drainage.cells { #expect(terrain.heights[cell] > 0) }
    let water = drainage.cells.map { drainage.flow[$0] }
    #expect((water.max() ?? 0) > 1_500 && (water.min() ?? 0) >= 55)
  }

  @Test func `no name of a town occurs twice`() {
    let rows = Self.archipelago.towns.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",")
    }
    #expect(rows.count > 60)
    #expect(Set(rows.map { $0[2] }).count == rows.count)
  }
}
