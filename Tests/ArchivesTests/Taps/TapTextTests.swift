import Features
import Foundation
import Ingest
import MBTiles
import OrderedCollections
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Runs

@Suite("The text of a tap")
struct TapTextTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition(_ interactivity: String) throws -> PipelineDefinition {
    try folder.write(
      "lng,lat,id,name,beds,rest\n"
        + "1,1,a,Inn,3,x\n12,1,b,Bar,4,x\n-100,2,c,\"Café \"\"X\"\"\",7,x\n",
      to: "p.csv")
    let file = try folder.write(
      """
      version: 1
      name: taps
      sources: {p: {type: csv, data: p.csv, id: id, cluster: true, clusterMaxZoom: 1}}
      layers: [{id: a, type: circle, source: p}]
      tiles: {maxzoom: 2, interactivity: {\(interactivity)}}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// The texts of all entries, sorted, and whether an entry has a field.
  private func entries(_ interactivity: String) throws -> [String: Set<String>] {
    _ = try PipelineRunner.build(
      definition(interactivity), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
    let archive = try Database(path: folder.path("out.mbtiles"), mode: .immutable)
    let rows = try archive.prepare("SELECT key_json FROM keymap")
    var entries: [String: Set<String>] = [:]
    while try rows.step() {
      guard case .object(let entry) = try JSONValueParser.parse(Array((rows.text(0) ?? "").utf8)),
        case .string(let text)? = entry["text"]
      else { continue }
      entries[text] = Set(entry.keys)
    }
    return entries
  }

  static let samples: [(text: String, texts: Set<String>)] = [
    (
      #"text: [case, [has, point_count], [concat, [get, point_count], " places"], [concat, [get, name], ": ", [get, beds]]]"#,
      ["2 places", "Inn: 3", "Bar: 4", #"Café "X": 7"#]
    ),
    (#"text: "{name} ({beds})", fields: [name]"#, [" ()", "Inn (3)", "Bar (4)", #"Café "X" (7)"#]),
  ]

  @Test(
    "a tap text is an expression over the feature, or a text with names in braces",
    arguments: samples)
  func worded(text: String, texts: Set<String>) throws {
    let entries = try entries(text)
    #expect(Set(entries.keys) == texts)
    // What the text alone reads is no field of the answer where fields are named.
    if text.contains("fields") {
      #expect(entries["Inn (3)"] == ["name", "text", "source", "id"])
    }
    let reader = try ArchiveReader(FilePath(folder.path("out.mbtiles")))
    let template = try #require(reader.metadata["template"])
    #expect(template.contains("{{text}}") && !template.contains("{{name}}"))
  }

  @Test("a tap text is also in the entries of compact taps")
  func compact() throws {
    _ = try PipelineRunner.build(
      definition("text: [get, name], format: compact"), options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    let tap = try ArchiveTap(FilePath(folder.path("out.mbtiles")))
    let answer = try tap.answer(at: LngLat(longitude: -100, latitude: 2), zoom: 2)
    #expect("\(String(describing: answer))".contains("Café"))
  }

  @Test(
    "a tap text that is not an expression, or reads the zoom, is refused with its place",
    arguments: ["[gett, name]", "[concat, [zoom], a]", "[]"])
  func refused(text: String) {
    let error = #expect(throws: PipelineError.self) { try definition("text: \(text)") }
    #expect(error?.code == .definition && error?.place?.line == 5, "\(error?.description ?? "")")
  }
}
