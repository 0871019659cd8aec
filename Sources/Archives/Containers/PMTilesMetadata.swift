import Features
package import Files
import Ingest
import JSON
package import MBTiles
import OrderedCollections
import Pictures
package import PMTiles
import Runs
package import SystemPackage

/// The metadata of a PMTiles file in the form of an archive's rows.
package struct PMTilesMetadata {
  /// The member that holds the rows of the archive from which all tiles were taken: pairs of name
  /// and value.
  static let rowsKey = "\(ArchiveMetadata.prefix)rows"

  /// Maximum number of rows that are read.
  private static let rowLimit = 10_000

  /// The rows of the archive that was packed; `nil` where another program wrote the file, or where
  /// it is a part of an archive.
  package let packed: [MetadataEntry]?

  private let header: PMTilesHeader
  private let members: OrderedDictionary<String, PropertyValue>
  private let name: String

  /// Reads the metadata.
  ///
  /// - Complexity: O(bytes of the metadata).
  package init(of reader: PMTilesReader) throws(ArchiveError) {
    header = reader.header
    name = reader.path.stem ?? "tiles"
    let text = try reader.metadata()
    if case .object(let members)? = try? JSONValueParser.parse(text) {
      self.members = members
    } else {
      members = [:]
    }
    packed = Self.rows(members[Self.rowsKey])
  }

  /// Whether a file begins as a PMTiles file does.
  package static func isPMTiles(_ path: FilePath) -> Bool {
    FileHead.bytes(of: path, signature.count) == signature
  }

  /// Whether a file that is held open begins as a PMTiles file does.
  package static func isPMTiles(_ file: HeldFile) -> Bool {
    FileHead.bytes(of: file.descriptor, signature.count, at: file.path) == signature
  }

  private static let signature = Array("PMTiles".utf8)

  private static func rows(_ value: PropertyValue?) -> [MetadataEntry]? {
    guard case .array(let items)? = value, items.count <= rowLimit else { return nil }
    var rows: [MetadataEntry] = []
    for item in items {
      guard case .array(let pair) = item, pair.count == 2, case .string(let name) = pair[0],
        case .string(let value) = pair[1]
      else { return nil }
      rows.append(MetadataEntry(name, value))
    }
    return rows
  }

  /// Returns the rows of a packed archive as the member's value.
  static func json(_ rows: [MetadataEntry]) -> ReportJSON {
    .array(rows.map { .array([.string($0.name), .string($0.value)]) })
  }

  /// The rows as they are known without reading tiles.
  var entries: [MetadataEntry] { packed ?? stored(header.tileType.format ?? .png) }

  /// Returns the rows of an archive with the tiles.
  ///
  /// - Parameters:
  ///   - zooms: the statistics of the tiles.
  ///   - hashes: their fingerprints.
  func rows(of zooms: [ZoomStatistics], _ hashes: TileHashes) -> [MetadataEntry] {
    if let packed { return packed }
    let format = header.tileType.format ?? .png
    let tileset = TilesetDescription(
      StoredMetadata(stored(format)), format: format, fallbackName: name,
      selection: TileSelection(), taken: zooms)
    return tileset.rows(
      hashes: hashes,
      own: [MetadataEntry("\(ArchiveMetadata.prefix)version", PipelineVersion.current)])
  }

  /// The values of the header and the members that are texts, as rows.
  private func stored(_ format: TileFormat) -> [MetadataEntry] {
    func degrees(_ values: [Int32]) -> String {
      values.map { value in
        let digits = String(value.magnitude % 10_000_000)
        let fraction = String(repeating: "0", count: 7 - digits.count) + digits
        return "\(value < 0 ? "-" : "")\(value.magnitude / 10_000_000).\(fraction)"
      }.joined(separator: ",")
    }
    var rows = [
      MetadataEntry("format", format.rawValue), MetadataEntry("bounds", degrees(header.bounds)),
      MetadataEntry("center", "\(degrees(header.center)),\(header.centerZoom)"),
      MetadataEntry("minzoom", "\(header.minZoom)"), MetadataEntry("maxzoom", "\(header.maxZoom)"),
    ]
    for (name, value) in members where !rows.contains(where: { $0.name == name }) {
      if case .string(let text) = value { rows.append(MetadataEntry(name, text)) }
    }
    let layers = ["vector_layers", "tilestats"].compactMap { name in
      members[name].map { ReportJSON.Member(name, ReportJSON($0)) }
    }
    if !layers.isEmpty { rows.append(MetadataEntry("json", ReportJSON.object(layers).line)) }
    return rows
  }
}

extension PMTilesHeader.TileType {
  /// The format; `nil` for one that archives do not have.
  var format: TileFormat? {
    switch self {
    case .png: .png
    case .jpeg: .jpeg
    case .webp: .webp
    case .vector: .vector
    case .unknown, .avif: nil
    }
  }
}

extension StoredMetadata {
  /// Reads the metadata of an archive or of a PMTiles file without its tiles.
  ///
  /// - Complexity: O(bytes of the metadata).
  package static func read(_ path: FilePath) throws(ArchiveError) -> StoredMetadata {
    let file = try HeldFile(archive: path)
    guard PMTilesMetadata.isPMTiles(file) else { return try ArchiveReader(file).metadata }
    return StoredMetadata(try PMTilesMetadata(of: PMTilesReader(file)).packed ?? [])
  }
}
