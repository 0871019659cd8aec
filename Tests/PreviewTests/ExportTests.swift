import Foundation
import Runs
import SystemPackage
import TestSupport
import Testing

@testable import Preview

/// The page as a folder and as a ZIP.
@Suite("An export")
struct ExportTests {
  private func export(_ sample: PreviewSample, _ name: String) throws -> StaticExport.Summary {
    let tilesets = try sample.tilesets("a.mbtiles", "rain.frames.json")
    return try StaticExport(tilesets, leaflet: sample.leaflet()).write(to: sample.folder.path(name))
  }

  private func files(_ folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
      if isFolder.boolValue { continue }
      files[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    }
    return files
  }

  @Test("an export has every file that the server would give, with the same bytes")
  func complete() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles", taps: true)
    _ = try sample.series()
    try sample.folder.write(#"{"pipeline": "p"}"#, to: "a.report.json")
    let summary = try export(sample, "out")
    let files = try files(sample.folder.path("out"))
    #expect(
      files.count == summary.files && files.values.reduce(0) { $0 + $1.count } == summary.bytes)
    var router = try sample.router("a.mbtiles", "rain.frames.json")
    // Only a server can search.
    #expect(
      String(decoding: router.get("/catalogue.json").content.bytes, as: UTF8.self)
        .contains(#""search": "tilesets/a/search.json""#))
    router.isLive = false
    for (name, bytes) in files {
      #expect(router.get("/\(name)").content.bytes == bytes, "\(name)")
    }
    for name in [
      "index.html", "catalogue.json", "leaflet/LICENSE.txt", "tilesets/a/report.json",
      "tiles/a/1x/0/0/0.png", "tiles/a/1x/0/0/0.grid.json",
      "tiles/rain/1x/2014-01-19T0800Z/1/1/0.png",
    ] {
      #expect(files[name] != nil, "\(name)")
    }
    #expect(files["tiles/a/1x/1/1/1.png"] == nil)
  }

  @Test("an export takes everything from one archive, a server from the one in place")
  func replaced() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    var routers = [try sample.router("a.mbtiles"), try sample.router("a.mbtiles")]
    routers[0].pool = ArchivePool(followsReplacement: false)
    func namesAnother() -> [Bool] {
      routers.map {
        String(decoding: $0.get("/catalogue.json").content.bytes, as: UTF8.self)
          .contains(#""title": "another""#)
      }
    }
    #expect(namesAnother() == [false, false])
    try sample.archive("b.mbtiles", metadata: ["name": "another"])
    let path = sample.folder.path("a.mbtiles")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: sample.folder.path("b.mbtiles"), toPath: path)
    #expect(namesAnother() == [false, true])
  }

  @Test("an export is deterministic, and a valid ZIP to Python")
  func deterministic() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    _ = try sample.series()
    _ = try export(sample, "one")
    _ = try export(sample, "two")
    #expect(try files(sample.folder.path("one")) == files(sample.folder.path("two")))
    #expect(try sample.folder.bytes("one.zip") == sample.folder.bytes("two.zip"))
    #expect(try !sample.folder.names().contains { $0.hasPrefix(".") })
    try Python.test(sample.folder.path("one.zip"))
    let unpacked = sample.folder.path("unpacked")
    if try Python.unpack(sample.folder.path("one.zip"), to: unpacked) {
      #expect(try files(unpacked) == files(sample.folder.path("one")))
    }
  }

  @Test("an export replaces nothing, and leaves nothing behind when it is refused")
  func refused() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    _ = try sample.series()
    try sample.folder.write("mine", to: "out/file")
    let before = try sample.folder.names()
    #expect(throws: PipelineError.self) { try export(sample, "out") }
    #expect(throws: PipelineError.self) { try export(sample, "missing/out") }
    var small = StaticExport(try sample.tilesets("a.mbtiles"), leaflet: try sample.leaflet())
    small.maxFiles = 3
    #expect(throws: PipelineError.self) { try small.write(to: sample.folder.path("small")) }
    var deep = StaticExport(try sample.tilesets("a.mbtiles"), leaflet: try sample.leaflet())
    deep.zooms = 9...22
    let error = #expect(throws: PipelineError.self) {
      try deep.write(to: sample.folder.path("deep"))
    }
    #expect(error?.exitCode == 65 && error?.message.contains("zooms 9 to 22") == true)
    #expect(try sample.folder.names() == (before + ["leaflet"]).sorted())
    small.zooms = 0...0
    #expect(try small.write(to: sample.folder.path("small")).files > small.maxFiles)
    let text = String(decoding: try sample.folder.bytes("small/catalogue.json"), as: UTF8.self)
    #expect(text.contains(#""maxzoom": 0"#))
  }

  @Test(
    "an export with more files than ZIP can count has the records of ZIP64",
    .enabled(if: runsSlowTests))
  func many() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("many.zip")
    let file = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create], permissions: .ownerReadWrite)
    try file.closeAfter {
      var writer = ZipWriter(file)
      for number in 0..<66_000 { try writer.add("f/\(number)", [], compresses: false) }
      try writer.finish()
    }
    try Python.test(path)
    if let count = try Python.run(
      "import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))", path)
    {
      #expect(count == "66000\n")
    }
  }
}

/// Python's own reader of ZIP, where it is installed.
enum Python {
  /// What a script prints; `nil` where there is no Python.
  static func run(_ script: String, _ arguments: String...) throws -> String? {
    guard
      let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else { return nil }
    let told = try Program.runInstalled([python, "-c", script] + arguments)
    #expect(told.status == 0, "\(told.errors)")
    return told.output
  }

  /// Reads every entry and compares its checksum.
  static func test(_ path: String) throws {
    let fault = try run("import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())", path)
    #expect(fault == nil || fault == "None\n")
  }

  /// Unpacks a ZIP; false where there is no Python.
  static func unpack(_ path: String, to folder: String) throws -> Bool {
    try run(
      "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])", path, folder)
      != nil
  }
}
