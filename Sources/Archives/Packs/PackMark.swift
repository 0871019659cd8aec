import Features
import Ingest
import JSON
package import MBTiles
import OrderedCollections
package import SystemPackage

/// The row of a pack's metadata that says what it is a pack of.
package struct PackMark: Hashable, Sendable {
  /// The key of the row.
  package static let key = ArchiveMetadata.prefix + "pack"

  /// The file name of the archive.
  package var archive: String

  /// The name of the region; `nil` for the shared pack.
  package var region: String?

  package init(archive: String, region: String?) {
    self.archive = archive
    self.region = region
  }

  /// Reads the row; `nil` where an archive is no pack.
  package init?(_ metadata: StoredMetadata) {
    guard let text = metadata[Self.key],
      case .object(let members)? = try? JSONValueParser.parse(Array(text.utf8)),
      case .string(let archive)? = members["archive"]
    else { return nil }
    self.archive = archive
    if case .string(let name)? = members["region"] { region = name }
  }

  /// Whether a pack of the archive, or nothing, is at a path.
  package static func isFree(_ path: FilePath, forPacksOf archive: String) -> Bool {
    do throws(ArchiveError) {
      return PackMark(try StoredMetadata.read(path))?.archive == archive
    } catch {
      return error.code == .missing
    }
  }

  package var entry: MetadataEntry {
    let name = region.map { [ReportJSON.Member("region", .string($0))] } ?? []
    return MetadataEntry(
      Self.key, ReportJSON.object([.init("archive", .string(archive))] + name).line)
  }
}
