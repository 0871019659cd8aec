import Archives
import Definition
import Ingest
import MBTiles
import Overlays
import Reports
import Runs
import SystemPackage

/// The content of a page for one archive beside its report: read from the archive, which is in
/// place.
struct ReportExhibit {
  /// A tile with its image.
  struct Picture {
    var tile: GalleryTile

    /// The bytes of the image; `nil` where the archive no longer has the tile.
    var bytes: [UInt8]?
  }

  /// A frame of a series, with the fullest tile of its first zoom.
  struct Frame {
    var time: String
    var file: String
    var picture: Picture?
  }

  /// The maximum number of frames that are shown; a series may have thousands.
  private static let frameLimit = 48

  var report: BuildReport
  private(set) var metadata: [MetadataEntry] = []

  /// The layout, `dedup`, `flat` or `view`; empty for a series.
  private(set) var layout = ""

  /// The fullest tile of each zoom, then the median and the emptiest.
  private(set) var sheets: [(zoom: Int, pictures: [(word: String, picture: Picture)])] = []
  private(set) var biggest: [Picture] = []
  private(set) var frames: [Frame] = []

  /// The number of frames that are not among ``frames``.
  private(set) var furtherFrames = 0

  /// The reason why there are no pictures; `nil` where there are.
  private(set) var fault: String?

  /// Reads the archive of a report. One that cannot be read is mentioned, since the report is
  /// useful without pictures.
  ///
  /// - Complexity: O(tiles); an archive that stays in place is read as a whole.
  init(_ report: BuildReport, of definition: PipelineDefinition) {
    self.report = report
    guard report.result != .skipped else { return }
    if report.result == .unchanged { self.report.restore(from: definition) }
    if report.series != nil {
      do {
        try lookIntoSeries()
      } catch {
        fault = PipelineError(wrapping: error).message
      }
      return
    }
    do {
      let reader = try ArchiveReader.opening(FilePath(report.archive.path))
      metadata = reader.metadata.entries
      layout = reader.layout.rawValue
      try look(into: reader)
    } catch {
      fault = PipelineError(wrapping: error).message
    }
  }

  private mutating func look(into reader: ArchiveReader) throws {
    let zooms = try reader.summary().zooms
    report.complete(with: zooms)
    let gallery = try ArchiveGallery(reader, zooms: zooms)
    func picture(_ tile: GalleryTile) throws -> Picture {
      Picture(tile: tile, bytes: try reader.tile(tile.tile))
    }
    for sheet in gallery.sheets {
      let tiles = [
        ("densest", sheet.densest), ("median", sheet.median), ("emptiest", sheet.emptiest),
      ]
      let pictures = try tiles.compactMap { word, tile in
        try tile.map { (word: word, picture: try picture($0)) }
      }
      sheets.append((sheet.zoom, pictures))
    }
    biggest = try gallery.biggest.map(picture)
    if report.result == .unchanged { try compareWithKept(reader) }
  }

  /// Compares an archive that stays with the previous one, if that is kept.
  private mutating func compareWithKept(_ reader: ArchiveReader) throws {
    let kept = try KeptArchives(FilePath(report.archive.path)).earlier().first
    guard let kept, let old = try? ArchiveReader.opening(kept) else { return }
    let (changes, tiles) = try ArchiveComparison(old: old, new: reader).samples()
    report.changes = changes
    report.changedTiles = tiles
  }

  private mutating func lookIntoSeries() throws {
    let path = FilePath(report.archive.path)
    let bytes = try DocumentFile.bytes(of: path.string, limit: 64 << 20)
    let manifest = try FramesManifest(
      try JSONValueParser.parse(bytes, name: path.string), name: path.string)
    furtherFrames = max(0, manifest.frames.count - Self.frameLimit)
    // Readers look for the latest frames.
    for frame in manifest.frames.suffix(Self.frameLimit) {
      let archive = path.removingLastComponent().appending(FilePath(frame.archive.file).components)
      frames.append(
        Frame(
          time: "\(frame.time)", file: frame.archive.file, picture: try? Self.thumbnail(of: archive)
        ))
    }
  }

  /// Returns the fullest tile of the first zoom of an archive.
  private static func thumbnail(of archive: FilePath) throws -> Picture? {
    let reader = try ArchiveReader.opening(archive)
    let zooms = try reader.summary().zooms.prefix(1)
    let tile = try ArchiveGallery(reader, zooms: Array(zooms), biggest: 0).sheets.first?.densest
    return try tile.map { Picture(tile: $0, bytes: try reader.tile($0.tile)) }
  }
}

extension BuildReport {
  /// Adds the values to the zooms that only the archive contains: those of an archive that stays
  /// have no counts.
  fileprivate mutating func complete(with counted: [ZoomStatistics]) {
    let known = Dictionary(zooms.map { ($0.zoom, $0) }, uniquingKeysWith: { first, _ in first })
    zooms = counted.map { counted in
      var zoom = known[counted.zoom] ?? ZoomReport(zoom: counted.zoom)
      (zoom.tiles, zoom.empty) = (counted.tiles, counted.empty)
      (zoom.distinct, zoom.bytes) = (counted.distinct, counted.distinctBytes)
      zoom.sizes = counted.sizes
      return zoom
    }
  }
}
