import MBTiles
import Pictures
import Runs

/// The formats of the tiles of an archive: what its metadata say, and what the tiles are.
struct TileFormats {
  /// The format of the first tile; the format in the metadata if its bytes do not show one.
  let common: TileFormat

  /// The format of the metadata; `nil` where they name none that is known.
  private let said: TileFormat?

  /// The number of tiles that are of another known format.
  private var others = 0

  /// - Parameter path: the archive, for messages.
  init(of reader: ArchiveReader, _ path: String) throws {
    said = reader.metadata["format"].flatMap { TileFormat(metadata: $0) }
    let first = try reader.firstTile() ?? []
    guard let format = first.withUnsafeBytes({ TileFormat(sniffing: $0) }) ?? said else {
      throw PipelineError(
        .badData,
        "\(path) does not say what its tiles are, and they are no PNG, JPEG, WebP or gzipped vector "
          + "tiles. Set 'format' in its metadata.")
    }
    common = format
  }

  /// Counts a tile.
  mutating func count(_ bytes: UnsafeRawBufferPointer) {
    guard let format = TileFormat(sniffing: bytes), format != common else { return }
    others += 1
  }

  /// What differs from the metadata, or from tile to tile, a sentence each.
  var notes: [String] {
    var notes: [String] = []
    if let said, said != common {
      notes.append(
        "the archive's metadata say '\(said.rawValue)', but its first tile is \(common.title): the "
          + "export says '\(common.rawValue)'.")
    }
    if others > 0 {
      notes.append(
        "\(ReportNumber.count(others)) \(others == 1 ? "tile is" : "tiles are") not "
          + "\(common.title), as the first one is; readers may refuse what they do not expect.")
    }
    return notes
  }
}
