import Definition
import Reuse
import Runs
import Scenes
import SourceStages
import TileCodecs

// The decision that a budget leaves open: the highest zoom, and the format.
extension Build {
  /// The share of a budget that the estimate may take: samples are a few percent off.
  private static let certainty = 0.95

  /// The size of the samples as a multiple of a plan's: for the first format, and for the others,
  /// which are slow to paint and only compared with it.
  private static let sampleFactors = (first: 16, others: 1)

  /// Returns the build with the highest zoom and the best format that fit into a budget.
  ///
  /// The deepest zoom that fits in any format is taken, and the best format in which it fits. The
  /// decision is a function of the inputs alone; an archive made from the same inputs holds it.
  ///
  /// - Throws: ``PipelineError``: those of a plan, and `unexpected` where nothing fits.
  func within(_ budget: TileBudget) throws(PipelineError) -> Build {
    let clock = context.clock
    let (loaded, sources) = try inputs.whileUnchanged { () throws(PipelineError) in
      let loaded = try reading.ingest(clock)
      return (loaded, try reading.cluster(loaded, clock))
    }
    let choice = try choice(within: budget, sources, clock)
    guard let decided = taking(choice) else {
      throw PipelineError(.bug, "the choice \(choice.text) is none of the budget's.")
    }
    return decided.keeping(loaded, of: clock)
  }

  private func choice(
    within budget: TileBudget, _ sources: [ClusteredSource], _ clock: StageClock
  ) throws(PipelineError) -> TileBudget.Choice {
    let scale = definition.tiles.scales.last ?? 1
    let planned = try scenes(scale: scale, sources, clock)
    let codecs = budget.codecs
    let zooms = definition.tiles.minZoom...definition.tiles.maxZoom
    let estimates = try clock.stage("estimate", unit: .tiles) { _ in
      try Self.estimates(of: planned, as: codecs)
    }
    let limit = Double(budget.bytes) * Self.certainty
    func pictures(_ codec: Int, to zoom: Int) -> Int {
      let all = TileEstimate(summing: estimates[codec].prefix(zoom - zooms.lowerBound + 1))
      return all.archiveBytes(definition.layout(for: all))
    }
    var (unlimited, least): (Int?, Int) = (nil, 0)
    for zoom in zooms.reversed() {
      let fits = codecs.indices.contains { Double(pictures($0, to: zoom)) <= limit }
      guard fits || unlimited == nil || zoom == zooms.lowerBound else { continue }
      let taps = try tapBytes(to: zoom, planned, sources, clock)
      unlimited = unlimited ?? pictures(0, to: zoom) + taps
      least = (codecs.indices.map { pictures($0, to: zoom) }.min() ?? 0) + taps
      for codec in codecs.indices {
        let bytes = pictures(codec, to: zoom) + taps
        guard Double(bytes) <= limit else { continue }
        return TileBudget.Choice(
          maxzoom: zoom, wanted: zooms.upperBound, format: codec, bytes: bytes,
          unlimited: unlimited ?? bytes)
      }
    }
    throw PipelineError(
      .unexpected,
      "zoom \(zooms.lowerBound) alone takes about \(ReportNumber.bytes(least)), more than the 'budget' "
        + "of \(ReportNumber.bytes(budget.bytes)). Raise it, or draw less.",
      at: DocumentPlace(file: definition.file))
  }

  /// Returns the estimates of all zooms in each format.
  private static func estimates(
    of planned: PlannedTiles, as codecs: [TileCodec]
  ) throws -> [[TileEstimate]] {
    let first = try planned.zoomEstimates(as: codecs[0], factor: sampleFactors.first)
    guard codecs.count > 1 else { return [first] }
    let few = try codecs.map { try planned.zoomEstimates(as: $0, factor: sampleFactors.others) }
    // A few tiles do not determine the size of a zoom, but well enough the ratio between formats.
    return few.enumerated().map { codec, estimates in
      guard codec > 0 else { return first }
      return zip(first, zip(estimates, few[0])).map { all, pair in
        var estimate = all
        estimate.bytesPerImage *=
          pair.1.bytesPerImage > 0 ? pair.0.bytesPerImage / pair.1.bytesPerImage : 1
        return estimate
      }
    }
  }

  /// Returns the estimated bytes of the answers to taps up to a zoom.
  private func tapBytes(
    to zoom: Int, _ planned: PlannedTiles, _ sources: [ClusteredSource], _ clock: StageClock
  ) throws(PipelineError) -> Int {
    guard definition.tiles.interactivity != nil else { return 0 }
    let planned =
      zoom == definition.tiles.maxZoom
      ? planned
      : try scenes(
        scale: planned.builder.scale, zooms: definition.tiles.minZoom...zoom, sources, clock)
    return try clock.stage("estimate", unit: .tiles) { _ in
      try tapPlan(sources, of: planned).map {
        try TapEstimate($0, of: planned, threads: threads, clock.cancellation).bytes
      } ?? 0
    }
  }
}

extension TileEstimate {
  /// Creates the estimate of the tiles of several zooms.
  fileprivate init(summing zooms: some Collection<TileEstimate>) {
    let images = zooms.reduce(0) { $0 + $1.images }
    let bytes = zooms.reduce(0.0) { $0 + Double($1.images) * $1.bytesPerImage }
    let seconds = zooms.reduce(0.0) { $0 + Double($1.images) * $1.secondsPerImage }
    self.init(
      rows: zooms.reduce(0) { $0 + $1.rows }, images: images,
      bytesPerImage: bytes / Double(max(images, 1)),
      secondsPerImage: seconds / Double(max(images, 1)))
  }
}

extension TileBudget {
  /// Returns a note on an archive that became larger than the budget, of which a choice was made;
  /// `nil` for any other.
  func excess(of bytes: Int, _ choice: Choice) -> String? {
    guard bytes > self.bytes else { return nil }
    let share = Double(self.bytes) / Double(bytes)
    return "the archive takes \(ReportNumber.bytes(bytes)), more than its 'budget' of "
      + "\(ReportNumber.bytes(self.bytes)): the plan expected \(ReportNumber.bytes(choice.bytes)). Set "
      + "\(Int(Double(self.bytes) * share * 0.99 / 1000))kB to keep it below."
  }
}
