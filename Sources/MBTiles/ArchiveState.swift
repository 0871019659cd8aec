import Files
import Hashing
import SQLite

/// The digests that distinguish the states of one archive.
package struct ArchiveState: Hashable, Sendable {
  /// The digest of its tiles (``TileHashes/digest``).
  package var tiles: String

  /// The digest of its taps (``TapsDigest``), `nil` where it has none.
  package var taps: String?

  package init(tiles: String, taps: String? = nil) {
    self.tiles = tiles
    self.taps = taps
  }

  /// The eight digits that identify the state in output and file names: the first of the tiles'
  /// digest, or of the SHA-256 over both digests, one after the other.
  package var short: String {
    guard let taps else { return DigestText.short(tiles) }
    return DigestText.short(Hexadecimal.text(SHA256.hash(data: Array((tiles + taps).utf8))))
  }
}

extension ArchiveReader {
  /// The state according to the metadata; `nil` for an archive of another program.
  package var state: ArchiveState? {
    metadata[ArchiveMetadata.digestKey].map {
      ArchiveState(tiles: $0, taps: metadata[ArchiveMetadata.tapsKey])
    }
  }

  /// Returns the digest of the taps as they are.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if the rows contradict each other.
  /// - Complexity: O(bytes of the grids and of the data of their keys).
  package func tapsDigest() throws(ArchiveError) -> String {
    let (digest, log) = try hasTapBlocks() ? tapsOfBlocks() : tapsOfGrids()
    guard let fault = log.findings.first(where: { $0.severity == .error }) else { return digest }
    throw ArchiveError(.content(.contradiction(fault.message)), path: path)
  }

  private func tapsOfGrids() throws(ArchiveError) -> (String, FindingLog) {
    var scan = GridScan(database, looksInside: false, keysOfText: nil)
    let digest = try reading(.taps()) { () throws(SQLiteError) in try scan.run() }
    return (digest, scan.log)
  }

  private func tapsOfBlocks() throws(ArchiveError) -> (String, FindingLog) {
    var scan = TapScan(database)
    let digest = try reading(.taps()) { () throws(SQLiteError) in try scan.run() }
    return (digest, scan.log)
  }
}
