import Foundation
import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Files
@testable import Pipeline
@testable import Runs

@Suite("A published folder")
struct PublishTests {
  @discardableResult
  private func publish(
    _ sample: ExportSample, from archive: String? = nil,
    _ change: (inout FolderPublication) -> Void = { _ in }
  ) throws -> ExportSummary {
    var publication = FolderPublication()
    change(&publication)
    return try sample.export(to: "www", from: archive) { $0.publication = publication }
  }

  private func purged(_ sample: ExportSample) throws -> Set<String> {
    let text = String(decoding: try sample.sample.folder.bytes("www.purge.txt"), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(Set(lines).count == lines.count)
    return Set(lines)
  }

  /// The files of the folder by their paths.
  private func files(_ sample: ExportSample) throws -> [String: [UInt8]] {
    let folder = sample.path("www")
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      guard FileStatus(FilePath("\(folder)/\(name)"))?.kind == .file else { continue }
      files[name] = try sample.sample.folder.bytes("www/\(name)")
    }
    return files
  }

  /// Expects the tiles of an archive, a description, and a manifest of all of them.
  private func expectFolder(
    of archive: String = "out.mbtiles", _ sample: ExportSample, fileExtension: String = "png"
  ) throws {
    let files = try files(sample)
    var expected: [String: [UInt8]] = [:]
    for (tile, bytes) in try sample.tiles(archive) { expected["\(tile).\(fileExtension)"] = bytes }
    let named = Set(expected.keys).union(["tile.json", "manifest.md5"])
    #expect(Set(files.keys) == named)
    for (name, bytes) in expected where files[name] != bytes { Issue.record("\(name) differs") }
    let manifest = String(decoding: files["manifest.md5"] ?? [], as: UTF8.self)
    let lines = manifest.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == expected.count + 1)
    for line in lines {
      let bytes = try #require(files[line[1]])
      let digest = bytes.withUnsafeBytes { MD5Digest(of: $0) }
      #expect(line[0] == digest.description.lowercased())
    }
    let beside = try sample.sample.folder.names().filter { $0.contains("www") }
    #expect(Set(beside) == ["www", "www.purge.txt"])
  }

  private func inodes(_ sample: ExportSample) throws -> [String: UInt64] {
    var inodes: [String: UInt64] = [:]
    for name in try files(sample).keys {
      inodes[name] = FileStatus(FilePath(sample.path("www/\(name)")))?.inode
    }
    return inodes
  }

  /// Moves some points and drops others, and builds again.
  private func edit(_ sample: ExportSample) throws {
    let text = String(decoding: try sample.sample.folder.bytes("places.csv"), as: UTF8.self)
    var lines = text.split(separator: "\n").map(String.init)
    lines[5] = "-170,80,moved"
    lines.removeSubrange(20..<60)
    try sample.sample.folder.write(lines.joined(separator: "\n"), to: "places.csv")
    try sample.sample.build()
  }

  @Test("the first publication writes every tile, and nothing has to be dropped from caches")
  func first() throws {
    let sample = try small()
    let summary = try publish(sample) { $0.url = "https://tiles.example.org/city" }
    try expectFolder(sample)
    #expect(summary.detail == "\(try sample.tiles().count) new")
    #expect(try purged(sample).isEmpty)
    let description = String(
      decoding: try sample.sample.folder.bytes("www/tile.json"), as: UTF8.self)
    #expect(description.contains("https://tiles.example.org/city/{z}/{x}/{y}.png"))
  }

  @Test("of a changed archive only the changed files are written, removed and listed")
  func changed() throws {
    let sample = try ExportSample()
    try publish(sample)
    let before = try sample.tiles()
    let inodesBefore = try inodes(sample)
    try edit(sample)
    try publish(sample) { $0.url = "https://x.org/t" }
    try expectFolder(sample)
    let after = try sample.tiles()
    let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    let isGone = differing.contains { after[$0] == nil }
    let isNew = differing.contains { before[$0] == nil }
    #expect(isGone && isNew && differing.count < before.count)
    // The address of the tiles is part of the description.
    let expected = differing.map { "\($0).png" } + ["tile.json"]
    #expect(try purged(sample) == Set(expected.map { "https://x.org/t/\($0)" }))
    let inodesAfter = try inodes(sample)
    for (tile, bytes) in after where before[tile] == bytes {
      #expect(inodesBefore["\(tile).png"] == inodesAfter["\(tile).png"])
    }
    let summary = try publish(sample) { $0.url = "https://x.org/t" }
    #expect(summary.detail == "nothing changed")
    #expect(try purged(sample).isEmpty)
    for (name, inode) in try inodes(sample) where name != "manifest.md5" {
      #expect(inodesAfter[name] == inode)
    }
  }

  @Test(
    "the run after one that was killed lists what both changed, however far that had come",
    arguments: [false, true])
  func killed(comparesFiles: Bool) throws {
    let sample = try ExportSample()
    try publish(sample)
    let folder = sample.sample.folder
    let (before, manifest) = (try sample.tiles(), try folder.bytes("www/manifest.md5"))
    // Points that are added alone, so that every other tile is a new one.
    try sample.sample.folder.write(
      String(decoding: try folder.bytes("places.csv"), as: UTF8.self) + "\n-179,84,far\n",
      to: "places.csv")
    try sample.sample.build()
    try publish(sample)
    // As if it had been killed when all tiles were written: neither list nor manifest is there.
    try folder.write(bytes: manifest, to: "www/manifest.md5")
    try folder.write("", to: "www.purge.txt")
    try folder.write("", to: ".www.publishing")
    try publish(sample) { $0.comparesFiles = comparesFiles }
    try expectFolder(sample)
    let after = try sample.tiles()
    let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    #expect(differing.contains { before[$0] == nil })
    let listed = try purged(sample)
    #expect(differing.allSatisfy { listed.contains("\($0).png") })
    #expect(listed.subtracting(differing.map { "\($0).png" }).subtracting(["tile.json"]).isEmpty)
  }

  @Test("after a run that was broken off every file is compared, and strangers' tiles go")
  func brokenOff() throws {
    let sample = try small()
    try publish(sample)
    let folder = sample.sample.folder
    let tiles = try sample.tiles()
    let (tile, bytes) = try #require(tiles.first)
    try folder.write("", to: ".www.publishing")
    // As long as the tile, so that only its content tells.
    try folder.write(String(repeating: "x", count: bytes.count), to: "www/\(tile).png")
    try FileManager.default.createDirectory(
      atPath: sample.path("www/5/0"), withIntermediateDirectories: true)
    let row = 7
    try folder.write("stray", to: "www/5/0/\(row).png")
    try folder.write("torn", to: "www/5/0/.\(row).png.tmp-77")
    try folder.write("mine", to: "www/index.html")
    try publish(sample)
    #expect(try purged(sample) == ["\(tile).png", "5/0/\(row).png"])
    try FileManager.default.removeItem(atPath: sample.path("www/index.html"))
    try expectFolder(sample)
  }

  @Test("the urls that a broken-off run listed are listed again, each once")
  func listedAgain() throws {
    let sample = try small()
    try publish(sample)
    try edit(sample)
    try publish(sample)
    let listed = try purged(sample)
    #expect(listed.count > 1)
    // As a run leaves it that is killed before it removes the marker.
    try sample.sample.folder.write("", to: ".www.publishing")
    try publish(sample)
    #expect(try purged(sample) == listed)
    try publish(sample)
    #expect(try purged(sample).isEmpty)
    try expectFolder(sample)
  }

  @Test("files that a killed run was writing beside the folder and in it are removed")
  func collected() throws {
    let sample = try small()
    try publish(sample)
    let names = ["..www.publishing.tmp-999999999", ".www.purge.txt.tmp-999999999"]
    for name in names { try sample.sample.folder.write("", to: name) }
    try sample.sample.folder.write("", to: "www/.tile.json.tmp-999999999")
    try sample.sample.folder.write("", to: "www/.manifest.md5.tmp-999999999")
    try publish(sample)
    try expectFolder(sample)
  }

  @Test("a file that is missing or was cut off is written again")
  func missing() throws {
    let sample = try small()
    try publish(sample)
    let tiles = try sample.tiles().keys.sorted { $0.archiveKey < $1.archiveKey }
    try FileManager.default.removeItem(atPath: sample.path("www/\(tiles[0]).png"))
    try sample.sample.folder.write("short", to: "www/\(tiles[1]).png")
    #expect(try publish(sample).detail == "2 changed")
    try expectFolder(sample)
  }

  @Test("tiles of another format replace those of the last one")
  func format() throws {
    let sample = try small()
    try publish(sample)
    let other = try ExportSample(tiles: "{maxzoom: 3, snap: 1, format: webp}")
    try publish(sample, from: other.archive)
    try FileManager.default.copyItem(atPath: other.archive, toPath: sample.path("other.mbtiles"))
    try expectFolder(of: "other.mbtiles", sample, fileExtension: "webp")
    let purged = try purged(sample)
    #expect(purged.contains("0/0/0.png") && purged.contains("0/0/0.webp"))
  }

  @Test("PMTiles give the folder of their archive")
  func packed() throws {
    let sample = try small()
    try sample.export(to: "out.pmtiles")
    try publish(sample, from: sample.path("out.pmtiles"))
    try expectFolder(sample)
  }

  @Test("a folder that no publication made is refused; --force takes over that of an export")
  func force() throws {
    let sample = try small()
    try sample.export(to: "www") { $0.maxZoom = 2 }
    #expect(throws: PipelineError.self) { try publish(sample) }
    try sample.sample.folder.write("mine", to: "www/diary.txt")
    #expect(throws: PipelineError.self) { try publish(sample) { $0.comparesFiles = true } }
    try FileManager.default.removeItem(atPath: sample.path("www/diary.txt"))
    try publish(sample) { $0.comparesFiles = true }
    try expectFolder(sample)
  }

  @Test("a damaged manifest is refused with its line")
  func damaged() throws {
    let sample = try small()
    try publish(sample)
    let digest = "0123456789abcdef0123456789abcdef"
    for text in [
      "no manifest\n", "\(digest)  ../../etc/passwd\n",
      "\(digest)  1/0/0.png\n\(digest)  0/0/0.png\n", "\(digest)  0/0/00.png\n",
      "\(digest)  0/0/0.png", "",
    ] {
      try sample.sample.folder.write(text, to: "www/manifest.md5")
      do {
        try publish(sample)
        Issue.record("the manifest \(text) is accepted")
      } catch let error as PipelineError {
        #expect(error.code == .badData && error.message.contains("manifest.md5"))
      }
    }
    try publish(sample) { $0.comparesFiles = true }
    try expectFolder(sample)
  }

  private func small() throws -> ExportSample {
    try ExportSample(tiles: "{maxzoom: 3, snap: 1}")
  }
}
