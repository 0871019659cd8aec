import Platform
import SQLite
import SystemPackage
package import Tiling

/// A cursor over the tiles of an archive in archive order, one tile per step, by name or by bytes.
///
/// Rows that do not name a tile or have no bytes are skipped, as is a tile's second row; they are
/// counted. Rows numbered as this program does are read as they are stored, others are sorted.
package struct TileCursor: ~Copyable {
  /// The representation of a tile's content.
  package enum Content {
    /// The name of its image in `map`, which must be the upper-case MD5 of the bytes.
    case name
    /// The bytes.
    case bytes
  }

  /// The 32 characters of an image's name, as they are stored.
  struct Name: Hashable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates the name; `nil` unless there are 32 characters.
    init?(_ text: UnsafeRawBufferPointer) {
      guard text.count == MD5Digest.hexadecimalCount else { return nil }
      func word(_ index: Int) -> UInt64 {
        text.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
      }
      words = (word(0), word(1), word(2), word(3))
    }

    static func == (one: Name, other: Name) -> Bool { one.words == other.words }

    func hash(into hasher: inout Hasher) {
      hasher.combine(words.0)
      hasher.combine(words.1)
    }
  }

  /// The current tile; `nil` before the first step and after the last tile.
  package private(set) var tile: TileCoord?

  /// The `archiveKey` of ``tile``, or the greatest number after the last tile.
  package private(set) var key = UInt64.max

  /// The number of rows so far that do not name a tile: their zoom, column or row is not an integer
  /// or out of range.
  package private(set) var misplaced = 0

  /// The number of rows of the tile before this one that came after its first.
  package private(set) var repeated = 0

  private let statement: Statement
  private let keepsHollow: Bool

  /// Whether the rows are read as they are numbered, which must be archive order.
  private let isOrdered: Bool
  private let content: Content
  private let path: FilePath

  /// One more than the key of the last tile; 0 before the first.
  private var nextKey: UInt64 = 0

  /// Creates a cursor before the first tile.
  ///
  /// - Parameters:
  ///   - content: ``Content/name`` only for an archive whose layout is `dedup`.
  ///   - zooms: the zooms to visit; `nil` for all.
  ///   - withGrids: whether ``grid()`` will be called; only for an archive with grids.
  ///   - keepsHollow: whether a row without content is a tile with no bytes, instead of being
  ///     skipped.
  package init(
    _ reader: ArchiveReader, content: Content, zooms: ClosedRange<Int>? = nil,
    withGrids: Bool = false, keepsHollow: Bool = false
  ) throws(ArchiveError) {
    path = reader.path
    self.keepsHollow = keepsHollow
    self.content = content
    let order = try reader.tileOrder()
    let columns = "SELECT zoom_level, tile_column, tile_row"
    let relation =
      switch (content, withGrids) {
      case (.name, false): "tile_id FROM map"
      case (.name, true): "tile_id, grid_id FROM map"
      case (.bytes, false): "tile_data FROM \(order.relation)"
      case (.bytes, true): "tile_data, grid_id FROM \(StoredTileOrder.joined)"
      }
    statement = try reader.prepare(
      "\(columns), \(relation)\(order.condition(zooms)) ORDER BY \(order.terms)")
    isOrdered = order.isNumbered
  }

  /// Moves to the next tile; ``tile`` is `nil` after the last.
  package mutating func step() throws(ArchiveError) {
    repeated = 0
    while true {
      do {
        guard try statement.step() else { return end() }
      } catch {
        throw ArchiveError(error, doing: "read", path: path)
      }
      guard let tile = TileCoord(row: statement) else {
        misplaced += 1
        continue
      }
      let isHollow = statement.kind(3) == .null
      if isHollow, !keepsHollow { continue }
      let key = tile.archiveKey
      guard key >= nextKey else {
        if isOrdered, key + 1 < nextKey {
          throw ArchiveError(.content(.misnumbered(tile)), path: path)
        }
        repeated += 1
        continue
      }
      // A row with content may follow.
      nextKey = isHollow ? key : key + 1
      self.key = key
      self.tile = tile
      return
    }
  }

  private mutating func end() {
    tile = nil
    key = .max
  }

  /// Returns the name of the tile's image.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if that is not an MD5.
  func name() throws(ArchiveError) -> Name {
    guard let name = statement.withBytes(3, { Name($0) }) else {
      throw ArchiveError(.content(.misnamed("shows an image", tile: tile)), path: path)
    }
    return name
  }

  /// Returns the name of the tile's grid, `nil` where it has none.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if that is not an MD5.
  package func grid() throws(ArchiveError) -> MD5Digest? {
    guard statement.kind(4) != .null else { return nil }
    guard let name = statement.withBytes(4, { MD5Digest(hexadecimal: $0) }) else {
      throw ArchiveError(.content(.misnamed("has a grid", tile: tile)), path: path)
    }
    return name
  }

  /// Calls `body` with the name's characters or the tile's bytes, which are valid until the next
  /// step.
  package func withContent<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try statement.withBytes(3, body)
  }

  /// Returns whether two cursors with one kind of content are on equal content.
  static func areEqual(_ one: borrowing TileCursor, _ other: borrowing TileCursor)
    throws(ArchiveError) -> Bool
  {
    if one.content == .name { return try one.name() == other.name() }
    return one.statement.withBytes(3) { bytes in
      other.statement.withBytes(3) { bytes.hasSameBytes(as: $0) }
    }
  }
}
