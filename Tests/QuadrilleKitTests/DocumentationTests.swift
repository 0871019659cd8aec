import Foundation
import QuadrilleKit
import TestSupport
import Testing

/// The code of the documentation, as it stands there: RepositoryTests compares the two.
@Suite("examples of QuadrilleKit's documentation")
struct DocumentationTests {
  private let files: TemporaryFolder

  private var folder: URL { files.url }

  init() throws {
    files = try TemporaryFolder()
    try files.write(
      """
      name,lng,lat,people
      Bern,7.447,46.948,134000
      Lyon,4.836,45.764,522000
      Torino,7.687,45.070,848000
      Genève,6.143,46.204,203000

      """, to: "towns.csv")
  }

  @Test("the article leads from data to tiles")
  func article() async throws {
    var times: [String: Double] = [:]

    let file = folder.appending(path: "towns.yml")
    let draft = try await TilePipeline.draft(
      from: [folder.appending(path: "towns.csv")], for: file)
    try draft.text.write(to: file, atomically: true, encoding: .utf8)

    let pipeline = try TilePipeline(contentsOf: file)
    let check = try await pipeline.check()
    if let failure = check.failure { throw failure }

    let run = pipeline.building(BuildSettings(output: folder.appending(path: "towns.mbtiles")))
    for await event in run.progress {
      if case .ended(let stage, let seconds) = event { times[stage] = seconds }
    }
    let results = try await run.results

    let bern = MapFeature(
      id: "bern", geometry: .point(MapPosition(longitude: 7.447, latitude: 46.948)),
      properties: ["name": "Bern", "people": 134_000])
    let live = try pipeline.replacingSource("towns", with: [bern])

    let picture = try await live.render(
      .box(west: 5.9, south: 45.8, east: 10.5, north: 47.8),
      size: MapSize(width: 400, height: 300), scale: 2)
    try picture.pngData().write(to: folder.appending(path: "towns.png"))

    let archive = try TileArchive(url: results[0].archive)
    let tile = try archive.tile(zoom: 4, column: 8, row: 5)
    let verification = try await TileArchive.verify(archive.url)

    #expect(draft.choices.count <= 1 && draft.summary.contains("1 source"))
    #expect(check.sources.map(\.used) == [4])
    #expect(times.keys.contains("tiles") && times.keys.contains("publish"))
    #expect(picture.width == 800 && picture.height == 600)
    #expect(tile?.isEmpty == false)
    #expect(verification.isSound && verification.conclusion.hasPrefix("sound"))
  }

  @Test("the comments of the types are followed")
  func comments() async throws {
    let (text, file) = ("version: 1\n", folder.appending(path: "stores.yml"))
    var message = ""
    do {
      _ = try TilePipeline(text: text, file: file)
    } catch {
      // stores.yml:5:38: layer 'disc' draws the source 'store', which is not there; …
      message = "\(error)"
    }
    #expect(message.hasPrefix(files.path("stores.yml")))
    // These name files of the current folder, which need not be there.
    await #expect(throws: QuadrilleError.self) {
      let pipeline = try TilePipeline(contentsOf: URL(filePath: "stores.yml"))
      let results = try await pipeline.build()
      _ = results
    }
    let towns = try await TilePipeline.draft(
      from: [folder.appending(path: "towns.csv")], for: file
    ).pipeline()
    let results = try await Self.follow(towns) { _ in }
    #expect(results.map(\.outcome) == [.published])
    #expect(throws: QuadrilleError.self) {
      let archive = try TileArchive(url: URL(filePath: "stores.pmtiles"))
      let png = try archive.tile(zoom: 3, column: 4, row: 2)
      _ = png
    }
  }

  private static func follow(
    _ pipeline: TilePipeline, show: (BuildProgress) -> Void
  ) async throws -> [BuildResult] {
    let run = pipeline.building()
    for await event in run.progress { show(event) }
    let results = try await run.results
    return results
  }
}
