import Features
import Ingest
import JSON
import MBTiles
import OrderedCollections
import Pictures
import PMTiles
package import Runs
import SystemPackage

/// The inspection of a PMTiles file by `inspect` and `verify`.
package struct PMTilesInspection {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Whether a path names a PMTiles file rather than an archive.
  package static func isPMTiles(_ path: String) -> Bool {
    TileContainer(ofPath: path) == .pmtiles || PMTilesMetadata.isPMTiles(FilePath(path))
  }

  /// Describes header, metadata and the table of zooms; all directories are read, tiles are not.
  package func text() throws(PipelineError) -> String {
    return try PipelineError.wrapping {
      let reader = try PMTilesReader(FilePath(path))
      let check = try PMTilesCheck(reader)
      var zooms = ReportTable([["zoom", "tiles"]], text: [])
      for (zoom, count) in check.zooms.sorted(by: { $0.key < $1.key }) {
        zooms.rows.append(["\(zoom)", ReportNumber.count(count)])
      }
      zooms.rows.append(["all", ReportNumber.count(check.tiles)])
      let faults = check.faults.map { "\(path) \($0)." }
      return [
        "\(path): PMTiles version 3, \(ReportNumber.bytes(reader.size))",
        header(reader.header, check).text, try metadata(reader), zooms.text,
        faults.isEmpty ? nil : faults.joined(separator: "\n"),
      ].compactMap(\.self).joined(separator: "\n\n")
    }
  }

  /// Returns header, metadata and zooms for `inspect --json`.
  func members() throws(PipelineError) -> [ReportJSON.Member] {
    try PipelineError.wrapping {
      let reader = try PMTilesReader(FilePath(path))
      let check = try PMTilesCheck(reader)
      let header = reader.header
      func degrees(_ values: [Int32]) -> [ReportJSON] { values.map { .number(Double($0) / 1e7) } }
      let metadata = try? JSONValueParser.parse(try reader.metadata())
      return .of([
        "container": .string("pmtiles"), "bytes": .integer(reader.size),
        "tiles": .integer(check.tiles),
        "entries": .integer(check.entries), "distinct": .integer(check.contents.count),
        "distinctBytes": .integer(Int(clamping: header.tiles.length)),
        "tileType": .string("\(header.tileType)"),
        "tileCompression": .string("\(header.tileCompression)"),
        "internalCompression": .string("\(header.internalCompression)"),
        "inOrder": .bool(header.isClustered), "leafDirectories": .integer(check.leaves),
        "minzoom": .integer(Int(header.minZoom)), "maxzoom": .integer(Int(header.maxZoom)),
        "bounds": .array(degrees(header.bounds)),
        "center": .array(degrees(header.center) + [.integer(Int(header.centerZoom))]),
        "metadata": metadata.map { ReportJSON($0) } ?? .null,
        "zooms": .array(
          check.zooms.sorted { $0.key < $1.key }.map {
            .members(["zoom": .integer($0.key), "tiles": .integer($0.value)])
          }),
        "faults": .array(check.faults.map { .string($0) }),
      ])
    }
  }

  private func header(_ header: PMTilesHeader, _ check: PMTilesCheck) -> ReportTable {
    func degrees(_ values: [Int32]) -> String {
      values.map { ReportNumber.decimal(Double($0) / 1e7, 5) }.joined(separator: ", ")
    }
    let table = ReportTable(
      [
        ["tile type", "\(header.tileType)"],
        ["compression of tiles", "\(header.tileCompression)"],
        ["compression of directories", "\(header.internalCompression)"],
        ["in order", header.isClustered ? "yes" : "no"],
        ["tiles", ReportNumber.count(check.tiles)],
        ["entries", ReportNumber.count(check.entries)],
        ["distinct", ReportNumber.count(check.contents.count)],
        ["leaf directories", ReportNumber.count(check.leaves)],
        ["root directory", "\(header.root.length) bytes"],
        ["bytes of tiles", ReportNumber.bytes(Int(clamping: header.tiles.length))],
        ["zooms", "\(header.minZoom) to \(header.maxZoom)"],
        ["bounds", degrees(header.bounds)],
        ["center", "\(degrees(header.center)), zoom \(header.centerZoom)"],
      ], text: [0, 1])
    return table
  }

  /// Returns the members of the metadata, one per line; `nil` where there are none.
  private func metadata(_ reader: PMTilesReader) throws -> String? {
    let bytes = try reader.metadata()
    guard case .object(let members)? = try? JSONValueParser.parse(bytes),
      !members.isEmpty
    else { return nil }
    var table = ReportTable(text: [0, 1])
    table.rows = members.map { name, value in
      if case .string(let text) = value { [name, String(text.prefix(200))] } else { [name, "…"] }
    }
    return table.text
  }

  /// Verifies structure, metadata, and every distinct tile: that its bytes exist and, for
  /// pictures, that they decode.
  package func verify(
    _ cancellation: Cancellation = Cancellation()
  ) throws(PipelineError) -> VerificationSummary {
    do {
      let reader = try PMTilesReader(FilePath(path))
      var check = try PMTilesCheck(reader)
      let text = try reader.metadata()
      let value = try? JSONValueParser.parse(text)
      if case .object? = value {} else { check.fault("has metadata that is no JSON object") }
      if check.faults.isEmpty { try verifyTiles(reader, &check, cancellation) }
      if check.faults.isEmpty { try verifyRows(reader, &check, cancellation) }
      let tiles = ReportNumber.count(check.tiles)
      return VerificationSummary(
        faults: check.faults.map { "the file \($0)." }, warnings: [],
        conclusion: check.faults.isEmpty
          ? "sound: \(tiles) tiles, \(ReportNumber.count(check.contents.count)) distinct"
          : "\(check.faults.count) fault\(check.faults.count == 1 ? "" : "s")")
    } catch {
      let failure = PipelineError(wrapping: error)
      guard failure.code == .badData else { throw failure }
      return VerificationSummary(faults: [failure.message], warnings: [], conclusion: "1 fault")
    }
  }

  /// Verifies the tiles against the metadata of the archive that was packed.
  private func verifyRows(
    _ reader: PMTilesReader, _ check: inout PMTilesCheck, _ cancellation: Cancellation
  ) throws {
    guard try PMTilesMetadata(of: reader).packed != nil else { return }
    let view = try ArchiveView(of: reader.held, isStopped: cancellation.isStopped)
    var verifier = ArchiveVerifier(level: .full)
    verifier.isStopped = cancellation.isStopped
    for finding in verifier.verify(view.path).findings where finding.severity == .error {
      check.fault("is not what its metadata says: \(finding.message.dropLast())")
    }
  }

  private func verifyTiles(
    _ reader: PMTilesReader, _ check: inout PMTilesCheck, _ cancellation: Cancellation
  ) throws {
    let picture = PictureCheck()
    for (index, content) in check.contents.enumerated() {
      if index & 255 == 0 { try cancellation.check() }
      let entry = PMTilesEntry(
        tile: 0, offset: content.offset, length: content.length, runLength: 1)
      let bytes = try reader.bytes(of: entry)
      let place = "at byte \(reader.header.tiles.offset + content.offset)"
      bytes.withUnsafeBytes { bytes in
        switch reader.header.tileType {
        case .jpeg where TileFormat(sniffing: bytes) != .jpeg,
          .webp where TileFormat(sniffing: bytes) != .webp:
          check.fault("has a tile \(place) that is not what its header says")
        case .png, .jpeg, .webp:
          do throws(PictureFault) {
            // A PNG is told from other formats by its signature, which the structure needs.
            if reader.header.tileType == .png {
              _ = try PNGStructure(bytes)
            } else {
              _ = try PictureStructure(bytes)
            }
            if let fault = picture.fault(in: bytes) {
              check.fault("has a tile \(place) that \(fault)")
            }
          } catch {
            check.fault("has a tile \(place) that \(error.message)")
          }
        case .vector where reader.header.tileCompression == .gzip:
          if Gzip.decompress(bytes, limit: 64 << 20) == nil {
            check.fault("has a tile \(place) that is no gzip")
          }
        default: break
        }
      }
    }
  }
}
