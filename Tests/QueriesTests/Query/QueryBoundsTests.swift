import PipelineSamples
import TestSupport
import Testing
import Tiling

@testable import Queries

/// `query --bbox`: one answer, whatever the format, and that of `S_INTERSECTS`.
@Suite struct QueryBoundsTests {
  private static let points = [(179.5, 10), (-179.5, 10), (180, 5), (0, 0), (20, -30)]

  private func samples() throws -> [QuerySample] {
    let rows = Self.points.map { "\($0.0),\($0.1)" }.joined(separator: "\n")
    let features = Self.points.map {
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[\#($0.0),\#($0.1)]}}"#
    }
    let files = [
      (name: "p.csv", text: "lng,lat\n\(rows)\n"),
      (name: "p.jsonl", text: features.joined(separator: "\n")),
    ]
    let csv = try QuerySample([("p", "type: csv, data: p.csv")], files: files)
    let package = try QuerySample([("p", "type: gpkg, data: p.gpkg")], files: [])
    _ = try csv.text { ($0.format, $0.output) = (.gpkg, package.folder.path("p.gpkg")) }
    return [
      csv, try QuerySample([("p", "type: geojsonseq, data: p.jsonl")], files: files), package,
    ]
  }

  @Test(
    "longitudes wrap, and the edges belong to the box, in every format and for clusters",
    arguments: [
      ("170,0,-170,20", 3), ("170,0,190,20", 3), ("-190,0,-170,20", 3), ("530,0,550,20", 3),
      ("530,0,-170,20", 3), ("179,10,180,11", 1), ("179,10,181,11", 2), ("180,5,180,5", 1),
      ("-180,5,-180,5", 1), ("179.5,10,179.5,10", 1), ("-20,-30,20,0", 2), ("-540,-90,540,90", 5),
      ("0,-30,20,-1", 1), ("100,-90,460,90", 5), ("1,1,9,9", 0),
    ])
  func edges(box: String, count: Int) throws {
    for (index, sample) in try samples().enumerated() {
      let bounds = try #require(GeoBounds(box))
      #expect(
        try sample.text { ($0.bounds, $0.countsOnly) = (bounds, true) } == "\(count)\n", "\(index)")
      #expect(
        try sample.text { ($0.bounds, $0.countsOnly, $0.clusterZoom) = (bounds, true, 9) }
          == "\(count)\n", "clusters \(index)")
      guard [bounds.west, bounds.east].allSatisfy({ abs($0) < 360 }) else { continue }
      let condition = "S_INTERSECTS(geometry, BBOX(\(box)))"
      #expect(
        try sample.text { ($0.whereText, $0.countsOnly) = (condition, true) } == "\(count)\n")
    }
  }
}
