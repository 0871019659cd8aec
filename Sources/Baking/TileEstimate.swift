package import MBTiles
import Painting
import Scenes

/// What a sample of painted tiles says of the whole: bytes and time before anything is written.
struct TileEstimate {
  /// Rows of the archive.
  var rows: Int
  /// Images after scenes were deduplicated.
  var images: Int
  /// Mean bytes of a sampled PNG.
  var bytesPerImage: Double
  /// Mean time of painting and encoding one, on one thread.
  var secondsPerImage: Double

  /// Bytes of an archive: SQLite's row and index cost was measured on archives of 400,000 tiles.
  func archiveBytes(_ layout: ArchiveLayout) -> Int {
    switch layout {
    case .dedup: Int(Double(rows) * 62 + Double(images) * (bytesPerImage * 1.06 + 96))
    case .flat: Int(Double(rows) * (bytesPerImage * 1.06 + 30))
    }
  }

  /// Time of painting, writing and verifying.
  func seconds(threads: Int) -> Double {
    let painting = Double(images) * secondsPerImage / Double(max(threads, 1))
    // 1.5 µs a row and 2 µs an image for rows, indexes, reading them back and syncing: 2.3 s of the
    // 967,585 tiles of Benchmarks/incremental.
    return painting + Double(rows) * 1.5e-6 + Double(images) * 2e-6
  }
}

/// How an archive is laid out, and the sample that decided it.
package struct LayoutDecision {
  package var layout: ArchiveLayout
  /// `nil` where nothing had to be sampled.
  var estimate: TileEstimate?
}

extension PlannedTiles {
  /// Tiles that are painted for an estimate.
  private static let sampleSize = 64

  /// The same where tiles show images, which take up to a ms each.
  private static let imageSampleSize = 32

  /// A sample that takes longer is painted once: its tiles share little.
  private static let warmSeconds = 0.05

  /// Paints an evenly spread sample of the distinct scenes.
  func estimate() throws -> TileEstimate {
    let distinct = uses.first
    let painter = try painters.painter()
    var bytes: [UInt8] = []
    let wanted = zooms.contains(where: \.hasImages) ? Self.imageSampleSize : Self.sampleSize
    let step = max(1, distinct.count / wanted)
    let sample = stride(from: 0, to: distinct.count, by: step).map { distinct[$0] }
    func paint() throws -> Double {
      bytes.removeAll(keepingCapacity: true)
      let clock = ContinuousClock()
      let start = clock.now
      for entry in sample { try painter.paint(entry.tile, of: zooms[entry.zoom], into: &bytes) }
      return (clock.now - start) / .seconds(1)
    }
    var seconds = try paint()
    // The first sparse tiles prepare what all others share, and would count three times what they
    // cost.
    if seconds < Self.warmSeconds { seconds = try paint() }
    let count = Double(max(sample.count, 1))
    return TileEstimate(
      rows: counts.reduce(0) { $0 + $1.drawn + $1.transparent }, images: distinct.count,
      bytesPerImage: Double(bytes.count) / count, secondsPerImage: seconds / count)
  }
}
