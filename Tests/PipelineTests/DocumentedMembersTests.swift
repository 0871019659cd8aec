import ArchiveDeltas
import Features
import Foundation
import Hashing
import Ingest
import JSON
import MBTiles
import Overlays
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives

/// The files that clients read, and the tables of the documents that describe them.
@Suite("Members of files in the documents")
struct DocumentedMembersTests {
  /// The names in the first column of the tables below a heading, such as `frames[].time`.
  private static func table(of document: String, below heading: String) throws -> [String] {
    let text = try String(
      contentsOf: packageRoot.appendingPathComponent(document), encoding: .utf8)
    let start = try #require(text.range(of: heading)).upperBound
    let rows = text[start...].split(separator: "\n").drop { !$0.hasPrefix("|") }
      .prefix { $0.hasPrefix("|") }
    return rows.dropFirst(2).flatMap { row in
      let cell = row.split(separator: "|").first ?? ""
      return cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }.sorted()
  }

  /// The names of the members of a value, with those of the values in it.
  private static func members(of value: PropertyValue, _ prefix: String = "") -> Set<String> {
    switch value {
    case .object(let members):
      members.reduce(into: []) { names, member in
        names.insert(prefix + member.key)
        names.formUnion(Self.members(of: member.value, "\(prefix)\(member.key)."))
      }
    case .array(let items):
      items.reduce(into: []) {
        $0.formUnion(Self.members(of: $1, "\(prefix.dropLast())[]."))
      }
    default: []
    }
  }

  private static func members(ofFile bytes: [UInt8]) throws -> [String] {
    members(of: try JSONValueParser.parse(bytes)).sorted()
  }

  @Test("docs/updates.md describes each member of a list of updates, and no other")
  func updates() throws {
    let key = try #require(try Ed25519.SigningKey(seed: [UInt8](repeating: 7, count: 32)))
    let state = ArchiveState(tiles: "a", taps: "b")
    let entry = UpdateList.Entry(
      file: "c", bytes: 1, sha256: "d", start: ArchiveState(tiles: "e", taps: "f"), end: state,
      merged: 2)
    var list = UpdateList(
      sequence: 3,
      archive: .init(file: "a", bytes: 2, sha256: "d", state: state, download: "g"),
      deltas: [entry], keys: [key.publicKey])
    list.earlier = [.init(file: "h", bytes: 3, sha256: "i", state: state)]
    list.expires = 4
    list.archive.chunks = FileChunks(size: 65_536, hashes: "AA==")
    let table = try Self.table(of: "docs/updates.md", below: "### The list")
    #expect(try Self.members(ofFile: Array(list.text.utf8)) == table)
    let folder = try TemporaryFolder()
    let file = try UpdateFile(list, signedBy: [key])
    #expect(
      try Self.members(ofFile: Array(file.text.utf8))
        == ["list", "signatures", "signatures[].key", "signatures[].signature"])
    let path = FilePath(try folder.write(file.text, to: "a.updates.json"))
    #expect(UpdateFile(contentsOf: path) == file)
    #expect(UpdatePaths(besides: FilePath(folder.path("a.mbtiles"))).list == list)
  }

  @Test("docs/updates.md describes each member of the updates of a series, and no other")
  func seriesUpdates() throws {
    let state = ArchiveState(tiles: "a", taps: "b")
    let frame = UpdateList.Archive(file: "c", bytes: 1, sha256: "d", state: state)
    let updates = SeriesUpdates(
      manifest: .init(file: "e", bytes: 2, sha256: "f"), folder: "g", frames: [frame],
      deltas: [
        "c": [
          UpdateList.Entry(file: "h", bytes: 3, sha256: "i", start: state, end: state, merged: 2)
        ]
      ])
    let list = Set(try Self.table(of: "docs/updates.md", below: "### The list"))
    let table = Set(try Self.table(of: "docs/updates.md", below: "### Series"))
    let own = try Set(Self.members(ofFile: Array(updates.text.utf8)))
    #expect(own.subtracting(list) == table)
    #expect(SeriesUpdates(updates.text) == updates && UpdateList(updates.text) == nil)
  }

  @Test("docs/updates.md has the statements by which the program applies deltas")
  func statements() throws {
    func plain(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .replacingOccurrences(of: "( ", with: "(")
    }
    let page = plain(
      try String(
        contentsOf: packageRoot.appendingPathComponent("docs/updates.md"), encoding: .utf8))
    // With UTFGrid and in the flat layout some have other columns or tables, as the page says.
    let statements = [DeltaForm(.dedup), .init(.dedup, taps: .grids), .init(.dedup, taps: .blocks)]
      .flatMap(DeltaFormat.statements).filter { !plain($0).contains("grid_id FROM delta.new_map") }
    #expect(Set(statements).count == 15)
    for statement in statements + [DeltaFormat.question, DeltaFormat.sizeQuestion] {
      #expect(page.contains(plain(statement)), "\(statement)")
    }
  }

  @Test("docs/packs.md describes each member of a list of packs, and no other")
  func packs() throws {
    let state = ArchiveState(tiles: "a", taps: "b")
    var entry = PackList.Entry(
      file: "c", bytes: 1, sha256: "d", state: state, name: "e", bounds: .world, zooms: 0...1,
      tiles: 2, inputs: "f")
    entry.download = "i"
    var list = PackList(
      archive: "g", state: state, inputs: "h", shared: entry, packs: [entry], outside: 3)
    list.expires = 4
    list.keys = [
      try #require(try Ed25519.SigningKey(seed: [UInt8](repeating: 7, count: 32))).publicKey
    ]
    let members = try Self.members(ofFile: Array(list.text.utf8))
    let table = try Self.table(of: "docs/packs.md", below: "## The list")
    #expect(members.filter { !$0.hasPrefix("shared.") } == table)
    #expect(
      members.filter { $0.hasPrefix("shared.") }.map { $0.replacing("shared.", with: "packs[].") }
        == table.filter { $0.hasPrefix("packs[].") })
  }

  /// A manifest with everything that one can have.
  private static let manifest = """
    {"version": 1, "name": "rain", "layer": "Rain", "bounds": [-12, 48, 5, 61], "minzoom": 0,
     "maxzoom": 1, "frameDuration": 500, "loop": true, "default": "2014-01-19T06:00:00Z",
     "latest": "rain/latest.mbtiles", "every": 3600, "frames": [
      {"time": "2014-01-19T06:00:00Z", "run": "2014-01-19T03:00:00Z", "step": 3,
       "file": "rain/2014-01-19T0600Z.mbtiles", "sha256": "\(String(repeating: "0", count: 64))",
       "bytes": 9, "bounds": [-12, 48, 5, 61], "minzoom": 0, "maxzoom": 1, "duration": 500,
       "records": 8, "input": "abc"}],
     "gaps": [{"from": "2014-01-19T06:00:00Z", "to": "2014-01-19T08:00:00Z", "missing": 1,
       "policy": "hold"}], "unusable": ["2014-01-19T07:00:00Z"]}
    """

  @Test("docs/series.md describes each member of the manifest of a series, and no other")
  func frames() throws {
    let manifest = try FramesManifest(
      try JSONValueParser.parse(Array(Self.manifest.utf8)), name: "rain.frames.json")
    let table = try Self.table(of: "docs/series.md", below: "The members of the manifest")
    let written = try Self.members(ofFile: Array(manifest.json.utf8))
    #expect(written == table)
    // None of the manifest above gets lost when it is written again.
    #expect(try Self.members(ofFile: Array(Self.manifest.utf8)) == written)
    let sample = try SeriesSample(hours: [4, 5, 6, 9], source: ", onMissing: hold")
    try sample.build()
    let built = try Self.members(ofFile: sample.folder.bytes("rain.frames.json"))
    #expect(built.count > 20 && built.allSatisfy(table.contains))
  }
}
