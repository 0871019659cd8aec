import Clustering
import Features
import Ingest
import Reuse
import SystemPackage
import Tiling

/// Damaged artifacts: a byte of options, then what to do to the body of a good one, or with the
/// highest bit the whole body. The lowest bit takes clusters instead of records; the next leaves the
/// header's checksum as it was.
enum ArtifactFuzz {
  /// Points and shapes, and the clusters of the points.
  private struct Good {
    var records: RecordsArtifact
    var clusters: ClustersArtifact

    var input: ClusterInput {
      let points = records.points
      return ClusterInput(
        longitudes: points.longitudes, latitudes: points.latitudes, positions: points.positions)
    }
  }

  private static let good: Result<Good, any Error> = Result(catching: make)
  private static let program = "fuzz"

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let options = input.byte()
    let base = try good.get()
    let isClusters = options.has(bit: 0)
    let body = try Self.body(of: isClusters ? base.clusters.writer : base.records.writer)
    let damaged = options.has(bit: 7) ? input.rest : Damage.apply(&input, to: body, pageSize: 64)
    let header = ArtifactHeader(body: options.has(bit: 1) ? body : damaged, program: program)
    let scratch = try ScratchFile()
    try scratch.write(header.bytes + damaged)

    guard let again = try rewritten(scratch.path, isClusters, base) else {
      try require(damaged != body, "the good artifact is refused")
      return false
    }
    try require(damaged != body || again == body, "the good artifact is written as another one")
    // What stands between columns, and marks that mean the same, are not kept.
    try scratch.write(ArtifactHeader(body: again, program: program).bytes + again)
    try require(
      try rewritten(scratch.path, isClusters, base) == again, "it is written as another one again")
    return true
  }

  /// The body as it is written after it was read; `nil` where it is refused.
  private static func rewritten(
    _ path: FilePath, _ isClusters: Bool, _ base: Good
  ) throws -> [UInt8]? {
    guard var reader = try? ArtifactReader(path, program: program) else { return nil }
    if isClusters {
      guard let clusters = try? ClustersArtifact(&reader), reader.isAtEnd,
        let pyramid = clusters.pyramid.pyramid(of: base.input, aggregates: clusters.aggregates)
      else { return nil }
      _ = StoredPyramid(pyramid, of: base.input)
      return try body(of: clusters.writer)
    }
    guard let records = try? RecordsArtifact(&reader), reader.isAtEnd else { return nil }
    look(at: records)
    return try body(of: records.writer)
  }

  /// Asks for every value, as layers and taps do.
  private static func look(at artifact: RecordsArtifact) {
    for records in [artifact.points.records, artifact.shapes.records] {
      for row in 0..<records.count {
        _ = records.id(row)
        for column in records.columns { _ = column.value(row) }
      }
    }
    for point in 0..<artifact.points.count { _ = artifact.points.record(of: point) }
    let geometry = artifact.shapes.geometry
    for shape in 0..<geometry.count {
      for part in geometry.partRange(shape) { _ = geometry.positions[geometry.positionRange(part)] }
    }
  }

  private static func body(of writer: ArtifactWriter) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try writer.forEachPiece { bytes.append(contentsOf: $0) }
    return bytes
  }

  // MARK: Good ones

  private static let features = """
    {"type":"Feature","id":"é","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]}}
    {"type":"Feature","properties":{"b":[1,{"c":null}]},"geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}}
    {"type":"Feature","properties":{"a":null,"b":true},"geometry":{"type":"LineString","coordinates":[[1,2],[190,4]]}}
    {"type":"Feature","properties":{"a":"","b":false},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]}}
    {"type":"Feature","properties":{"a":-0.5},"geometry":null}
    """

  private static func make() throws -> Good {
    var reader = GeoJSONSequenceReader(
      source: ByteSource(bytes: Array(features.utf8), name: "f"), options: GeoJSONOptions())
    let source = try IngestStage.read(&reader, file: "f", options: IngestOptions())
    let records = RecordsArtifact(
      points: source.points, shapes: source.shapes, ledger: source.ledger, bytes: 900)
    let input = ClusterInput(
      longitudes: source.points.longitudes, latitudes: source.points.latitudes,
      positions: source.points.positions)
    let options = try RadiusOptions(radius: 40, tileSize: 256, maxZoom: 3, minPoints: 2)
    let pyramid = RadiusClusterer(options).pyramid(
      of: input, zooms: 0...4, threads: 1, checkpoint: {})
    return Good(
      records: records,
      clusters: ClustersArtifact(pyramid: StoredPyramid(pyramid, of: input), aggregates: []))
  }
}
