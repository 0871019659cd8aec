import MBTiles
import Runs
import SystemPackage
import Tiling

/// A writer of an archive of some tiles of another one, in the same layout, with their hit test data.
final class ExtractWriter {
  private let path: FilePath
  private let writer: ArchiveWriter
  private let cancellation: Cancellation

  /// The grids; `nil` where the archive has none.
  private let grids: CarriedGrids?

  /// The compact hit test data; `nil` where the archive has none.
  private let taps: CarriedTaps?

  /// - Parameter path: the path of the new file, which must not exist.
  init(
    _ path: FilePath, of source: ArchiveReader, scratch: FilePath?, _ cancellation: Cancellation
  ) throws(ArchiveError) {
    self.path = path
    self.cancellation = cancellation
    let hasGrids = try CarriedGrids.areThere(in: source)
    // An archive has at most one of the two.
    let hasTaps = hasGrids ? false : try source.hasTapBlocks()
    writer = try ArchiveWriter(
      path: path, layout: source.layout == .flat ? .flat : .dedup,
      pageSize: source.pageSize, scratch: scratch,
      hasAggTilesHash: source.metadata[AggTilesHash.key] != nil,
      hasGrids: hasGrids, hasTaps: hasTaps, isStopped: cancellation.isStopped)
    grids = hasGrids ? try CarriedGrids(source, into: writer) : nil
    taps = hasTaps ? CarriedTaps([source], into: writer) : nil
  }

  /// The statistics of the tiles so far, by zoom.
  var statistics: [ZoomStatistics] { writer.statistics }

  /// Appends a tile; the bytes are invalid after the call.
  ///
  /// - Parameters:
  ///   - md5: the MD5 of the bytes.
  ///   - isCleared: whether the bytes are not the archive's but transparent.
  func append(
    _ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, isCleared: Bool = false
  ) throws {
    _ = try writer.addTile(tile, showingOnly: bytes, md5: md5) {
      isCleared ? nil : try grids?.grid(of: tile)
    }
    if !isCleared { taps?.take(tile) }
  }

  /// Completes the file.
  ///
  /// - Parameter rows: returns the metadata for the fingerprints of the tiles, and the row of the
  ///   digest of the hit test data.
  func finish(
    rows: (TileHashes, _ taps: [MetadataEntry]) -> [MetadataEntry]
  ) throws -> ArchiveSummary {
    var own: [MetadataEntry] = []
    if let digest = try grids.map({ try CarriedGrids.finish([$0]) }) ?? taps?.finish() {
      own.append(MetadataEntry(ArchiveMetadata.tapsKey, digest))
    }
    let taps = own
    return try writer.finish { hashes in rows(hashes, taps) }
  }

  /// Reads the file back.
  ///
  /// - Parameters:
  ///   - summary: the result of ``finish(rows:)``.
  ///   - inherited: the topics of faults that may come from the source archive's tiles or metadata;
  ///     empty for an archive of this program, whose tiles are compared by their checksums.
  /// - Returns: the inherited faults.
  /// - Throws: ``PipelineError`` for all others.
  func verify(
    _ summary: ArchiveSummary, inherited: [ArchiveFinding.Topic] = []
  ) throws -> [ArchiveFinding] {
    var verifier = ArchiveVerifier(level: .publish)
    verifier.expected = summary
    if inherited.isEmpty {
      verifier.written = writer.checksum.map { WrittenContent(summary, $0, writer.layout) }
    }
    verifier.isStopped = cancellation.isStopped
    let findings = verifier.verify(path).findings
    try cancellation.check()
    let errors = findings.filter { $0.severity == .error }
    if let failure = errors.first(where: { $0.topic == .reading }) {
      throw PipelineError.unreadable("archive \(path)", cause: failure.message)
    }
    if let fault = errors.first(where: { !inherited.contains($0.topic) }) {
      throw PipelineError.unverified("archive", cause: fault.message)
    }
    return errors
  }
}
