import Columns
import Features
import MBTiles
import Painting
import Platform
import Reuse
import Scenes
package import TileCodecs

/// An estimate from a sample of painted tiles: bytes and time before anything is written.
package struct TileEstimate: Codable, Sendable {
  /// The number of rows of the archive.
  package var rows: Int
  /// The number of images after scenes were deduplicated.
  package var images: Int
  /// The mean bytes of a sampled PNG.
  package var bytesPerImage: Double
  /// The spread of the bytes of the sampled images.
  var spread = SampleSpread()
  /// The mean time of painting and encoding one image, on one thread, in seconds.
  package var secondsPerImage: Double

  /// The spread is not stored: it belongs to the run that took the sample.
  private enum CodingKeys: CodingKey { case rows, images, bytesPerImage, secondsPerImage }

  /// The time of painting and encoding one image judged by its size, in seconds: the same in every
  /// run, unlike the measured one, so that a division by it is the same, too. Only its ratio between
  /// images counts.
  package var secondsBySize: Double { 2e-5 + bytesPerImage * 2.5e-7 }

  /// The bytes of an archive without tiles: the pages of tables, indexes and metadata.
  private static let emptyArchive = 24 << 10

  /// The bytes of images up to which pages are small: large ones make small archives larger.
  private static let smallArchive = 4 << 20

  /// The mean bytes of an image with which large pages save more than their ends cost.
  ///
  /// A sample may be a tenth below the mean: the images of the sample hotels have 1,040 bytes, and
  /// large pages make their archive 9 % smaller.
  private static let imagesOfLargePages = 600.0...4000.0

  /// Returns the size of the pages with which an archive is the smallest.
  func pageSize(_ layout: ArchiveLayout) -> PageSize {
    let stored = Double(layout == .dedup ? images : rows) * bytesPerImage
    return stored > Double(Self.smallArchive) && Self.imagesOfLargePages.contains(bytesPerImage)
      ? .large : .small
  }

  /// The mean bytes at the ends of pages that an image leaves unused.
  private func unused(_ size: PageSize) -> Double {
    switch size {
    // In pages with several images the unused end grows with the images; a longer image leaves most
    // of one page.
    case .small: min(bytesPerImage * (0.06 + bytesPerImage / 10_000), 480 + bytesPerImage / 50)
    case .large: bytesPerImage * (0.07 + bytesPerImage / 40_000)
    }
  }

  /// Returns the bytes of an archive: SQLite's row and index cost was measured on archives of
  /// 700 to 400,000 tiles of 100 to 8,600 bytes, and is within 3 % there.
  func archiveBytes(_ layout: ArchiveLayout) -> Int {
    let image = bytesPerImage + unused(pageSize(layout))
    let tiles =
      switch layout {
      case .dedup: Double(rows) * 62 + Double(images) * (image + 96)
      case .flat: Double(rows) * (image + 30)
      }
    return Self.emptyArchive + Int(tiles)
  }

  /// Returns the time of painting, writing and verifying, in seconds.
  func seconds(threads: Int) -> Double {
    let painting = Double(images) * secondsPerImage / Double(max(threads, 1))
    // 1.5 µs per row and 2 µs per image for rows, indexes, reading them back and syncing: 2.3 s for
    // the 967,585 tiles of Benchmarks/incremental.
    return painting + Double(rows) * 1.5e-6 + Double(images) * 2e-6
  }
}

extension PlannedTiles {
  /// The number of tiles that are painted for an estimate.
  private static let sampleSize = 64

  /// The sample size if tiles show images, which take up to one millisecond each.
  private static let imageSampleSize = 32

  /// The minimum sample size of one zoom, since each zoom has tiles of its own kind.
  private static let leastSampleSize = 8

  /// The most tiles that are painted for a plan, and the time in seconds that this may take.
  private static let largestSampleSize = 1500
  private static let planSeconds = 2.0

  /// The time in seconds above which a sample is painted only once: its tiles share little.
  private static let warmSeconds = 0.05

  /// Paints an evenly spread sample of the distinct scenes.
  ///
  /// - Parameter state: the last archive's state; the images that it holds are not painted again.
  func estimate(after state: TileState? = nil) throws -> TileEstimate {
    try estimate(
      uses.first[...], rows: counts.reduce(0) { $0 + $1.drawn + $1.transparent },
      with: try painters.painter(), wanted: sampleSize, after: state)
  }

  /// Paints as many of the distinct scenes as a plan needs for a precise estimate of their bytes.
  ///
  /// No decision depends on it, so it may stop after a time limit.
  func preciseEstimate() throws -> TileEstimate {
    let first = try estimate()
    let affordable = Int(Self.planSeconds / max(first.secondsPerImage, 1e-6))
    let wanted = min(
      first.spread.size(within: SampleSpread.planPrecision, of: first.images),
      Self.largestSampleSize, affordable)
    guard wanted > sampleSize else { return first }
    return try estimate(
      uses.first[...], rows: first.rows, with: try painters.painter(), wanted: wanted)
  }

  /// Estimates each zoom from a sample of the scenes that first occur there; the sample of a zoom
  /// is in proportion to its number of scenes.
  ///
  /// - Parameters:
  ///   - codec: the format of the tiles; `nil` for the pipeline's.
  ///   - factor: how many times as many tiles are painted as for a plan.
  package func zoomEstimates(as codec: TileCodec? = nil, factor: Int = 1) throws -> [TileEstimate] {
    let painter = try painters.painting(codec ?? painters.codec).painter()
    var rest = uses.first[...]
    let total = max(rest.count, 1)
    return try zooms.indices.map { index in
      let own = rest.prefix { $0.zoom == index }
      rest = rest.dropFirst(own.count)
      return try estimate(
        own, rows: counts[index].drawn + counts[index].transparent, with: painter,
        wanted: factor * max(Self.leastSampleSize, sampleSize * own.count / total))
    }
  }

  /// The number of tiles to paint for an estimate.
  private var sampleSize: Int {
    zooms.contains(where: \.hasImages) ? Self.imageSampleSize : Self.sampleSize
  }

  /// The processor time of this thread in seconds. Wall-clock time would vary with the load of the
  /// machine, and so would the division into shards.
  private static var threadSeconds: Double {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// - Parameters:
  ///   - distinct: the scenes from which the sample is taken.
  ///   - wanted: the size of the sample.
  ///   - state: the last archive's state, whose images are not painted.
  private func estimate(
    _ distinct: Column<(zoom: Int, tile: Int)>.SubSequence, rows: Int,
    with painter: TilePainter, wanted: Int, after state: TileState? = nil
  ) throws -> TileEstimate {
    var bytes: [UInt8] = []
    var spread = SampleSpread()
    let step = max(1, distinct.count / wanted)
    // One scene of each step, at a varying place: every fourth tile would be the same quarter of
    // its parent.
    let sample = stride(from: 0, to: distinct.count, by: step).map { start in
      var hash = StableHash()
      hash.combine(start)
      let place = start + Int(hash.high % UInt64(min(step, distinct.count - start)))
      return distinct[distinct.startIndex + place]
    }
    func scene(_ entry: (zoom: Int, tile: Int)) -> StableHash {
      zooms[entry.zoom].hashes[entry.tile]
    }
    let known = state?.firstTiles(showing: sample.map(scene)) ?? [:]
    func paint() throws -> Double {
      spread = SampleSpread()
      let start = Self.threadSeconds
      for entry in sample {
        if let state, let tile = known[scene(entry)] {
          spread.add(Double(state.contents.sizes[tile].bytes))
          continue
        }
        bytes.removeAll(keepingCapacity: true)
        try painter.paint(entry.tile, of: zooms[entry.zoom], into: &bytes)
        spread.add(Double(bytes.count))
      }
      return Self.threadSeconds - start
    }
    var seconds = try paint()
    // The first sparse tiles prepare data that all others share, and would count for three times
    // their cost.
    if known.isEmpty, seconds < Self.warmSeconds { seconds = try paint() }
    var estimate = TileEstimate(
      rows: rows, images: distinct.count, bytesPerImage: spread.mean,
      secondsPerImage: seconds / Double(max(sample.count, 1)))
    if !known.isEmpty { estimate.secondsPerImage = estimate.secondsBySize }
    estimate.spread = spread
    return estimate
  }
}
