import ArchiveDeltas
import Archives
import Files
import MBTiles
import PNG
import Pipeline
import Raster
import Runs
import SystemPackage
import TapBlocks
import Tiling

/// Damaged deltas, applied to a small archive: a byte of options, then what to do to a good delta, or
/// with the highest bit the whole file. The lowest three bits choose the archives: `dedup`, `flat`, and
/// both forms of taps.
enum ApplyFuzz {
  /// Two archives and what leads from one to the other.
  private struct Good {
    var old: [UInt8]
    var new: [UInt8]
    var delta: [UInt8]

    /// What leads back.
    var back: [UInt8]
  }

  private static let good: Result<[Good], any Error> = Result { try DeltaForm.all.map(make) }

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let options = input.byte()
    let all = try good.get()
    let base = all[Int(options & 7) % all.count]
    let delta =
      options.has(bit: 7) ? input.rest : Damage.apply(&input, to: base.delta, pageSize: 4096)
    let folder = try ScratchFolder()
    try folder.write(base.old, to: "a.mbtiles")
    try folder.write(delta, to: "x.delta")

    try folder.write(base.back, to: "y.delta")
    merge(folder)
    let isApplied = apply(folder) != nil
    let made = try folder.bytes("a.mbtiles")
    guard isApplied else {
      try require(made == base.old, "the delta was refused, but the archive is another one")
      try require(delta != base.delta, "the good delta is refused")
      return false
    }
    try require(delta != base.delta || made == base.new, "the good delta gives other bytes")
    let verification = try PipelineRunner.verify(
      archive: folder.path("a.mbtiles").string, cancellation: Cancellation(), progress: { _ in })
    try require(verification.faults.isEmpty, "the archive is not sound: \(verification.faults)")
    try require(apply(folder)?.result == .unchanged, "a second time it is not unchanged")
    return true
  }

  /// What came of it; `nil` where the delta is refused.
  private static func apply(_ folder: ScratchFolder) -> PatchSummary? {
    try? PipelineRunner.apply(
      delta: folder.path("x.delta").string, archive: folder.path("a.mbtiles").string, scratch: nil,
      cancellation: Cancellation(), progress: { _ in })
  }

  /// Merges the delta with the one that leads back, if it can be.
  private static func merge(_ folder: ScratchFolder) {
    guard let delta = try? DeltaReader(folder.path("x.delta")),
      let back = try? DeltaReader(folder.path("y.delta"))
    else { return }
    _ = try? DeltaMerger(delta, back).write(to: folder.path("z.delta"))
  }

  // MARK: Good ones

  private static func make(_ form: DeltaForm) throws -> Good {
    let folder = try ScratchFolder()
    let (old, new, delta) = (folder.path("old"), folder.path("new"), folder.path("delta"))
    try write(old, form, shades: [90, 200, 40], shift: 0)
    try write(new, form, shades: [90, 10, 220], shift: 1)
    let bytes = try folder.bytes("new")
    for (path, from, to) in [(delta, old, new), (folder.path("back"), new, old)] {
      let maker = try DeltaMaker(old: try ArchiveReader(from), new: try ArchiveReader(to))
      _ = try maker.write(
        to: path, bytes: try FileStatus.size(of: to), sha256: try FileDigest.sha256(of: to))
    }
    return Good(
      old: try folder.bytes("old"), new: bytes, delta: try folder.bytes("delta"),
      back: try folder.bytes("back"))
  }

  /// Writes an archive.
  ///
  /// - Parameter shift: by how many places the tiles, and their keys, differ from those of another.
  private static func write(
    _ path: FilePath, _ form: DeltaForm, shades: [UInt32], shift: Int
  ) throws {
    let writer = try ArchiveWriter(
      path: path, layout: form.layout, hasGrids: form.hasGrids, hasTaps: form.hasBlocks)
    var keys: [Int] = []
    for (place, tile) in coords.enumerated() where (place + shift) % 5 != 4 {
      let image = image(shade: shades[place % 3])
      let ref = try image.withUnsafeBytes { try writer.addImage($0, md5: MD5Digest(of: $0)) }
      var grid: GridRef?
      if form.hasGrids, place % 3 != 0 {
        let key = place % 4 + shift
        if !keys.contains(key) { keys.append(key) }
        grid = try Self.grid(key).withUnsafeBytes {
          try writer.addGrid($0, md5: MD5Digest(of: $0), keys: [Self.key(key)], by: tile)
        }
      }
      try writer.addTile(tile, ref, grid: grid)
    }
    for key in keys.sorted(by: { Self.key($0).lexicographicallyPrecedes(Self.key($1)) }) {
      try writer.addEntry(key: Self.key(key), json: Array(#"{"n":\#(key / 2 + shift)}"#.utf8))
    }
    if form.hasBlocks { try writeBlocks(to: writer, shift: shift) }
    let own = writer.taps.map { [MetadataEntry(ArchiveMetadata.tapsKey, $0.digest)] } ?? []
    _ = try writer.finish(
      metadata: ArchiveMetadata(
        name: "Fuzz", bounds: GeoBounds(west: -180, south: -85, east: 180, north: 85),
        center: LngLat(longitude: 10, latitude: 0), centerZoom: 0, zooms: 0...2,
        description: "shift \(shift)", own: own))
  }

  /// Writes a block for each zoom and a page of two features.
  private static func writeBlocks(to writer: ArchiveWriter, shift: Int) throws {
    let deflater = TapDeflater()
    for zoom in shift...2 {
      var block = TapBlock(tileSide: 256)
      block.tiles = 1
      block.shapes = [
        TapShape(tile: 0, kind: .wholeTile, layer: 0, feature: UInt64(zoom + shift))
      ]
      try writer.addTaps(
        TapBlockCoord(zoom: zoom, column: 0, row: 0), deflater.compress(block.encoded()), tiles: 1)
    }
    var page = TapEntryPage()
    for number in shift...4 {
      page.append(
        UInt64(number), TapEntry(key: Array("k\(number)".utf8), fields: Array(#""n":1"#.utf8)))
    }
    try writer.addTapEntries(
      first: UInt64(shift), deflater.compress(page.encoded()), count: page.entries.count)
  }

  private static let coords: [TileCoord] =
    ([TileCoord(z: 0, x: 0, tmsRow: 0)]
    + (0..<4).map { TileCoord(z: 1, x: $0 / 2, tmsRow: $0 % 2) }
    + (0..<8).map { TileCoord(z: 2, x: $0 / 4, tmsRow: $0 % 4) })
    .sorted { $0.archiveKey < $1.archiveKey }

  private static func key(_ number: Int) -> [UInt8] { Array("a..\(number)".utf8) }

  private static func grid(_ key: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    let cells = (0..<4096).map { UInt16($0 % 5 == 0 ? 1 : 0) }
    _ = UTFGridEncoder().append(cells: cells, keys: [Self.key(key)], to: &bytes)
    return bytes
  }

  private static func image(shade: UInt32) -> [UInt8] {
    let pixmap = Pixmap(width: 256, height: 256)
    pixmap.clear(to: PremultipliedColor(bits: 0xFF00_0000 | shade))
    return PNGEncoder().encode(pixmap)
  }
}
