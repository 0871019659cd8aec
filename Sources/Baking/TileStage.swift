import Features
import MBTiles
import Painting
import Reuse
import Runs
import Scenes

/// The stage that paints all distinct scenes on worker threads, or reuses earlier images, and
/// delivers the rows in archive order.
package struct TileStage {
  let painters: PainterFactory

  /// The scenes of each zoom of the rows; `nil` for a zoom that has none to paint.
  let scenes: [ZoomScenes?]
  let reuse: TileReuse
  let context: RunContext
  /// The plan for UTFGrids; `nil` for none.
  var taps: TapPlan?

  /// The number of batches in flight for each thread: some MB of images each, which count where
  /// memory is limited.
  private var batchesPerThread: Int {
    scenes.contains { $0?.tileKeys.scratch != nil } ? 2 : 4
  }

  /// A batch with the scenes of its zoom.
  private struct Job: Sendable {
    let batch: TileRows.Batch
    let scenes: ZoomScenes
  }

  /// Runs the stage.
  ///
  /// - Parameter consume: receives the painted batches in the order of the rows.
  /// - Throws: the errors of painting and of `consume`.
  func run(_ rows: consuming TileRows, consume: (PaintedBatch) throws -> Void) throws {
    var rows = rows
    try run({ rows.next() }, consume: consume)
  }

  /// Runs the stage for some batches.
  ///
  /// - Parameter nextBatch: returns the next batch; `nil` at the end.
  func run(
    _ nextBatch: () throws -> TileRows.Batch?, consume: (PaintedBatch) throws -> Void
  ) throws {
    let (threads, cancellation) = (context.threads, context.cancellation)
    try OrderedWork<Job, PaintedBatch>(threads: threads, limit: threads * batchesPerThread).run(
      worker: { [painters, reuse, taps] in
        let maker = try PictureMaker(painters, reuse)
        let tapper = taps?.worker()
        return { job in
          var painted = try Self.paint(job, with: maker, cancellation)
          if let tapper {
            painted.grids = try tapper.grids(of: job.batch.rows, job.scenes, cancellation)
          }
          return painted
        }
      },
      next: {
        guard let batch = try nextBatch() else { return nil }
        guard let scenes = scenes[batch.zoomIndex] else {
          throw PipelineError(.bug, "zoom \(batch.zoom.zoom) has no scenes to paint.")
        }
        return Job(batch: batch, scenes: scenes)
      },
      consume: consume)
  }

  private static func paint(
    _ job: Job, with maker: PictureMaker, _ cancellation: Cancellation
  ) throws -> PaintedBatch {
    var pictures = Pictures()
    pictures.bytes.reserveCapacity(job.batch.fresh.count * 1024)
    for fresh in job.batch.fresh {
      // A batch of large polygons takes seconds.
      try cancellation.check()
      try maker.append(fresh.tile, of: job.scenes, to: &pictures)
    }
    var painted = PaintedBatch(of: job.batch, pictures)
    // Painted images are kept where the time may run out before they are published.
    if cancellation.maxSeconds != nil {
      for index in painted.isPassing.indices where pictures.isPainted[index] {
        painted.isPassing[index] = false
      }
    }
    return painted
  }
}
