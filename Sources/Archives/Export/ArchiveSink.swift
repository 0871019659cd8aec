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
  private let writer: ArchiveWriter
  private let source: ArchiveReader
  private let cancellation: Cancellation

  /// Whether an archive of all tiles has the metadata of its source: it is the same in another
  /// container.
  private let isWholeKept: Bool

  /// The grids; `nil` where the archive has none.
  private let grids: CarriedGrids?

  /// The compact hit test data; `nil` where the archive has none.
  private let taps: CarriedTaps?

  /// The topics of findings that an extract may inherit from the archive's tiles or metadata.
  private static let inherited: [ArchiveFinding.Topic] = [.picture, .metadata, .zooms]

  init(
    _ publication: ArchivePublication, _ source: ArchiveReader, isWholeKept: Bool,
    scratch: FilePath?, _ cancellation: Cancellation
  ) throws(ArchiveError) {
    self.isWholeKept = isWholeKept
    self.publication = publication
    self.source = source
    self.cancellation = cancellation
    let hasGrids = try CarriedGrids.areThere(in: source)
    // An archive has at most one of the two.
    let hasTaps = hasGrids ? false : try source.hasTapBlocks()
    writer = try ArchiveWriter(
      path: publication.temporary, layout: source.layout == .flat ? .flat : .dedup,
      pageSize: source.pageSize, scratch: scratch,
      hasAggTilesHash: source.metadata[AggTilesHash.key] != nil,
      hasGrids: hasGrids, hasTaps: hasTaps, isStopped: cancellation.isStopped)
    grids = hasGrids ? try CarriedGrids(source, into: writer) : nil
    taps = hasTaps ? CarriedTaps(source, into: writer) : nil
  }

  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, isCleared: Bool) throws {
    let image = try writer.addImage(bytes, md5: MD5Digest(of: bytes))
    try writer.addTile(tile, image, grid: isCleared ? nil : try grids?.grid(of: tile))
    if !isCleared { taps?.take(tile) }
  }

  func publish(
    _ tileset: TilesetDescription, rows all: [MetadataEntry]?, _ clock: StageClock
  ) throws -> SinkOutcome {
    var own = [
      MetadataEntry("\(ArchiveMetadata.prefix)version", PipelineVersion.current),
      MetadataEntry(TilesetDescription.originKey, origin.line),
    ]
    if let digest = try grids?.finish() ?? taps?.finish() {
      own.append(MetadataEntry(ArchiveMetadata.tapsKey, digest))
    }
    let rows = own
    let summary = try writer.finish { hashes in
      // The archive may be of another program, or of a version with other digests.
      if isWholeKept, let all, all.contains(MetadataEntry(ArchiveMetadata.digestKey, hashes.digest))
      {
        return all
      }
      return tileset.rows(hashes: hashes, own: rows)
    }
    var verifier = ArchiveVerifier(level: .publish)
    verifier.expected = summary
    verifier.isStopped = cancellation.isStopped
    let findings = verifier.verify(publication.temporary).findings
    try cancellation.check()
    let errors = findings.filter { $0.severity == .error }
    if let failure = errors.first(where: { $0.topic == .reading }) {
      throw PipelineError.unreadable("archive \(publication.temporary)", cause: failure.message)
    }
    if let fault = errors.first(where: { !Self.inherited.contains($0.topic) }) {
      throw PipelineError.unverified("archive", cause: fault.message)
    }
    try publication.commit()
    return SinkOutcome(
      bytes: try FileStatus.size(of: publication.archive),
      detail: "\(ReportNumber.count(summary.distinct)) distinct",
      notes: errors.map { "as in the archive it was taken from: \($0.message)" })
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
