import Foundation
import Platform
import TestSupport
import Testing

/// Programs of the name of GDAL's that do what the worst of them could.
@Suite("A build whose data GDAL converts") struct ConversionTests {
  private let folder: TemporaryFolder

  private static let ogrinfo = """
    case "$1" in
    --formats) echo '  ESRI Shapefile -vector- (rw+v): ESRI Shapefile';;
    *) printf 'INFO: Open\\n      using driver `GML%s successful.\\n1: places (Point)\\n' "'";;
    esac
    """

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("tmp"), withIntermediateDirectories: false)
    try folder.write("lng,lat\n8,50\n", to: "places.csv")
    try folder.write("<gml/>", to: "places.gml")
    try write(source: "type: csv, data: places.csv")
    try #require(try Program.run("build", "-q", "places.yml", in: folder).status == 0)
    try program("ogrinfo", Self.ogrinfo)
    try write(source: "type: ogr, data: places.gml, timeout: 1.5")
  }

  private func write(source: String) throws {
    try folder.write(
      """
      version: 1
      sources: {places: {\(source)}}
      layers: [{id: a, type: circle, source: places}]
      tiles: {maxzoom: 2}
      output: {path: out.mbtiles}
      """, to: "places.yml")
  }

  private func program(_ name: String, _ script: String) throws {
    let path = try folder.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private var environment: [String: String] {
    ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "TMPDIR": folder.path("tmp")]
  }

  private func build(_ more: [String] = []) throws -> Program.Run {
    try Program.Run(
      ["build", "places.yml", "--tmpdir", "tmp"] + more, in: folder, environment: environment)
  }

  /// Whether the process whose number is in `pid` is gone, or goes soon.
  private func isGone() throws -> Bool {
    let text = String(decoding: try folder.bytes("pid"), as: UTF8.self)
    let number = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    for _ in 0..<300 {
      if kill(number, 0) != 0 { return true }
      usleep(10_000)
    }
    return false
  }

  /// The script writes its own number; the folder of this test is its current one's grandparent.
  private func hanging(_ script: String) -> String {
    "echo $$ > \(folder.path("pid"))\n\(script)"
  }

  @Test(
    "a program that fails in any way ends the build with one sentence, and the last archive stays",
    arguments: [
      ("sleep 600", 74, "ogr2ogr did nothing for 1 seconds and was ended"),
      ("while :; do echo flood; done", 65, "wrote more than 4194304 bytes of text"),
      ("while :; do echo ERROR 1: flood >&2; done", 65, "bytes of text and was ended"),
      ("kill -SEGV $$", 74, "ogr2ogr was ended by signal 11"),
      ("echo garbage > records.gpkg", 65, "is no GeoPackage"),
      ("echo all is well", 65, "left no records"),
      ("echo 'ERROR 1: the file is broken' >&2; exit 1", 65, "by ogr2ogr: the file is broken"),
      ("exit 1", 65, "is of no format that ogr2ogr reads here"),
      ("echo 'ERROR 1: server closed the connection unexpectedly' >&2; exit 1", 74, "database"),
      ("exec dd if=/dev/zero of=records.gpkg bs=65536 count=4", 65, "is no GeoPackage"),
    ])
  func faults(script: String, status: Int32, words: String) throws {
    let before = try folder.bytes("out.mbtiles")
    try program("ogr2ogr", hanging(script))
    let outcome = try build().finish()
    let said = outcome.errorLines.filter { $0.hasPrefix("error: ") }
    #expect(outcome.status == status && said.count == 1, "\(outcome.errors)")
    #expect(said.first?.contains(words) == true, "\(outcome.errors)")
    #expect(try folder.bytes("out.mbtiles") == before)
    #expect(try isGone())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")) == [])
  }

  @Test(
    "an image's program that hangs, floods or dies ends the build, and the last archive stays",
    arguments: [
      ("sleep 600", 74, "gdalinfo did nothing for 1 seconds and was ended"),
      ("while :; do echo flood; done", 65, "wrote more than 4194304 bytes of text"),
      ("kill -SEGV $$", 74, "gdalinfo was ended by signal 11"),
      ("echo '{\"size\": 3}'", 65, "gdalinfo tells nothing about its pixels"),
      ("echo 'ERROR 1: the file is broken' >&2; exit 1", 65, "by gdalinfo: the file is broken"),
    ])
  func imageFaults(script: String, status: Int32, words: String) throws {
    let before = try folder.bytes("out.mbtiles")
    try folder.write("II*\u{0}no image", to: "photo.tif")
    try folder.write(
      """
      version: 1
      sources: {photo: {type: image, url: photo.tif, timeout: 1.5}}
      layers: [{id: a, type: raster, source: photo}]
      tiles: {maxzoom: 2}
      output: {path: out.mbtiles}
      """, to: "places.yml")
    try program(
      "gdalinfo",
      "if [ \"$1\" = --formats ]; then echo '  GTiff -raster- (rw+vs): GeoTIFF'; exit; fi\n"
        + hanging(script))
    let outcome = try build().finish()
    let said = outcome.errorLines.filter { $0.hasPrefix("error: ") }
    #expect(outcome.status == status && said.count == 1, "\(outcome.errors)")
    #expect(said.first?.contains(words) == true, "\(outcome.errors)")
    #expect(try folder.bytes("out.mbtiles") == before)
    #expect(try isGone())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")) == [])
  }

  @Test("a program that is not installed is named with its package")
  func missing() throws {
    let outcome = try Program.run(
      "build", "places.yml", in: folder, environment: ["PATH": folder.path("bin")])
    #expect(outcome.status == 78 && outcome.errors.contains("apt-get install gdal-bin"))
    #expect(outcome.errorLines.count { $0.hasPrefix("error: ") } == 1, "\(outcome.errors)")
  }

  @Test(
    "a signal ends the program and what it started, and so does the death of the build",
    arguments: [SIGINT, SIGKILL],
    ["echo $$ > PID\nexec sleep 600", "sleep 600 &\necho $! > PID\nwait"])
  func signal(number: Int32, script: String) throws {
    let before = try folder.bytes("out.mbtiles")
    try write(source: "type: ogr, data: places.gml")
    try program("ogr2ogr", script.replacing("PID", with: folder.path("pid")))
    let run = try build()
    let pid = folder.path("pid")
    while FileManager.default.contents(atPath: pid)?.contains(10) != true, run.process.isRunning {
      usleep(10_000)
    }
    kill(run.process.processIdentifier, number)
    let outcome = try run.finish()
    #expect(outcome.status == (number == SIGKILL ? -SIGKILL : 130), "\(outcome.errors)")
    #if os(Linux)
      #expect(try isGone())
    #endif
    kill(pid_t(String(decoding: try folder.bytes("pid"), as: UTF8.self).dropLast()) ?? 0, SIGKILL)
    #expect(try folder.bytes("out.mbtiles") == before)
    // The next run removes what the killed one left, although it converts nothing.
    try write(source: "type: csv, data: places.csv")
    #expect(try build().finish().status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")) == [])
  }

  @Test(
    "a password is nowhere but in the environment of the program",
    arguments: [
      ("PG:host=db dbname=gis user=me password=hunter2secret", [:]),
      ("PG:host=db dbname=gis user=me password=${GIS_PASSWORD}", ["GIS_PASSWORD": "hunter2secret"]),
      ("${GIS}", ["GIS": "postgresql://me:hunter2secret@db/gis"]),
    ])
  func secrets(connection: String, variables: [String: String]) throws {
    try write(source: "type: ogr, data: '\(connection)', layer: places")
    let arguments = folder.path("arguments")
    try program("ogrinfo", "echo \"$@\" >> \(arguments)\n\(Self.ogrinfo)")
    try program(
      "ogr2ogr",
      "echo \"$@\" >> \(arguments)\necho \"ERROR 1: connection as $PGUSER with $PGPASSWORD\" >&2; exit 1"
    )
    var texts: [String] = []
    for command in [
      ["build", "places.yml", "--report", "report.json"], ["check", "places.yml"],
      ["query", "places.yml"],
      ["build", "places.yml", "--log-format", "json", "--metrics", "m.prom"],
    ] {
      let outcome = try Program.Run(
        command, in: folder, environment: environment.merging(variables) { $1 }
      ).finish()
      #expect(outcome.status == 74, "\(outcome.errors)")
      #expect(outcome.errors.contains("connection as me with ***"), "\(outcome.errors)")
      texts += [outcome.errors, outcome.output]
    }
    let files = try #require(FileManager.default.enumerator(atPath: folder.url.path))
    for case let name as String in files where name != "places.yml" {
      if let data = FileManager.default.contents(atPath: folder.path(name)) {
        texts.append(String(decoding: data, as: UTF8.self))
      }
    }
    #expect(texts.contains { $0.contains("--formats") })
    #expect(!texts.contains { $0.contains("hunter2") })
  }

  @Test("a plan for shards has the records of a database, and neither its address nor its password")
  func plan() throws {
    let gis = ["GIS": "postgresql://me:hunter2secret@db.example/gis"]
    try writeGeoPackage()
    try program("ogr2ogr", "cp \(folder.path("places.gpkg")) records.gpkg")
    try write(source: "type: ogr, data: '${GIS}', layer: places")
    func run(_ command: [String], _ variables: [String: String] = [:]) throws {
      let outcome = try Program.Run(
        command, in: folder, environment: environment.merging(variables) { $1 }
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try run(["build", "places.yml"], gis)
    let whole = try folder.bytes("out.mbtiles")
    try run(["plan", "places.yml", "--shards", "2", "-o", "plan"], gis)
    let files = try #require(FileManager.default.enumerator(atPath: folder.path("plan")))
    for case let name as String in files {
      let text = String(
        decoding: FileManager.default.contents(atPath: folder.path("plan/\(name)")) ?? Data(),
        as: UTF8.self)
      #expect(!text.contains("hunter2") && !text.contains("db.example"), "\(name)")
    }
    try FileManager.default.removeItem(atPath: folder.path("bin"))
    try FileManager.default.removeItem(atPath: folder.path("out.mbtiles"))
    for shard in ["0", "1"] { try run(["build", "--shard", shard, "plan"]) }
    try run(["merge", "plan"])
    #expect(try folder.bytes("out.mbtiles") == whole)
  }

  /// Writes the records of the CSV file as a GeoPackage.
  private func writeGeoPackage() throws {
    try write(source: "type: csv, data: places.csv")
    try #require(
      try Program.run(
        "query", "places.yml", "--format", "gpkg", "-o", "places.gpkg", in: folder
      ).status == 0)
  }

  @Test("an unchanged file starts no program; another program or file beside it is read anew")
  func unchanged() throws {
    let calls = folder.path("calls")
    try program("ogrinfo", "echo info >> \(calls)\n\(Self.ogrinfo)")
    let convert = "echo convert >> \(calls)\ncp \(folder.path("places.gpkg")) records.gpkg"
    try program("ogr2ogr", convert)
    try writeGeoPackage()
    func called() -> Int {
      FileManager.default.contents(atPath: calls).map {
        String(decoding: $0, as: UTF8.self).split(separator: "\n").count { $0 == "convert" }
      } ?? 0
    }
    try write(source: "type: ogr, data: places.gml")
    #expect(try build().finish().status == 0 && called() == 1)
    let first = try folder.bytes("out.mbtiles")
    #expect(try build().finish().status == 0 && called() == 1)
    #expect(try folder.bytes("out.mbtiles") == first)
    try folder.write("<xsd/>", to: "places.xsd")
    #expect(try build().finish().status == 0 && called() == 2)
    try program("ogr2ogr", convert + "\n# Another version.")
    #expect(try build().finish().status == 0 && called() == 3)
    // The records are in the cache, also for another look.
    let text = String(decoding: try folder.bytes("places.yml"), as: UTF8.self)
    try folder.write(
      text.replacing("type: circle,", with: "type: circle, paint: {circle-radius: 9},"),
      to: "places.yml")
    #expect(try build().finish().status == 0 && called() == 3)
    #expect(try folder.bytes("out.mbtiles") != first)
  }
}
