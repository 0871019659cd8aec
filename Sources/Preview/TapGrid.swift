import CDeflate
import Features
import Ingest
import MBTiles
import Pipeline
import Tiling

/// The UTFGrid of a tile with what its keys stand for inlined, as the specification has it for
/// clients: `{"grid": […], "keys": […], "data": {key: {…}}}`.
enum TapGrid {
  /// A grid is at most 64 KiB by ARCHIVE.md; what is longer is hostile.
  private static let maxBytes = 1 << 20

  /// Reads the grid of a tile; `nil` where there is none, or none that makes sense.
  static func read(_ tile: TileCoord, from archive: ArchiveReader) throws -> ReportJSON? {
    guard archive.hasGrids, let stored = try archive.grid(of: tile),
      let bytes = inflated(stored), case .object(let members)? = ReportJSON(bytes)
    else { return nil }
    var data: [ReportJSON.Member] = []
    for (key, json) in try archive.gridData(of: tile) {
      guard json.utf8.count <= maxBytes, let value = ReportJSON(Array(json.utf8)) else { continue }
      data.append(.init(key, value))
    }
    return .object(
      members.filter { ["grid", "keys"].contains($0.key) } + [.init("data", .object(data))])
  }

  /// The bytes of a zlib or gzip stream; `nil` where it is damaged or too long.
  static func inflated(_ stream: [UInt8]) -> [UInt8]? {
    guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(decompressor) }
    let isGzip = stream.starts(with: [0x1F, 0x8B])
    var output = [UInt8](repeating: 0, count: maxBytes)
    var count = 0
    let result = stream.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { room in
        isGzip
          ? libdeflate_gzip_decompress(
            decompressor, input.baseAddress, input.count, room.baseAddress, room.count, &count)
          : libdeflate_zlib_decompress(
            decompressor, input.baseAddress, input.count, room.baseAddress, room.count, &count)
      }
    }
    return result == LIBDEFLATE_SUCCESS ? Array(output[..<count]) : nil
  }
}
