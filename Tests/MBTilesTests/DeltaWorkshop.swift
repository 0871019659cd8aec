import Files
import SQLite
import SystemPackage
import TestSupport
import Tiling

@testable import ArchiveDeltas
@testable import MBTiles

/// Two archives, the delta between them, and what is done with them.
struct DeltaWorkshop {
  let folder: TemporaryFolder
  let old: FilePath
  let new: FilePath
  let delta: FilePath

  /// What the archives answer; used where the form has taps.
  let taps: (old: SampleTaps, new: SampleTaps)

  /// - Parameter taps: What they answer; by itself some are edited where pictures are.
  init(
    _ pair: ArchivePair, _ form: DeltaForm, zooms: ClosedRange<Int> = 0...5,
    taps: (old: SampleTaps, new: SampleTaps)? = nil
  ) throws {
    let edits = pair.changes.count / 2
    self.taps =
      taps ?? (SampleTaps(), SampleTaps(tiles: pair.new, seed: UInt64(edits), edits: edits))
    folder = try TemporaryFolder()
    old = folder.path.appending("old.mbtiles")
    new = folder.path.appending("new.mbtiles")
    delta = folder.path.appending("change.delta")
    for (path, tiles, taps, version) in [
      (old, pair.old, self.taps.old, "old"), (new, pair.new, self.taps.new, "new"),
    ] {
      if form.taps != nil {
        try taps.write(path, form, tiles: tiles) { try Self.metadata(zooms, version, taps: $0) }
      } else {
        try Sample.write(
          path, layout: form.layout, tiles: tiles, metadata: Self.metadata(zooms, version))
      }
    }
  }

  /// Metadata that tells versions apart, and has a row that the other version has not.
  static func metadata(
    _ zooms: ClosedRange<Int>, _ version: String, taps: String? = nil
  ) throws -> ArchiveMetadata {
    try ArchiveMetadata(
      name: "Pair", bounds: GeoBounds(west: -180, south: -85, east: 180, north: 85),
      center: LngLat(longitude: 0, latitude: 0), centerZoom: zooms.lowerBound, zooms: zooms,
      description: version,
      own: ["same", version].map { MetadataEntry("\(ArchiveMetadata.prefix)\($0)", version) }
        + (taps.map { [MetadataEntry(ArchiveMetadata.tapsKey, $0)] } ?? []))
  }

  @discardableResult
  func make(_ path: FilePath? = nil) throws -> DeltaFacts {
    let maker = try DeltaMaker(old: try ArchiveReader(old), new: try ArchiveReader(new))
    try maker.proveDigests()
    return try maker.write(
      to: path ?? delta, bytes: try contents(of: new).count,
      sha256: try FileDigest.sha256(of: new)
    ).facts
  }

  /// Applies the delta to an archive and returns the new file's bytes.
  func apply(_ delta: FilePath? = nil, to archive: FilePath? = nil) throws -> [UInt8] {
    let made = folder.path.appending("made")
    defer { folder.remove(made) }
    let application = DeltaApplication(
      try DeltaReader(delta ?? self.delta, giveUpAfter: 10),
      to: try ArchiveReader(archive ?? old, giveUpAfter: 10), gridText: SampleTaps.text)
    guard try application.standing() == .before else { return [] }
    _ = try application.write(to: made)
    return try contents(of: made)
  }

  /// Does what an app does: SQLite and the documented statements, nothing else.
  ///
  /// - Returns: Whether the file had grown so much that it was compacted.
  @discardableResult
  func patch(_ archive: FilePath, _ form: DeltaForm, with delta: FilePath? = nil) throws -> Bool {
    let database = try Database(path: archive.string, mode: .readWrite)
    try database.execute("ATTACH '\(delta ?? self.delta)' AS delta")
    guard try database.integer(DeltaFormat.question) == 1 else { throw NotForThis() }
    try database.execute("BEGIN IMMEDIATE")
    for statement in DeltaFormat.statements(form) { try database.execute(statement) }
    try database.execute("COMMIT")
    let isLarge = try database.integer(DeltaFormat.sizeQuestion) == 1
    try database.execute("DETACH delta")
    if isLarge { try database.execute("VACUUM") }
    return isLarge
  }

  struct NotForThis: Error {}

  /// All rows of an archive as text, sorted: equal where two archives say the same.
  static func dump(_ archive: FilePath, _ form: DeltaForm) throws -> [String] {
    let database = try Database(path: archive.string, mode: .immutable)
    var tables =
      form.layout == .dedup
      ? [
        "zoom_level || '/' || tile_column || '/' || tile_row || ' ' || tile_id FROM map",
        "tile_id || ' ' || hex(tile_data) FROM images",
      ]
      : ["zoom_level || '/' || tile_column || '/' || tile_row || ' ' || hex(tile_data) FROM tiles"]
    if form.hasBlocks {
      tables += [
        "zoom_level || '/' || block_column || '/' || block_row || ' ' || hex(block_data) FROM taps",
        "first_feature || ' ' || hex(entry_data) FROM tap_entries",
      ]
    }
    if form.hasGrids {
      tables += [
        "zoom_level || '/' || tile_column || '/' || tile_row || ' ' || grid_id FROM map",
        "grid_id || ' ' || hex(grid_utfgrid) FROM grid_utfgrid",
        "grid_id || ' ' || key_name FROM grid_key", "key_name || ' ' || key_json FROM keymap",
      ]
    }
    var lines: [String] = []
    for table in tables + ["name || '=' || value FROM metadata"] {
      let statement = try database.prepare("SELECT \(table) ORDER BY 1")
      while try statement.step() { lines.append(statement.text(0) ?? "null") }
    }
    return lines
  }
}
