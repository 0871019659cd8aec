import CSQLite
import Foundation
import QuadrilleClient

/// Reads an archive as an app does: `quadrille-reader ARCHIVE [TILES]`.
///
/// It prints the time and memory of opening the archive with its first tile, tiles a second side by
/// side with SQLite alone, and the times of taps on places that show something. The tiles are the same in
/// every run.
@main
struct ClientBenchmark {
  static func main() async throws {
    guard CommandLine.arguments.count > 1 else {
      throw BenchmarkError(text: "usage: quadrille-reader ARCHIVE [TILES]")
    }
    let url = URL(fileURLWithPath: CommandLine.arguments[1])
    let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 20_000
    let memory = residentBytes()
    let first = try await opening(url)
    print(
      "open, first tile: \(text(first)) ms, \((residentBytes() - memory) >> 10) KiB more memory")
    var again: [Double] = []
    for _ in 0..<21 { again.append(try await opening(url)) }
    print("open again, first tile: \(text(median(again))) ms (median of 21)")
    let addresses = try sample(url, count)
    try await tiles(url, addresses)
    try await taps(url, addresses)
  }

  /// Opens the archive and reads the tile of the first zoom that shows its center.
  private static func opening(_ url: URL) async throws -> Double {
    let start = seconds()
    let archive = try MapArchive(url: url)
    let center = archive.info.center?.coordinate ?? MapCoordinate(longitude: 0, latitude: 0)
    if let place = center.tile(zoom: archive.info.minZoom) {
      _ = try await archive.picture(place.address)
    }
    return seconds() - start
  }

  /// Reads tiles by both ways, in turns.
  private static func tiles(_ url: URL, _ addresses: [TileAddress]) async throws {
    var ratios: [Double] = []
    var rates: (own: [Double], plain: [Double]) = ([], [])
    let archive = try MapArchive(url: url)
    for _ in 0..<7 {
      let start = seconds()
      var bytes = 0
      for address in addresses { bytes += try await archive.tile(address)?.count ?? 0 }
      let own = seconds() - start
      let plain = try plainly(url, addresses, expecting: bytes)
      ratios.append(plain / own)
      rates.own.append(Double(addresses.count) / own)
      rates.plain.append(Double(addresses.count) / plain)
    }
    print(
      "tiles a second: \(Int(median(rates.own))), SQLite alone \(Int(median(rates.plain))), "
        + "ratio \(text(median(ratios) / 1000))")
  }

  /// Reads tiles by a prepared statement, and returns the seconds.
  private static func plainly(
    _ url: URL, _ addresses: [TileAddress], expecting bytes: Int
  ) throws -> Double {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    guard sqlite3_open_v2(url.path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_prepare_v2(
        connection,
        "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?", -1,
        &statement, nil) == SQLITE_OK
    else { throw BenchmarkError(text: "SQLite cannot open it") }
    let start = seconds()
    var found = 0
    for address in addresses {
      sqlite3_bind_int64(statement, 1, Int64(address.zoom))
      sqlite3_bind_int64(statement, 2, Int64(address.column))
      sqlite3_bind_int64(statement, 3, Int64((1 << address.zoom) - 1 - address.row))
      if sqlite3_step(statement) == SQLITE_ROW {
        let count = Int(sqlite3_column_bytes(statement, 0))
        if sqlite3_column_blob(statement, 0) != nil { found += count }
      }
      sqlite3_reset(statement)
    }
    let time = seconds() - start
    guard found == bytes else { throw BenchmarkError(text: "\(bytes) bytes, SQLite \(found)") }
    return time
  }

  /// Taps on places of tiles, of which most show nothing.
  private static func taps(_ url: URL, _ addresses: [TileAddress]) async throws {
    let archive = try MapArchive(url: url)
    guard archive.info.taps != nil else {
      print("taps: none")
      return
    }
    var random = Random()
    var (answered, empty): ([Double], [Double]) = ([], [])
    for address in addresses {
      let place = Self.place(address, random.share(), random.share())
      let start = seconds()
      let tap = try await archive.tap(at: place, zoom: address.zoom)
      let time = seconds() - start
      if tap == nil { empty.append(time) } else { answered.append(time) }
    }
    for (name, times) in [("answered", answered), ("empty", empty)] where !times.isEmpty {
      let late = times.sorted()[times.count * 99 / 100]
      print(
        "\(times.count) taps, \(name): \(text(median(times))) ms (median), 99 of 100 within "
          + "\(text(late)) ms")
    }
  }

  /// Returns the place at shares of a tile from its north-west corner.
  private static func place(_ tile: TileAddress, _ x: Double, _ y: Double) -> MapCoordinate {
    let count = Double(1 << tile.zoom)
    let north = Double.pi * (1 - 2 * (Double(tile.row) + y) / count)
    return MapCoordinate(
      longitude: (Double(tile.column) + x) / count * 360 - 180,
      latitude: atan(sinh(north)) * 180 / .pi)
  }

  /// Chooses tiles of the archive.
  private static func sample(_ url: URL, _ count: Int) throws -> [TileAddress] {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    guard sqlite3_open_v2(url.path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_prepare_v2(
        connection, "SELECT zoom_level, tile_column, tile_row FROM tiles", -1, &statement, nil)
        == SQLITE_OK
    else { throw BenchmarkError(text: "SQLite cannot open it") }
    var tiles: [TileAddress] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let zoom = Int(sqlite3_column_int64(statement, 0))
      tiles.append(
        TileAddress(
          zoom: zoom, column: Int(sqlite3_column_int64(statement, 1)),
          row: (1 << zoom) - 1 - Int(sqlite3_column_int64(statement, 2))))
    }
    guard !tiles.isEmpty else { throw BenchmarkError(text: "it has no tiles") }
    var random = Random()
    return (0..<count).map { _ in tiles[Int(random.share() * Double(tiles.count))] }
  }

  // MARK: Numbers

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  /// Returns seconds as milliseconds with three digits.
  private static func text(_ seconds: Double) -> String {
    String(format: "%.3f", seconds * 1000)
  }

  private static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The memory of the process without files that it has mapped; 0 where the system does not say.
  private static func residentBytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first)
      .flatMap { Int($0) }.map { $0 << 10 } ?? 0
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
private struct Random {
  private var state: UInt64 = 1

  /// Returns a number of 0 ..< 1.
  mutating func share() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return Double((word ^ word >> 31) >> 11) * 0x1p-53
  }
}

private struct BenchmarkError: Error, CustomStringConvertible {
  let text: String

  var description: String { text }
}
