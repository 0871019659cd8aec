import Foundation
import MBTiles
import SourceStages
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("A feed that becomes empty")
struct EmptyArchiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition(_ expect: String, _ more: String = "") throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources:
        s: {type: csv, data: s.csv, onError: {max: 9}}
      layers: [{id: a, type: circle, source: s, paint: {circle-radius: 5}}]
      tiles: {minzoom: 1, maxzoom: 3\(more)}
      output: {path: out.mbtiles}
      \(expect)
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private static let allowed = "expect: {features: {min: 0}}"

  private func build(
    _ expect: String = Self.allowed, _ more: String = "", writesDeltas: Bool = false
  ) throws -> BuildReport {
    var options = BuildOptions()
    options.writesDeltas = writesDeltas
    return try #require(
      PipelineRunner.build(
        definition(expect, more), options: options, cancellation: Cancellation(),
        progress: { _ in }
      ).first)
  }

  private func verify() throws -> VerificationSummary {
    try PipelineRunner.verify(
      archive: folder.path("out.mbtiles"), cancellation: Cancellation(), progress: { _ in })
  }

  @Test(
    "an empty feed is not published by default, nor one with only broken records",
    arguments: [
      ("", "lng,lat\n"), ("expect: {features: {min: 1}}", "lng,lat\n"),
      ("expect: {features: {max: 9}}", "lng,lat\n"), (allowed, "lng,lat\nx,1\n"),
    ])
  func refused(expect: String, data: String) throws {
    try folder.write(data, to: "s.csv")
    let error = #expect(throws: PipelineError.self) { try build(expect) }
    #expect(error?.exitCode == 65)
  }

  private static let refusals: [(expect: String, data: String, isRefused: Bool)] = [
    (allowed, "lng,lat\n", false),
    ("", "lng,lat\n", true),
    ("expect: {features: {min: 0}, tiles: {min: 1}}", "lng,lat\n", true),
    (allowed, "lng,lat\nx,1\n", true),
    // What the first records lack.
    (allowed, "lng,lat\n" + String(repeating: "0,89\n", count: 1000), false),
    (allowed, "lng,lat\n" + String(repeating: "0,89\n", count: 1000) + "x,1\n", true),
    ("", "lng,lat\n" + String(repeating: "0,89\n", count: 1000) + "1,1\n", false),
  ]

  @Test("an empty feed is refused by check like by build, in the same words", arguments: refusals)
  func checked(expect: String, data: String, isRefused: Bool) throws {
    try folder.write(data, to: "s.csv")
    let found = try PipelineRunner.check(definition(expect), options: BuildOptions()).failure
    var refusal: PipelineError?
    do {
      _ = try build(expect)
    } catch let error as PipelineError {
      refusal = error
    }
    #expect((refusal != nil) == isRefused)
    #expect(found?.exitCode == refusal?.exitCode && found?.message == refusal?.message)
  }

  @Test(
    "an archive kept for an empty feed keeps its report, and gets a new one only if that is lost")
  func unchangedReport() throws {
    try folder.write("lng,lat\n", to: "s.csv")
    _ = try build()
    for _ in 1...2 {
      let report = try folder.bytes("out.report.json")
      #expect(try build().notes.isEmpty)
      #expect(try folder.bytes("out.report.json") == report)
      try FileManager.default.removeItem(atPath: folder.path("out.report.json"))
      #expect(try build().notes.contains { $0.contains("is written again") })
    }
  }

  @Test(
    "an empty feed is a valid archive without tiles if 'expect' allows no features",
    arguments: ["", ", interactivity: {fields: [a]}", ", interactivity: {format: compact}"])
  func published(more: String) throws {
    try folder.write("lng,lat\n", to: "s.csv")
    let report = try build(Self.allowed, more)
    #expect(report.result == .published && report.tiles.planned == 0)
    #expect(report.notes.contains { $0.contains("has no tiles") })
    let summary = try verify()
    #expect(summary.faults.isEmpty, "\(summary)")
    let metadata = try ArchiveReader(FilePath(folder.path("out.mbtiles"))).metadata
    #expect(metadata["minzoom"] == "1" && metadata["maxzoom"] == "3")
    let bounds = try #require(metadata["bounds"].flatMap { GeoBounds($0) })
    let center = (metadata["center"] ?? "").split(separator: ",").compactMap { Double($0) }
    #expect(center.count == 3 && (1...3).contains(center[2]))
    #expect((bounds.west...bounds.east).contains(center[0]))
    #expect((bounds.south...bounds.north).contains(center[1]))
    #expect(try !PipelineRunner.inspect(archive: folder.path("out.mbtiles")).isEmpty)
    #expect(try build(Self.allowed, more).result == .unchanged)
  }

  @Test("an empty archive replaces one with tiles and vice versa, with deltas between them")
  func replaced() throws {
    try folder.write("lng,lat\n1,1\n2,2\n", to: "s.csv")
    _ = try build(writesDeltas: true)
    let full = try folder.bytes("out.mbtiles")
    try folder.write("lng,lat\n", to: "s.csv")
    let empty = try build(writesDeltas: true)
    #expect(empty.changes?.removed ?? 0 > 0 && empty.changes?.added == 0)
    #expect(empty.deltas.count == 1, "\(empty.notes)")
    try folder.write("lng,lat\n1,1\n2,2\n", to: "s.csv")
    let again = try build(writesDeltas: true)
    #expect(again.changes?.removed == 0 && again.changes?.added ?? 0 > 0)
    #expect(try folder.bytes("out.mbtiles") == full)
  }

  @Test(
    "an empty archive is exported as an archive, a GeoPackage and a folder, and refused as PMTiles")
  func exported() throws {
    try folder.write("lng,lat\n", to: "s.csv")
    _ = try build()
    func export(_ container: TileContainer, to name: String) throws -> ExportSummary {
      try PipelineRunner.export(
        ExportOptions(
          archive: folder.path("out.mbtiles"), output: folder.path(name), container: container),
        cancellation: Cancellation(), progress: { _ in })
    }
    for (container, name) in [
      (TileContainer.mbtiles, "copy.mbtiles"), (.gpkg, "copy.gpkg"), (.folder, "copy"),
    ] {
      let summary = try export(container, to: name)
      #expect(summary.tiles == 0 && summary.zooms == 1...3)
    }
    let error = #expect(throws: PipelineError.self) { try export(.pmtiles, to: "copy.pmtiles") }
    #expect(error?.code == .badData && error?.message.contains("has no tiles") == true)
  }
}
