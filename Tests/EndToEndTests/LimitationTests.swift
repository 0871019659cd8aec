import Foundation
import TestSupport
import Testing

/// What the README says that this version does not do; when one of these fails, a claim there has
/// become untrue.
@Suite("The limits that the README names")
struct LimitationTests {
  /// Words of the README's last section and a run that shows them.
  struct Limit: Sendable, CustomTestStringConvertible {
    let claim: String
    let pipeline: String
    var arguments = ["check", "-q", "a.yml"]
    let status: Int32
    let says: String

    var testDescription: String { "\(claim): \(says)" }
  }

  private static func layer(_ type: String) -> String {
    """
    version: 1
    sources: {s: {type: csv, data: a.csv}}
    layers: [{id: a, type: \(type), source: s}]
    """
  }

  private static func source(_ type: String) -> String {
    """
    version: 1
    sources: {s: {type: \(type), url: x}}
    layers: [{id: a, type: circle, source: s}]
    """
  }

  private static let circles = layer("circle")

  static let limits =
    ["fill-extrusion", "hillshade", "color-relief"].map {
      Limit(
        claim: $0, pipeline: layer($0), status: 78,
        says: "layer 'a' has type '\($0)', which this version does not support")
    }
    + ["raster-dem", "video"].map {
      Limit(
        claim: "`\($0)`", pipeline: source($0), status: 78,
        says: "source 's' has type '\($0)', which this version does not support")
    }
    + [
      ("S_TOUCHES", "S_TOUCHES(geom, POINT(1 2))"), ("S_CROSSES", "S_CROSSES(geom, POINT(1 2))"),
      ("S_OVERLAPS", "S_OVERLAPS(geom, POINT(1 2))"), ("A_…", "A_CONTAINS(name, ('a'))"),
    ].map { claim, filter in
      Limit(
        claim: claim, pipeline: circles, arguments: ["query", "a.yml", "--where", filter],
        status: 64, says: "is not supported")
    }
    + [
      Limit(
        claim: "functions are refused by name", pipeline: circles,
        arguments: ["query", "a.yml", "--where", "avg(name) = 3"], status: 64,
        says: "there is no 'avg'; functions are not supported"),
      Limit(
        claim: "100,000,000 tiles",
        pipeline: """
          version: 1
          sources: {s: {type: csv, data: a.csv}}
          layers: [{id: bg, type: background}, {id: a, type: circle, source: s}]
          tiles: {maxzoom: 14}
          """, status: 78, says: "an archive has 100,000,000 at most"),
    ]

  private let folder: TemporaryFolder
  private let section: String

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("lng,lat,name\n1,2,a\n3,4,b\n", to: "a.csv")
    let readme = try String(
      contentsOf: packageRoot.appendingPathComponent("README.md"), encoding: .utf8)
    section = String(
      try #require(readme.components(separatedBy: "## What this version does not do").last))
  }

  @Test("what is left out is refused by name", arguments: limits)
  func refused(limit: Limit) throws {
    #expect(section.contains(limit.claim))
    try folder.write(limit.pipeline, to: "a.yml")
    let run = try Program.Run(limit.arguments, in: folder).finish()
    #expect(run.status == limit.status)
    #expect(run.errorLines.count == 1 && run.errors.contains(limit.says), "\(run.errors)")
  }

  @Test("no delta leads from one layout to the other")
  func layouts() throws {
    #expect(section.contains("Deltas exist only between archives of one layout"))
    for layout in ["flat", "dedup"] {
      let output = "output: {path: \(layout).mbtiles, layout: \(layout)}"
      try folder.write(Self.circles + "\ntiles: {maxzoom: 1}\n" + output, to: "a.yml")
      #expect(try Program.run("build", "-q", "a.yml", in: folder).status == 0)
    }
    let run = try Program.run(
      "diff", "flat.mbtiles", "dedup.mbtiles", "-o", "x.delta", in: folder)
    #expect(run.status == 65 && run.errors.contains("no delta leads from one to the other"))
  }
}
