import Foundation
import MBTiles
import Platform
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

extension TemporaryFolder {
  var path: FilePath { FilePath(url.path) }

  func remove(_ path: FilePath) {
    unlink(path.string)
  }

  func write(_ bytes: [UInt8], to name: String) throws -> FilePath {
    let path = path.appending(name)
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
    defer { try? file.close() }
    try file.writeAll(bytes)
    return path
  }
}

func contents(of path: FilePath) throws -> [UInt8] {
  let file = try FileDescriptor.open(path, .readOnly)
  defer { try? file.close() }
  var bytes = [UInt8](repeating: 0, count: Int(try file.seek(offset: 0, from: .end)))
  _ = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
  return bytes
}

/// The chunks of a PNG whose pixels are any bytes: its structure is right, its checksums are not.
func samplePNG(
  size: Int = 256, palette: [UInt8] = [1, 2, 3], alpha: [UInt8] = [], pixels: [UInt8]
) -> [UInt8] {
  func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
  func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    word(data.count) + Array(kind.utf8) + data + [0, 0, 0, 0]
  }
  let header = word(size) + word(size) + [1, 3, 0, 0, 0]
  return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
    + chunk("PLTE", palette) + (alpha.isEmpty ? [] : chunk("tRNS", alpha))
    + chunk("IDAT", pixels) + chunk("IEND", [])
}

/// The blank tile and some tiles of the first zooms: three images, ten tiles.
enum Sample {
  static let blank = samplePNG(alpha: [0], pixels: [7])
  static let red = samplePNG(pixels: [1])
  static let green = samplePNG(pixels: [2, 2])

  /// In archive order.
  static let tiles: [(tile: TileCoord, image: [UInt8])] = [
    (TileCoord(z: 0, x: 0, tmsRow: 0), red),
    (TileCoord(z: 1, x: 0, tmsRow: 1), green), (TileCoord(z: 1, x: 1, tmsRow: 1), green),
    (TileCoord(z: 1, x: 0, tmsRow: 0), red), (TileCoord(z: 1, x: 1, tmsRow: 0), blank),
    (TileCoord(z: 2, x: 2, tmsRow: 3), green), (TileCoord(z: 2, x: 3, tmsRow: 3), green),
    (TileCoord(z: 2, x: 1, tmsRow: 1), blank), (TileCoord(z: 2, x: 0, tmsRow: 0), red),
    (TileCoord(z: 2, x: 1, tmsRow: 0), blank),
  ]

  static func metadata(zooms: ClosedRange<Int> = 0...2) throws -> ArchiveMetadata {
    try ArchiveMetadata(
      name: "Sample", bounds: GeoBounds(west: -100.5, south: -80, east: 170, north: 85),
      center: LngLat(longitude: 10.25, latitude: -0.5), centerZoom: zooms.lowerBound, zooms: zooms,
      description: "Ten tiles", attribution: "<a href=\"https://example.org/a/b\">© Us</a>",
      own: [MetadataEntry(ArchiveMetadata.ledgerKey, "{\"hotels\":{\"read\":10}}")])
  }

  @discardableResult
  static func write(
    _ path: FilePath, layout: ArchiveLayout = .dedup,
    tiles: [(tile: TileCoord, image: [UInt8])] = Sample.tiles, metadata: ArchiveMetadata? = nil
  ) throws -> ArchiveSummary {
    let writer = try ArchiveWriter(path: path, layout: layout, hasAggTilesHash: true)
    for (tile, image) in tiles { try writer.append(EncodedTile(tile: tile, bytes: image)) }
    return try writer.finish(metadata: metadata ?? Self.metadata())
  }

  /// Writes an archive as a build does, and returns what it says of it.
  static func written(
    _ path: FilePath, layout: ArchiveLayout = .dedup
  ) throws -> WrittenContent {
    let writer = try ArchiveWriter(path: path, layout: layout, hasAggTilesHash: true)
    for (tile, image) in tiles { try writer.append(EncodedTile(tile: tile, bytes: image)) }
    let summary = try writer.finish(metadata: Self.metadata())
    return WrittenContent(summary, try #require(writer.checksum), layout)
  }
}
