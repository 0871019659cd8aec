import Foundation
import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing

@testable import Reports
@testable import Runs

/// Where an archive says that readers shall look first.
@Suite("The centre of an archive")
struct CenterTests {
  @Test(
    "the centre of an archive is the configured one, or the middle of the data",
    arguments: [
      ("", "-10,20"), (", bounds: [0, -30, 90, 60]", "25,20"),
      (", bounds: [170, -60, -170, 60]", "-10,20"),
    ])
  func center(bounds: String, place: String) throws {
    let sample = try BuildSample(rows: 0, tiles: "{maxzoom: 1\(bounds)}")
    try sample.folder.write("lng,lat,name\n-70,0,a\n50,40,b\n-50,10,c\n", to: "places.csv")
    try sample.build()
    let archive = try ArchiveReader(FilePath(sample.folder.path("out.mbtiles")))
    let center = try #require(archive.metadata["center"])
    #expect(center.hasPrefix(place + ","), "\(center)")
  }

  @Test(
    "the centre is that of the pipeline in metadata, TileJSON and style, within the bounds",
    arguments: [
      ("{center: [-60, 5], zoom: 1}", "-60,5,1", nil), ("{zoom: 2}", "-10,20,2", nil),
      ("{center: [300, 5]}", "-60,5,2", nil),
      ("{center: [-60, 60], zoom: 0}", "-60,40,0", "'center' of the view lies outside"),
    ] as [(String, String, String?)])
  func view(text: String, expected: String, note: String?) throws {
    let sample = try BuildSample(rows: 0, tiles: "{maxzoom: 2}", more: "view: \(text)")
    try sample.folder.write("lng,lat,name\n-70,0,a\n50,40,b\n-50,10,c\n", to: "places.csv")
    let report = try #require(try sample.build().first)
    #expect(report.notes.count == (note == nil ? 0 : 1))
    if let note { #expect(report.notes.first?.hasPrefix(note) == true, "\(report.notes)") }
    let archive = try ArchiveReader(FilePath(sample.folder.path("out.mbtiles")))
    #expect(archive.metadata["center"] == expected)
    let place = expected.split(separator: ",").compactMap { Double($0) }
    #expect(try center(sample, "out.tilejson") == place)
    #expect(try center(sample, "out.style.json") == Array(place.dropLast()))
    // The view decides bytes, so another one is built.
    #expect(try sample.build().first?.result == .unchanged)
    try sample.folder.write(
      try String(contentsOfFile: sample.file, encoding: .utf8)
        .replacing("view: \(text)", with: "view: {center: [0, 10]}"), to: "sample.yml")
    #expect(try sample.build().first?.result == .published)
  }

  private func center(_ sample: BuildSample, _ file: String) throws -> [Double]? {
    let bytes = try Data(contentsOf: sample.folder.url.appending(path: file))
    let object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
    return object?["center"] as? [Double]
  }

  @Test(
    "an invalid centre, or one beyond the zooms, is refused",
    arguments: [
      ("{center: [10, 123]}", "123 is beyond the poles. Write the longitude first."),
      ("{zoom: 3}", "made for zoom 0 to 2"),
      ("{zom: 1}", "did you mean 'zoom'?"),
    ])
  func refused(text: String, words: String) throws {
    let sample = try BuildSample(rows: 1, tiles: "{maxzoom: 2}", more: "view: \(text)")
    let error = #expect(throws: PipelineError.self) { try sample.definition() }
    #expect(error?.code == .definition && error?.message.contains(words) == true, "\(error as Any)")
    #expect(error?.place?.line != nil)
  }
}
