import Features
import Foundation
import PNG
import Pipeline
import PipelineSamples
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import Definition
@testable import Reports
@testable import Runs

@Suite("An input that changes during a build")
struct ChangedInputTests {
  enum Change: String, CaseIterable {
    case append, cut, replace, remove

    /// Those that write into the file itself.
    static let inPlace: [Change] = [.append, .cut]

    func act(on folder: TemporaryFolder) throws {
      let path = folder.path("places.csv")
      switch self {
      case .append:
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\n1,2,more".utf8))
        try file.close()
      case .cut: truncate(path, off_t(try folder.bytes("places.csv").count / 2))
      case .replace:
        try folder.write("lng,lat,name\n1,2,other", to: "new.csv")
        rename(folder.path("new.csv"), path)
      case .remove: unlink(path)
      }
    }
  }

  @Test(
    "a build whose input changes ends with 74 and the input's name; the last archive stays",
    arguments: Change.inPlace, ["ingest", "cluster", "tiles"])
  func change(change: Change, stage: String) throws {
    let sample = try BuildSample(rows: 50, tiles: "{maxzoom: 1, snap: 1}")
    _ = try sample.build()
    let old = try sample.folder.bytes("out.mbtiles")
    try Change.append.act(on: sample.folder)
    let error = #expect(throws: PipelineError.self) {
      try sample.build(progress: { event in
        if case .began(stage, _, _) = event { try? change.act(on: sample.folder) }
      })
    }
    #expect(error?.exitCode == 74, "\(String(describing: error))")
    #expect(error?.place?.file.hasSuffix("places.csv") == true)
    #expect(error?.message.hasPrefix("changed while it was read; run again") == true)
    #expect(try sample.folder.bytes("out.mbtiles") == old)
    // Half a row is bad data, which is not to be built.
    guard change == .append else { return }
    // Nothing was cached under the digest of what is no more.
    #expect(try sample.build().map(\.result) == [.published])
    let built = try sample.folder.bytes("out.mbtiles")
    var options = BuildOptions()
    options.noCache = true
    _ = try sample.build(options)
    #expect(try sample.folder.bytes("out.mbtiles") == built)
  }

  @Test(
    "a build whose input loses its name reads the file that it opened, and the next one the new file",
    arguments: [Change.replace, .remove], ["ingest", "cluster", "tiles"])
  func renamed(change: Change, stage: String) throws {
    let sample = try BuildSample(rows: 50, tiles: "{maxzoom: 1, snap: 1}")
    let same = try BuildSample(rows: 50, tiles: "{maxzoom: 1, snap: 1}")
    let reports = try sample.build(progress: { event in
      if case .began(stage, _, _) = event { try? change.act(on: sample.folder) }
    })
    #expect(reports.map(\.result) == [.published])
    _ = try same.build()
    #expect(
      try sample.folder.bytes("out.mbtiles") == same.folder.bytes("out.mbtiles"))
    guard change == .replace else { return }
    let next = try sample.build()
    #expect(next.map(\.result) == [.published] && next[0].sources[0].ledger.read == 1)
    let built = try sample.folder.bytes("out.mbtiles")
    var options = BuildOptions()
    options.noCache = true
    _ = try sample.build(options)
    #expect(try sample.folder.bytes("out.mbtiles") == built)
  }

  @Test(
    "a build reads files of patterns, GeoPackages and images that it opened, whatever takes their names",
    arguments: ["csv", "gpkg", "png"])
  func held(kind: String) throws {
    let folder = try TemporaryFolder()
    let same = try TemporaryFolder()
    for folder in [folder, same] { try Self.write(kind, in: folder) }
    let options = BuildOptions()
    func build(_ folder: TemporaryFolder, _ progress: @escaping ProgressHandler) throws {
      let definition = try PipelineDefinition(
        contentsOf: folder.path("p.yml"), environment: { _ in nil })
      _ = try PipelineRunner.build(
        definition, options: options, cancellation: Cancellation(), progress: progress)
    }
    try build(folder) { event in
      guard case .began("ingest", _, _) = event else { return }
      _ = try? folder.write("lng,lat\n1,2\n", to: "new")
      rename(folder.path("new"), folder.path("data.\(kind)"))
    }
    try build(same) { _ in }
    #expect(try folder.bytes("out.mbtiles") == same.bytes("out.mbtiles"))
  }

  /// Writes a pipeline over data of a kind.
  private static func write(_ kind: String, in folder: TemporaryFolder) throws {
    let source: String
    switch kind {
    case "csv":
      try folder.write("lng,lat\n3,4\n", to: "data.csv")
      try folder.write("lng,lat\n5,6\n", to: "data2.csv")
      source = "type: csv, data: 'data*.csv'"
    case "gpkg":
      let database = try Database(path: folder.path("data.gpkg"), mode: .create)
      try database.execute(
        """
        PRAGMA application_id = 0x47504B47;
        CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY,
          organization TEXT, organization_coordsys_id INTEGER, definition TEXT, description TEXT);
        INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, '', '');
        CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, srs_id INTEGER);
        CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT,
          geometry_type_name TEXT, srs_id INTEGER, z INTEGER, m INTEGER);
        INSERT INTO gpkg_contents VALUES ('t', 'features', 4326);
        INSERT INTO gpkg_geometry_columns VALUES ('t', 'geom', 'POINT', 4326, 0, 0);
        CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB);
        INSERT INTO t VALUES (1,
          X'47500001E6100000010100000000000000000008400000000000001040');
        """)
      source = "type: gpkg, data: data.gpkg"
    default:
      try Data(PNGEncoder().encode(ImageSample.blots())).write(
        to: URL(fileURLWithPath: folder.path("data.png")))
      source = "type: image, url: data.png, bounds: [1, 2, 3, 4]"
    }
    let layer = kind == "png" ? "type: raster" : "type: circle"
    try folder.write(
      """
      version: 1
      sources: {s: {\(source)}}
      layers: [{id: l, \(layer), source: s}]
      tiles: {maxzoom: 2}
      output: {path: out.mbtiles}
      """, to: "p.yml")
  }
}
