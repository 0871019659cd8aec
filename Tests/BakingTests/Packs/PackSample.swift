import Files
import Foundation
import MBTiles
import PipelineSamples
import Reports
import Reuse
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Runs

/// A small pipeline whose archive is divided into packs.
struct PackSample {
  let sample: BuildSample
  let name: String

  /// Names and boxes of regions that leave some of the world out; the last is over the antimeridian.
  static let regions: [(name: String, box: [Double])] = [
    ("West", [-170, -60, -70, 60]), ("Middle", [-70, -60, 20, 60]),
    ("Mid East", [20, -60, 60, 60]),
    ("Pacific", [150, -60, 190, 60]),
  ]

  init(
    _ packs: String = "shared: {maxzoom: 3}", tiles: String = "{maxzoom: 5, snap: 1}",
    output: String = "out.mbtiles", more: String = "", regions: [String]? = nil
  ) throws {
    name = output
    let options = ["by: regions.geojson", packs].filter { !$0.isEmpty }.joined(separator: ", ")
    sample = try BuildSample(
      tiles: tiles, output: "{path: \(output), packs: {\(options)}\(more)}")
    try write(regions: regions ?? Self.regions.map { Self.feature($0.name, $0.box) })
  }

  static func feature(_ name: String, _ box: [Double]) -> String {
    let (west, south, east, north) = (box[0], box[1], box[2], box[3])
    let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return "{\"type\": \"Feature\", \"properties\": {\"name\": \"\(name)\"}, \"geometry\": "
      + "{\"type\": \"Polygon\", \"coordinates\": [\(ring)]}}"
  }

  func write(regions: [String]) throws {
    try sample.folder.write(
      "{\"type\": \"FeatureCollection\", \"features\": [\n\(regions.joined(separator: ",\n"))\n]}",
      to: "regions.geojson")
  }

  @discardableResult
  func build(
    delta: Bool = false, _ change: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildReport {
    var options = BuildOptions()
    options.writesDeltas = delta
    change(&options)
    return try #require(try sample.build(options).first)
  }

  /// Adds a record in the middle of the region "West".
  func edit(_ number: Int = 0) throws {
    let text = String(decoding: try sample.folder.bytes("places.csv"), as: UTF8.self)
    try sample.folder.write(text + "\n\(-110 + number),\(30 + number),New", to: "places.csv")
  }

  func path(_ file: String) -> String { sample.folder.path(file) }

  func list(_ archive: String? = nil) throws -> PackList {
    try #require(PackList(besides: FilePath(path(archive ?? name))))
  }

  func tiles(_ file: String) throws -> [TileCoord: [UInt8]] {
    var tiles: [TileCoord: [UInt8]] = [:]
    try ArchiveReader.opening(FilePath(path(file))).forEachTile { tiles[$0] = Array($1) }
    return tiles
  }

  /// The tiles of all packs, each of which must be the same wherever it is.
  func union(_ archive: String? = nil) throws -> [TileCoord: [UInt8]] {
    var all: [TileCoord: [UInt8]] = [:]
    for entry in try list(archive).all {
      all.merge(try tiles(entry.file)) { one, other in
        if one != other { Issue.record("a tile differs between two packs") }
        return one
      }
    }
    return all
  }

  /// The status of each pack: equal ones were not touched.
  func statuses() throws -> [String: InputStatus] {
    var statuses: [String: InputStatus] = [:]
    for entry in try list().all { statuses[entry.file] = try InputStatus(path: path(entry.file)) }
    return statuses
  }

  /// Expects that the list describes the packs, each of which is sound, and that nothing else is
  /// there.
  func expectWhole(_ archive: String? = nil) throws {
    let list = try list(archive)
    for entry in list.all {
      let file = FilePath(path(entry.file))
      #expect(try FileDigest.sha256(of: file) == entry.sha256)
      #expect(sample.folder.bytesCount(entry.file) == entry.bytes)
      let metadata = try StoredMetadata.read(file)
      #expect(metadata[ArchiveMetadata.digestKey] == entry.state.tiles)
      #expect(metadata[ArchiveMetadata.tapsKey] == entry.state.taps)
      #expect(metadata["minzoom"] == "\(entry.zooms.lowerBound)")
      #expect(metadata["maxzoom"] == "\(entry.zooms.upperBound)")
      #expect(try tiles(entry.file).count == entry.tiles)
      let found = try PipelineRunner.verify(
        archive: file.string, cancellation: Cancellation(), progress: { _ in })
      #expect(found.faults == [], "\(entry.file)")
    }
    #expect(try !sample.folder.names().contains { $0.contains(".tmp-") })
  }

  /// The files of the packs, and what their list says whatever its number is.
  func content() throws -> [String: [UInt8]] {
    var files = try files()
    var list = try list()
    list.sequence = 0
    files["\(FilePath(name).stem ?? "").packs.json"] = Array(list.text.utf8)
    return files.filter { !$0.key.hasSuffix(".last") }
  }

  /// The files of the packs and their list, by name.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try sample.folder.names() where name.hasPrefix("out-") || name.contains("packs") {
      files[name] = try sample.folder.bytes(name)
    }
    return files
  }
}

extension TemporaryFolder {
  fileprivate func bytesCount(_ name: String) -> Int? { try? bytes(name).count }
}
