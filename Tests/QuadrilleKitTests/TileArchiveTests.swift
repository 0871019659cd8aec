import Foundation
import QuadrilleKit
import TestSupport
import Testing

/// Archives of both formats, as a program that embeds the library reads them.
@Suite("archives of QuadrilleKit")
struct TileArchiveTests {
  private let sample: KitSample

  init() throws { sample = try KitSample() }

  /// Builds an archive of the sample, with taps if it is an MBTiles archive.
  private func build(_ name: String) throws -> URL {
    let text = KitSample.text(answersTaps: name.hasSuffix(".mbtiles"))
    let pipeline = try sample.pipeline(text).replacingSource("hotels", with: KitSample.features)
    let url = sample.folder.url.appending(path: name)
    #expect(try pipeline.build(BuildSettings(output: url)).map(\.archive.path) == [url.path])
    return url
  }

  @Test("PMTiles files have the tiles, zooms and metadata of MBTiles archives")
  func containers() throws {
    let stored = try TileArchive(url: build("a.mbtiles"))
    let packed = try TileArchive(url: build("a.pmtiles"))
    #expect(packed.minZoom == 0 && packed.maxZoom == 3)
    #expect(packed.metadata["name"] == "hotels" && packed.metadata["format"] == "png")
    #expect(packed.metadata["bounds"] == stored.metadata["bounds"])
    let counts = try stored.tileCounts()
    #expect(try counts == packed.tileCounts() && counts.keys.sorted() == [0, 1, 2, 3])
    for (zoom, column, row) in [(0, 0, 0), (1, 1, 0), (3, 4, 2), (3, 0, 0), (9, 9, 9), (-1, 0, 0)] {
      let tile = try stored.tile(zoom: zoom, column: column, row: row)
      #expect(try packed.tile(zoom: zoom, column: column, row: row) == tile)
    }
    #expect(try packed.tile(zoom: 3, column: 4, row: 2) != nil)
    #expect(try stored.tap(longitude: 8.6, latitude: 47.4) != nil)
    let error = try #require(throws: QuadrilleError.self) {
      try packed.tap(longitude: 8.5, latitude: 47.4)
    }
    #expect(error.code == .badData)
    #expect(error.sentence.contains("is a PMTiles file, which holds no taps"))
  }

  @Test(
    "a sound archive is verified, and a damaged one has faults", arguments: ["mbtiles", "pmtiles"])
  func verification(format: String) async throws {
    let url = try build("a.\(format)")
    let sound = try await TileArchive.verify(url)
    #expect(sound.isSound && sound.conclusion.hasPrefix("sound"))
    let bytes = try Data(contentsOf: url)
    try bytes.prefix(bytes.count - 100).write(to: url)
    let damaged = try await TileArchive.verify(url)
    #expect(!damaged.isSound && damaged.conclusion.contains("fault"))
  }

  @Test(
    "a file that is not there is missing, whatever its ending", arguments: ["mbtiles", "pmtiles"])
  func missing(format: String) throws {
    let url = sample.folder.url.appending(path: "none.\(format)")
    let opened = try #require(throws: QuadrilleError.self) { try TileArchive(url: url) }
    #expect(opened.code == .missingInput)
    let verified = try #require(throws: QuadrilleError.self) { try TileArchive.verify(url) }
    #expect(verified.code == .missingInput)
  }

  @Test("a file that begins as PMTiles and ends at once is no archive")
  func truncated() throws {
    try sample.folder.write("PMTiles\u{3}", to: "a.pmtiles")
    let error = try #require(throws: QuadrilleError.self) {
      try TileArchive(url: sample.folder.url.appending(path: "a.pmtiles"))
    }
    #expect(error.code == .badData)
  }
}
