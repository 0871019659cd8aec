import SQLite
import Tiling

/// Finds the tiles that are not the same in two archives.
///
/// Both are read once, side by side, in archive order; memory does not grow with them. Archives of
/// this program with the layout `dedup` are compared by the names of their images, all others by
/// their bytes: a name that another program gave may stand for anything. Where both of such archives
/// answer taps, the answers are compared, too.
package struct ArchiveComparison {
  let old: ArchiveReader
  let new: ArchiveReader

  package init(old: ArchiveReader, new: ArchiveReader) {
    self.old = old
    self.new = new
  }

  /// Whether names stand for bytes in both archives.
  var usesNames: Bool { old.hasDigestNames && new.hasDigestNames }

  /// Whether both answer taps, and say by digests of what.
  func haveTaps() throws(ArchiveError) -> Bool {
    guard usesNames else { return false }
    for reader in [old, new] {
      guard reader.metadata[ArchiveMetadata.tapsKey] != nil else { return false }
      do {
        guard try GridSummary.isThere(in: reader.database) else { return false }
      } catch {
        throw ArchiveError(error, doing: "read the taps of", path: reader.path)
      }
    }
    return true
  }

  /// What differs between the answers to taps; `nil` where nothing does, or nothing is compared.
  func taps() throws(ArchiveError) -> TapsComparison? {
    let key = ArchiveMetadata.tapsKey
    guard old.metadata[key] != new.metadata[key], try haveTaps() else { return nil }
    return try TapsComparison(old: old, new: new)
  }

  /// Hands every tile that is not the same to `body`, in archive order, and counts all.
  ///
  /// - Complexity: O(tiles of both). By names SQLite itself takes 0.33 µs a row of either; by bytes
  ///   all of both are read. Where taps differ, what their keys stand for is read as well.
  package func run(
    _ body: (TileChange) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> TileChanges {
    do {
      return try walk(try taps()) { change, _ in try body(change) }
    } catch {
      // Nothing else is thrown by what is called here.
      throw error as? ArchiveError ?? ArchiveError(.misuse, "\(error)", path: new.path)
    }
  }

  /// Counts without looking at single tiles.
  ///
  /// - Parameter isStopped: asked at each tile that differs, and only there; the count then ends with
  ///   ``ArchiveError/Code/stopped``.
  /// - Complexity: O(tiles of both), half the time of ``run(_:)`` where names are compared and rows
  ///   are stored in archive order.
  package func count(isStopped: () -> Bool = { false }) throws(ArchiveError) -> TileChanges {
    func check(_ change: TileChange) throws(ArchiveError) {
      if isStopped() { throw ArchiveError(.stopped, "the comparison was stopped.") }
    }
    if usesNames {
      do {
        return try walk(try taps(), order: .stored) { change, _ in try check(change) }
      } catch let error as ArchiveError where error.code == .stopped {
        throw error
      } catch {
        // An app may have changed rows or tables by SQL; what cannot be read shows again.
      }
    }
    return try run(check)
  }

  /// The rows of an archive are not stored in its order.
  private struct RowsOutOfOrder: Error {}

  /// The same as ``run(_:)``, with the new archive's cursor, which stands on the tile unless it was
  /// removed.
  ///
  /// - Parameters:
  ///   - taps: what ``taps()`` found.
  ///   - order: ``TileCursor/Order/stored`` only by names; the walk then ends with
  ///     `RowsOutOfOrder` where that is not the archive's order.
  /// - Throws: ``ArchiveError``, and what `body` throws.
  func walk(
    _ taps: TapsComparison?, order: TileCursor.Order = .archive,
    _ body: (TileChange, borrowing TileCursor) throws -> Void
  ) throws -> TileChanges {
    let content: TileCursor.Content = usesNames ? .name : .bytes
    let hasTaps = try haveTaps()
    var before = try TileCursor(old, content: content, order: order, withGrids: hasTaps)
    var after = try TileCursor(new, content: content, order: order, withGrids: hasTaps)
    var tally = TileChangeTally()
    try before.step()
    try after.step()
    while let tile = before.key <= after.key ? before.tile : after.tile {
      var kind: TileChange.Kind?
      var part = TileChange.Part.picture
      if before.key < after.key {
        kind = .removed
      } else if before.key > after.key {
        kind = .added
      } else if try !TileCursor.areEqual(before, after) {
        kind = .changed
      } else if let taps, let other = taps.difference(try before.grid(), try after.grid()) {
        (kind, part) = (.changed, other)
      }
      tally.count(kind, zoom: tile.z)
      if let kind { try body(TileChange(tile: tile, kind: kind, part: part), after) }
      if kind != .added { try before.step() }
      if kind != .removed { try after.step() }
      if before.isOutOfOrder || after.isOutOfOrder { throw RowsOutOfOrder() }
    }
    return tally.changes
  }
}

extension ArchiveComparison {
  /// Refuses archives whose tiles cannot take each other's place: another format, another number
  /// of pixels, another density.
  ///
  /// - Throws: ``ArchiveError/Code/badValue``.
  package func requireSameForm() throws(ArchiveError) {
    let (before, after) = (try old.tileForm(), try new.tileForm())
    guard !before.fits(after) else { return }
    throw ArchiveError(
      .badValue,
      "\(old.path) has \(before) and \(new.path) \(after): they cannot be compared. Compare"
        + " archives of one form.", path: new.path)
  }
}

extension ArchiveReader {
  fileprivate func tileForm() throws(ArchiveError) -> TileForm {
    var form = TileForm(
      format: metadata["format"] ?? "unnamed", scale: metadata["scale"] ?? "1")
    do {
      let first = try database.prepare("SELECT tile_data FROM tiles LIMIT 1")
      form.isEmpty = try !first.step()
      if !form.isEmpty { form.pixels = first.withBytes(0) { try? PNGStructure($0) }.map(\.width) }
    } catch {
      throw ArchiveError(error, doing: "read", path: path)
    }
    return form
  }

  /// Whether the names of images are digests of their bytes: this program wrote the archive.
  var hasDigestNames: Bool {
    layout == .dedup && metadata[ArchiveMetadata.digestKey] != nil
  }
}

/// Format, density and pixels of an archive's tiles.
private struct TileForm: CustomStringConvertible {
  var format: String
  var scale: String
  /// Pixels of a tile's side; `nil` where the first tile does not say.
  var pixels: Int?
  /// Whether there is no tile, which has any size.
  var isEmpty = false

  /// Whether tiles of both may take each other's place.
  func fits(_ other: TileForm) -> Bool {
    format == other.format && scale == other.scale
      && (isEmpty || other.isEmpty || pixels == other.pixels)
  }

  /// `png tiles of 256 px at scale 1`.
  var description: String {
    "\(format) tiles\(pixels.map { " of \($0) px" } ?? "") at scale \(scale)"
  }
}
