import Files
import JSON
import MBTiles
import Runs
import SystemPackage
import Tiling

/// A sink that writes tiles, and their hit test data, to an archive of the same layout as their
/// source.
final class ArchiveSink: TileSink {
  private let publication: ArchivePublication
  private let writer: ExtractWriter
  private let source: ArchiveReader

  /// Whether an archive of all tiles has the metadata of its source: it is the same in another
  /// container.
  private let isWholeKept: Bool

  /// The topics of findings that an extract may inherit from the archive's tiles or metadata.
  private static let inherited: [ArchiveFinding.Topic] = [.picture, .metadata, .zooms]

  init(
    _ publication: ArchivePublication, _ source: ArchiveReader, isWholeKept: Bool,
    scratch: FilePath?, _ cancellation: Cancellation
  ) throws(ArchiveError) {
    self.isWholeKept = isWholeKept
    self.publication = publication
    self.source = source
    writer = try ExtractWriter(
      publication.temporary, of: source, scratch: scratch, cancellation)
  }

  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, isCleared: Bool) throws {
    try writer.append(tile, bytes, md5: MD5Digest(of: bytes), isCleared: isCleared)
  }

  func publish(
    _ tileset: TilesetDescription, rows all: [MetadataEntry]?, _ clock: StageClock
  ) throws -> SinkOutcome {
    let own = [
      MetadataEntry("\(ArchiveMetadata.prefix)version", PipelineVersion.current),
      MetadataEntry(TilesetDescription.originKey, origin.line),
    ]
    let summary = try writer.finish { hashes, taps in
      // The archive may be of another program, or of a version with other digests.
      if isWholeKept, let all, all.contains(MetadataEntry(ArchiveMetadata.digestKey, hashes.digest))
      {
        return all
      }
      return tileset.rows(hashes: hashes, own: own + taps)
    }
    let faults = try writer.verify(summary, inherited: Self.inherited)
    try publication.commit()
    return SinkOutcome(
      bytes: try FileStatus.size(of: publication.archive),
      detail: "\(ReportNumber.count(summary.distinct)) distinct",
      notes: faults.map { "as in the archive it was taken from: \($0.message)" })
  }

  /// The archive from which this is extracted: its name and the digest of its tiles.
  private var origin: ReportJSON {
    var members: [ReportJSON.Member] = []
    if let name = source.metadata["name"], ArchiveMetadata.mayHold(name) {
      members.append(.init("name", .string(name)))
    }
    if let digest = source.metadata[ArchiveMetadata.digestKey], ArchiveMetadata.mayHold(digest) {
      members.append(.init("digest", .string(digest)))
    }
    return .object(members)
  }
}
