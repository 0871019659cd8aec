import Columns
import Definition
import MBTiles
import Painting
import Reports
import Reuse
import Runs
import Scenes
import SourceStages

// Runs that a time limit stopped, and those that go on from there.
extension Build {
  /// Makes archives with what is known of the runs that their time limit stopped.
  ///
  /// - Throws: the errors of `make`; ``PipelineError/stalled`` in place of one that says that the time
  ///   is over, if an earlier run came as far.
  func resuming(
    _ targets: [ArchiveTarget],
    make: (StoppedRuns) throws(PipelineError) -> [BuildReport]
  ) throws(PipelineError) -> [BuildReport] {
    let stopped = StoppedRuns(
      of: definition.output.path, inputs: targets.first?.fingerprint.text ?? "", in: artifacts)
    do throws(PipelineError) {
      let reports = try make(stopped)
      stopped.forget(
        parts: definition.tiles.scales.flatMap { scale in
          definition.tiles.zooms.map { Self.part(zoom: $0, scale: scale) }
        })
      return reports
    } catch {
      throw stopped.judged(error)
    }
  }

  /// The name of the pictures of a zoom among the parts of stopped runs.
  private static func part(zoom: Int, scale: Int) -> String { "zoom \(zoom) of \(scale)x" }

  /// Paints and keeps all pictures that are missing, before anything is written, where a time limit
  /// stopped an earlier run: what writing, taps and verification take is then no longer taken from
  /// the time for painting, but ended once, at the end.
  ///
  /// If the scenes of all zooms took too long, those of one zoom after the other are made, and not
  /// again once its pictures are kept. Then a run paints something, however long the scenes of its first
  /// zoom take: on a busy machine the next run would not get farther, either.
  ///
  /// - Parameters:
  ///   - last: the archives in place, by pixel density, whose painters are trained already.
  func paintAhead(
    _ targets: [ArchiveTarget], _ sources: [ClusteredSource], after last: [Int: LastArchive],
    _ stopped: StoppedRuns, _ clock: StageClock
  ) throws(PipelineError) -> PaintedAhead {
    var ahead = PaintedAhead()
    guard cancellation.maxSeconds != nil, let reach = stopped.reach else { return ahead }
    let isByZoom = reach < RunReach(stage: RunReach.tiles, done: 0)
    ahead.isWhole = true
    ahead.paintsFirst = isByZoom
    for (index, target) in targets.enumerated() {
      ahead.scale = target.scale
      ahead.isLast = index == targets.count - 1
      let painters =
        last[target.scale]?.painters
        ?? drawing(scale: target.scale).painters(clusteredSources: sources.clusteredSources)
      let pictures = KnownPictures(
        painters: painters,
        reuse: reuse(
          of: target.publication.archive, try paintKey(of: painters, scale: target.scale)))
      guard isByZoom else {
        let planned: PlannedTiles
        do throws(PipelineError) {
          planned = try scenes(scale: target.scale, sources, clock)
        } catch {
          var error = error
          // The pictures of the densities before are kept.
          if ahead.done > 0 { error.reach = RunReach(stage: RunReach.tiles, done: ahead.done) }
          throw error
        }
        try keepPictures(of: planned, pictures, &ahead, total: planned.rowCount, clock)
        if targets.count == 1 || planned.rowCount <= Self.keptPlanLimit {
          ahead.plans[target.scale] = planned
        }
        continue
      }
      do throws(PipelineError) {
        try paintByZoom(sources, pictures, &ahead, stopped, clock)
      } catch {
        var error = error
        let own = error.reach?.stage == RunReach.tiles ? error.reach?.done ?? 0 : 0
        let done = max(ahead.done, own)
        error.reach =
          done > 0
          ? RunReach(stage: RunReach.zooms, done: done) : RunReach(stage: RunReach.scenes, done: 0)
        throw error
      }
    }
    return ahead
  }

  /// Keeps the pictures of each zoom at a pixel density.
  private func paintByZoom(
    _ sources: [ClusteredSource], _ pictures: KnownPictures, _ ahead: inout PaintedAhead,
    _ stopped: StoppedRuns, _ clock: StageClock
  ) throws(PipelineError) {
    let isLastScale = ahead.isLast
    let last = definition.tiles.zooms.last {
      stopped.amount(of: Self.part(zoom: $0, scale: ahead.scale)) == nil
    }
    for zoom in definition.tiles.zooms {
      let part = Self.part(zoom: zoom, scale: ahead.scale)
      ahead.isLast = isLastScale && zoom == last
      if let known = stopped.amount(of: part) {
        ahead.done += known
        continue
      }
      if ahead.paintsFirst { cancellation.endsRest = true }
      let planned = try scenes(scale: ahead.scale, zooms: zoom...zoom, sources, clock)
      try keepPictures(of: planned, pictures, &ahead, total: nil, clock)
      if ahead.isWhole { stopped.record(planned.rowCount, of: part) }
    }
  }

  /// Paints the pictures of some tiles that are not known, and keeps them: the stage `tiles`.
  ///
  /// - Parameters:
  ///   - total: the number of the tiles, if they are all of their pixel density.
  private func keepPictures(
    of planned: PlannedTiles, _ pictures: KnownPictures, _ ahead: inout PaintedAhead,
    total: Int?, _ clock: StageClock
  ) throws(PipelineError) {
    let (painters, reuse) = (pictures.painters, pictures.reuse)
    let start = ahead.done
    let missing = ahead.isLast ? planned.count(missing: reuse) : .max
    var count = 0
    let isWhole = try clock.stage(
      "tiles", unit: .tiles, total: total.map { start + $0 }
    ) { advance in
      _ = planned.painters.adopt(try painters.sparseStyle()?.training)
      var keeping = TileReuse.Keeping(reuse, in: artifacts)
      defer { keeping.end() }
      let stage = TileStage(
        painters: planned.painters, scenes: planned.zooms, reuse: .none, context: context)
      var batches = planned.rows.batches
      // The number of tiles up to the end of each batch that is painted.
      var (passed, ends) = (start, [Int]())
      // The time may be over with the last picture.
      func endRest() {
        if count == missing, ahead.isWhole, keeping.isWhole { cancellation.endsRest = true }
      }
      endRest()
      try stage.run(
        {
          while var batch = batches.next() {
            passed += batch.rows.count
            let hashes = batch.zoom.hashes
            batch.fresh.removeAll { reuse.knows(hashes[$0.tile]) }
            guard batch.fresh.isEmpty else {
              ends.append(passed)
              return batch
            }
          }
          return nil
        },
        consume: { painted in
          let pictures = painted.pictures
          for (index, scene) in pictures.scenes.enumerated() {
            keeping.append(scene, pictures.digests[index], pictures[index])
          }
          count += pictures.count
          if ahead.paintsFirst { cancellation.endsRest = false }
          ahead.paintsFirst = false
          endRest()
          try advance(ends.removeFirst(), nil)
        })
      try advance(passed, nil)
      return keeping.end()
    }
    ahead.isWhole = ahead.isWhole && isWhole
    ahead.done = start + planned.rowCount
    ahead.painted[ahead.scale, default: 0] += count
  }
}

/// The pictures of a pixel density that are known, and painters whose training serves the others.
private struct KnownPictures {
  let painters: PainterFactory
  let reuse: TileReuse
}

/// The pictures that a run painted and kept before it wrote any.
struct PaintedAhead {
  /// Whether all pictures of all archives are kept, so that ending the rest takes a bounded time.
  var isWhole = false

  /// The numbers of the pictures that this run painted, by pixel density.
  var painted: [Int: Int] = [:]

  /// The plans that may be kept, by pixel density.
  fileprivate(set) var plans: [Int: PlannedTiles] = [:]

  /// The number of tiles whose pictures are there, and the density that is painted now.
  fileprivate(set) var done = 0
  fileprivate(set) var scale = 1

  /// Whether a time limit is not heard yet, since nothing has been painted.
  fileprivate(set) var paintsFirst = false

  /// Whether no other tiles follow those that are painted now.
  fileprivate(set) var isLast = false
}

extension PlannedTiles {
  /// Returns the number of pictures that are not known.
  ///
  /// - Complexity: O(tiles).
  fileprivate func count(missing reuse: TileReuse) -> Int {
    var batches = rows.batches
    var count = 0
    while let batch = batches.next() {
      count += batch.fresh.count { !reuse.knows(batch.zoom.hashes[$0.tile]) }
    }
    return count
  }
}
