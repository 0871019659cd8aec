package import Columns
package import Features
package import MBTiles
package import TapBlocks

/// The inputs of an archive's compact taps, row by row: a run that finds the same for its own
/// archive copies the row.
package struct TapState: Sendable {
  /// The rows of one table.
  package struct Rows: Sendable {
    /// The place of each row, ascending.
    package fileprivate(set) var places: Column<UInt64>

    /// The hash of all that determines the row's content.
    fileprivate var hashes: Column<StableHash>

    /// The ``MBTiles/ImageChecksum`` of the stored bytes.
    fileprivate var checksums: Column<UInt64>

    /// The number of tiles that answer, or of entries.
    fileprivate var counts: Column<UInt32>

    fileprivate init(in scratch: Scratch?) {
      places = Column(in: scratch)
      hashes = Column(in: scratch)
      checksums = Column(in: scratch)
      counts = Column(in: scratch)
    }

    /// Appends a row; places ascend.
    package mutating func append(_ place: UInt64, _ hash: StableHash, _ stream: [UInt8], count: Int)
    {
      places.append(place)
      hashes.append(hash)
      checksums.append(ImageChecksum.of(stream[...]))
      counts.append(UInt32(truncatingIfNeeded: count))
    }

    /// Returns the index of the row at a place with this hash; `nil` if there is none.
    package func index(of place: UInt64, _ hash: StableHash) -> Int? {
      let index = places.bisectedIndex { $0 < place }
      guard index < places.count, places[index] == place, hashes[index] == hash else { return nil }
      return index
    }

    /// Returns the indexes of the successive rows from a place on that have one hash and, together, a
    /// count; empty if they do not.
    package func rows(from place: UInt64, _ hash: StableHash, count: Int) -> Range<Int> {
      let start = places.bisectedIndex { $0 < place }
      var (end, rest) = (start, count)
      guard start < places.count, places[start] == place else { return start..<start }
      while rest > 0, end < places.count, hashes[end] == hash {
        rest -= Int(counts[end])
        end += 1
      }
      return rest == 0 ? start..<end : start..<start
    }

    /// Returns the count of a row if these are its bytes.
    package func count(_ index: Int, of stream: [UInt8]) -> Int? {
      ImageChecksum.of(stream[...]) == checksums[index] ? Int(counts[index]) : nil
    }
  }

  package var blocks: Rows
  package var pages: Rows

  /// - Parameter scratch: decides where the columns lie; `nil` for memory.
  package init(in scratch: Scratch? = nil) {
    (blocks, pages) = (Rows(in: scratch), Rows(in: scratch))
  }

  /// Returns the place of a block among the rows.
  package static func place(of block: TapBlockCoord) -> UInt64 {
    UInt64(block.zoom) << 58 | UInt64(block.column) << 29 | UInt64(block.row)
  }

  // MARK: As an artifact

  /// Returns the name of the state.
  ///
  /// - Parameters:
  ///   - taps: the digest of the taps.
  ///   - plan: the settings that determine taps in addition to scenes and features.
  package static func key(taps: String, plan: String) -> ArtifactKey {
    ArtifactKey(kind: .taps, [taps, plan])
  }

  package var artifact: ArtifactWriter {
    var writer = ArtifactWriter()
    for rows in [blocks, pages] {
      writer.append(rows.places)
      writer.append(rows.hashes)
      writer.append(rows.checksums)
      writer.append(rows.counts)
    }
    return writer
  }

  init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    self.init()
    blocks = try Self.rows(&reader)
    pages = try Self.rows(&reader)
  }

  private static func rows(_ reader: inout ArtifactReader) throws(ArtifactDamage) -> Rows {
    var rows = Rows(in: nil)
    rows.places = try reader.column(of: UInt64.self)
    rows.hashes = try reader.column(of: StableHash.self)
    rows.checksums = try reader.column(of: UInt64.self)
    rows.counts = try reader.column(of: UInt32.self)
    guard
      [rows.hashes.count, rows.checksums.count, rows.counts.count].allSatisfy({
        $0 == rows.places.count
      })
    else { throw ArtifactDamage("its columns differ in length") }
    return rows
  }
}

/// The compact taps of the archive in place, with the hashes of the inputs of each row.
package struct LastTaps: Sendable {
  package let state: TapState
  private let reuse: TileReuse

  /// - Returns: `nil` if the inputs of the archive's taps are unknown.
  package init?(of reuse: TileReuse, plan: String, _ cache: ArtifactCache) {
    guard reuse.state != nil, let reader = try? ArchiveReader(reuse.archive),
      let taps = reader.metadata[ArchiveMetadata.tapsKey],
      let state = cache.value(
        TapState.key(taps: taps, plan: plan),
        { reader throws(ArtifactDamage) in try TapState(&reader) })
    else { return nil }
    (self.reuse, self.state) = (reuse, state)
  }

  /// Returns a reader for rows in ascending order; `nil` if the archive cannot be read.
  package func rows() -> TapStreamCursor? {
    (try? ArchiveReader(reuse.archive)).map { TapStreamCursor($0) }
  }
}
