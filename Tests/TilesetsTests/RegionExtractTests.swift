import MBTiles
import PMTiles
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Regions of PMTiles files.
struct RegionExtractTests {
  /// The bytes of a file, of which only what was brought is here.
  private final class Counted: PMTilesBytes {
    let path = FilePath("all.pmtiles")
    private let content: [UInt8]
    private(set) var ranges: [Range<UInt64>] = [0..<UInt64(RegionExtract.headBytes)]

    init(_ content: [UInt8]) { self.content = content }

    var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    func bring(_ ranges: [Range<UInt64>]) {
      let missing = ranges.filter { range in
        !self.ranges.contains {
          $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
        }
      }
      self.ranges += missing
    }

    func bytes(_ range: Range<UInt64>) throws -> [UInt8] {
      let isHere = ranges.contains {
        $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
      }
      guard isHere, range.upperBound <= content.count else { throw PMTilesFault("lacks \(range)") }
      return Array(content[Int(range.lowerBound)..<Int(range.upperBound)])
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes the tiles of a world with contents of their own, from zoom 0 on.
  private func world(_ zooms: ClosedRange<Int>, size: Int) throws -> Counted {
    let writer = try PMTilesWriter(path: FilePath(folder.path("all.pmtiles")))
    var random = SplitMix64(seed: 4)
    for zoom in zooms {
      for x in 0..<(1 << zoom) {
        for y in 0..<(1 << zoom) {
          var bytes = Array("\(zoom)/\(x)/\(y) ".utf8)
          bytes += (0..<random.below(size)).map { _ in UInt8(random.below(256)) }
          try bytes.withUnsafeBytes { try writer.append(TileCoord(z: zoom, x: x, y: y), $0) }
        }
      }
    }
    var header = PMTilesHeader()
    (header.minZoom, header.maxZoom) = (UInt8(zooms.lowerBound), UInt8(zooms.upperBound))
    header.bounds = [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000]
    _ = try writer.finish(header, metadata: Array(#"{"name": "world"}"#.utf8))
    return Counted(try folder.bytes("all.pmtiles"))
  }

  private func extract(
    _ selection: RegionExtract.Selection, _ source: Counted
  ) throws -> PMTilesReader {
    let path = FilePath(folder.path("part-\(source.ranges.count)-\(selection.margin).pmtiles"))
    _ = try RegionExtract.write(selection, of: source, to: path)
    return try PMTilesReader(path)
  }

  @Test(
    "a region has the tiles of its box, as the file has them, and no others", arguments: [0, 1])
  func tiles(margin: Int) throws {
    let source = try world(0...7, size: 60)
    let all = try PMTilesReader(FilePath(folder.path("all.pmtiles")))
    var selection = RegionExtract.Selection(
      bounds: GeoBounds(west: 10, south: 45, east: 22, north: 52), zooms: 2...6, maxBytes: 1 << 20)
    selection.margin = margin
    let part = try extract(selection, source)
    var count = 0
    for zoom in 0...7 {
      let range = TileRange(WorldBox(selection.bounds), zoom: zoom)
        .sourceTiles(zoom: zoom, margin: margin)
      for x in 0..<(1 << zoom) {
        for y in 0..<(1 << zoom) {
          let tile = TileCoord(z: zoom, x: x, y: y)
          let isWanted = (2...6).contains(zoom) && range.contains(tile)
          #expect(try part.tile(tile) == (isWanted ? try all.tile(tile) : nil))
          count += isWanted ? 1 : 0
        }
      }
    }
    #expect(Int(part.header.addressedTiles) == count)
    #expect(part.header.minZoom == 2 && part.header.maxZoom == 6)
    #expect(part.header.bounds == [100_000_000, 450_000_000, 220_000_000, 520_000_000])
    #expect(try part.metadata() == all.metadata())
    #expect(try PMTilesCheck(part).faults == [])
  }

  @Test("of a large file a region takes few requests and little more than its bytes")
  func requests() throws {
    let source = try world(0...8, size: 900)
    let selection = RegionExtract.Selection(
      bounds: GeoBounds(west: 10, south: 45, east: 22, north: 52), maxBytes: 1 << 24)
    let part = try extract(selection, source)
    let tiles = Int(part.header.tiles.length)
    #expect(source.ranges.count <= 40, "\(source.ranges.count)")
    // The directories of a file this small are large beside its tiles.
    let directories = RegionExtract.headBytes + 65_536 + 3 * 20_000
    #expect(source.byteCount - directories < tiles * 6 / 5, "\(source.byteCount) of \(tiles)")
  }

  @Test("gaps are closed from the smallest on, and no more bytes than allowed are wasted")
  func joining() {
    let ranges: [Range<UInt64>] = [50..<60, 0..<10, 10..<20, 25..<30, 100..<110, 26..<28]
    #expect(RegionExtract.joined(ranges, waste: 0) == [0..<20, 25..<30, 50..<60, 100..<110])
    #expect(RegionExtract.joined(ranges, waste: 24) == [0..<30, 50..<60, 100..<110])
    #expect(RegionExtract.joined(ranges, waste: 25) == [0..<60, 100..<110])
    let far: [Range<UInt64>] = [0..<1, 2 << 20..<3 << 20]
    #expect(RegionExtract.joined(far, waste: .max) == far)
  }

  @Test("a box without tiles, or with too many bytes, is refused before tiles are read")
  func refused() throws {
    let source = try world(5...5, size: 60)
    var selection = RegionExtract.Selection(
      bounds: GeoBounds(west: 10, south: 45, east: 22, north: 52), maxBytes: 10)
    for (zooms, words) in [(0...22, "at most 10 are allowed"), (7...9, "has no tiles in the box")] {
      selection.zooms = zooms
      let error = #expect(throws: ArchiveError.self) { try extract(selection, source) }
      #expect(error?.message.contains(words) == true)
    }
  }

  @Test("damaged directories end in an error, whatever their bytes are")
  func damaged() throws {
    let source = try world(0...4, size: 20)
    var content = try folder.bytes("all.pmtiles")
    var random = SplitMix64(seed: 9)
    let selection = RegionExtract.Selection(bounds: .world, maxBytes: 1 << 20)
    for round in 0..<200 {
      content[random.below(min(content.count, 600))] = UInt8(random.below(256))
      let path = FilePath(folder.path("damaged-\(round).pmtiles"))
      // Most are refused; none may trap or go on without end.
      _ = try? RegionExtract.write(selection, of: Counted(content), to: path)
    }
    #expect(source.ranges.count == 1)
  }
}
