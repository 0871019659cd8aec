import MBTiles
import PNG
import Raster
import SystemPackage
import Tiling

/// Damaged archives: a byte of options, then what to do to a small good one, or with the highest bit
/// the whole file.
enum ArchiveFuzz {
  /// Good archives of either layout.
  private static let good: Result<[[UInt8]], any Error> = Result {
    try ArchiveLayout.allCases.map(make)
  }

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let verifiesQuickly = form.has(bit: 2)
    let base = try good.get()[Int(form & 1)]
    let file = form.has(bit: 7) ? input.rest : Damage.apply(&input, to: base, pageSize: 4096)
    let scratch = try ScratchFile()
    try scratch.write(file)

    let verification = verify(scratch.path, form)
    try require(verify(scratch.path, form).findings == verification.findings, "other findings")
    let tiles = read(scratch.path)
    if form.has(bit: 3) {
      try compare(scratch.path, with: base, verification.isSound ? verification.summary : nil)
    }
    guard verification.isSound else {
      try require(file != base, "the good archive is not sound: \(verification.findings)")
      return false
    }
    guard let tiles else {
      // SQLite's quick check, which a build asks for, does not look into indexes.
      try require(verifiesQuickly, "an archive is sound and cannot be read")
      return true
    }
    try require(
      tiles == verification.summary?.tiles, "not as many tiles as the verifier counted")
    if file != base, verification.summary?.hashes != nil, form.has(bit: 1) {
      try require(
        try summary(of: scratch.path) == verification.summary, "verifier and reader disagree")
    }
    return true
  }

  private static func verify(_ path: FilePath, _ form: UInt8) -> ArchiveVerification {
    var verifier = ArchiveVerifier(level: form.has(bit: 2) ? .publish : .full)
    verifier.giveUpAfter = 5
    let check = PNGCheck()
    verifier.imageCheck = { check.fault(in: $0) }
    return verifier.verify(path)
  }

  /// The number of tiles that can be read; `nil` where reading fails.
  private static func read(_ path: FilePath) -> Int? {
    do throws(ArchiveError) {
      let reader = try ArchiveReader(path, giveUpAfter: 5)
      var count = 0
      var coords: [TileCoord] = []
      try reader.forEachTile { tile, _ throws(ArchiveError) in
        count += 1
        if coords.count < 8 { coords.append(tile) }
      }
      for tile in coords { _ = try reader.tile(tile) }
      _ = try reader.summary()
      return count
    } catch {
      return nil
    }
  }

  /// Compares the damaged archive with the good one, in both directions.
  ///
  /// - Parameter summary: what the verifier counted in the damaged one; `nil` where it is not sound.
  private static func compare(
    _ path: FilePath, with base: [UInt8], _ summary: ArchiveSummary?
  ) throws {
    let scratch = try ScratchFile()
    try scratch.write(base)
    guard let damaged = try? ArchiveReader(path, giveUpAfter: 5) else { return }
    let good = try ArchiveReader(scratch.path, giveUpAfter: 5)
    guard let forth = try? ArchiveComparison(old: good, new: damaged).count() else { return }
    let back = try ArchiveComparison(old: damaged, new: good).count()
    try require(
      forth.added == back.removed && forth.removed == back.added && forth.changed == back.changed
        && forth.unchanged == back.unchanged, "there and back are not the same: \(forth), \(back)")
    try require(forth.oldTiles == coords.count, "\(forth.oldTiles) tiles of \(coords.count)")
    guard let summary, let hashes = summary.hashes else { return }
    let isEqual = try hashes == good.summary(hashing: true).hashes
    try require(isEqual == (forth.differing == 0), "equal hashes, but \(forth)")
  }

  private static func summary(of path: FilePath) throws -> ArchiveSummary {
    try ArchiveReader(path, giveUpAfter: 5).summary(hashing: true)
  }

  // MARK: A good archive

  private static func make(_ layout: ArchiveLayout) throws -> [UInt8] {
    let scratch = try ScratchFile()
    let path = FilePath(scratch.path.string + "-shm")
    let writer = try ArchiveWriter(path: path, layout: layout)
    let images = [
      PNGEncoder.transparent(width: 256, height: 256), image(shade: 90), image(shade: 200),
    ]
    for (place, tile) in coords.enumerated() {
      try writer.append(EncodedTile(tile: tile, bytes: images[(place + 1) % 3]))
    }
    _ = try writer.finish(
      metadata: ArchiveMetadata(
        name: "Fuzz", bounds: GeoBounds(west: -180, south: -85, east: 180, north: 85),
        center: LngLat(longitude: 10, latitude: 0), centerZoom: 0, zooms: 0...2))
    let file = try FileDescriptor.open(path, .readOnly)
    return try file.closeAfter {
      var bytes = [UInt8](repeating: 0, count: Int(try file.seek(offset: 0, from: .end)))
      _ = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
      return bytes
    }
  }

  private static let coords: [TileCoord] =
    ([TileCoord(z: 0, x: 0, tmsRow: 0)]
    + (0..<4).map { TileCoord(z: 1, x: $0 / 2, tmsRow: $0 % 2) }
    + (0..<6).map { TileCoord(z: 2, x: $0 / 2, tmsRow: $0 % 2) })
    .sorted { $0.archiveKey < $1.archiveKey }

  private static func image(shade: UInt32) -> [UInt8] {
    let pixmap = Pixmap(width: 256, height: 256)
    pixmap.clear(to: PremultipliedColor(bits: 0xFF00_0000 | shade))
    return PNGEncoder().encode(pixmap)
  }
}
