import Baking
import Series

/// The cost of painting each row of all archives, or each frame of all series, from which they are
/// divided into shards.
struct ShardCosts {
  /// The time that a row takes besides painting, in seconds: reading, hashing and writing it.
  private static let rowSeconds = 1.5e-6

  /// Adjoining rows of which each costs as much as the others.
  private struct Run {
    var rows: Int
    /// The time of a row, judged by its size.
    var seconds: Double
    var bytes: Double
  }

  private var runs: [Run] = []

  /// The time that all rows would take as measured on this machine, in seconds.
  private var measured = 0.0

  /// The measured time of all rows in proportion to the one that is judged by their sizes.
  var pace: Double {
    let total = runs.reduce(0) { $0 + Double($1.rows) * $1.seconds }
    return total > 0 && measured > 0 ? measured / total : 1
  }

  /// Adds the rows of the next archive.
  ///
  /// - Parameter estimates: an estimate for each zoom of the rows.
  mutating func add(_ rows: PlannedRows, _ estimates: [TileEstimate]) {
    var batches = TileRows(rows, in: 0..<rows.count)
    while let batch = batches.next() {
      let estimate = estimates[batch.zoomIndex]
      let (count, fresh) = (Double(batch.rows.count), Double(batch.fresh.count))
      runs.append(
        Run(
          rows: batch.rows.count,
          seconds: Self.rowSeconds + fresh / count * estimate.secondsBySize,
          bytes: fresh / count * estimate.bytesPerImage))
      measured += count * Self.rowSeconds + fresh * estimate.secondsPerImage
    }
  }

  /// Adds the frames of the next series, which take as long as each other.
  mutating func add(frames count: Int, _ estimate: FrameEstimate) {
    guard count > 0 else { return }
    runs.append(
      Run(rows: count, seconds: Self.rowSeconds + estimate.secondsBySize, bytes: estimate.bytes))
    measured += Double(count) * (Self.rowSeconds + estimate.seconds)
  }

  /// Divides the rows into contiguous ranges that take about the same time, judged by sizes alone, so
  /// that equal inputs are divided alike; there are empty ones if there are fewer rows than shards.
  func shards(_ count: Int) -> [PlanDocument.Shard] {
    let total = runs.reduce(0) { $0 + Double($1.rows) * $1.seconds }
    var shards: [PlanDocument.Shard] = []
    var (next, spent) = (0, 0.0)
    var current = PlanDocument.Shard(firstRow: 0, rows: 0, seconds: 0, bytes: 0)
    var bytes = 0.0
    func end() {
      current.bytes = Int(bytes)
      shards.append(current)
      current = PlanDocument.Shard(firstRow: next, rows: 0, seconds: 0, bytes: 0)
      bytes = 0
    }
    for run in runs {
      var rest = run.rows
      while rest > 0 {
        let isLast = shards.count == count - 1
        let limit = total * Double(shards.count + 1) / Double(count)
        let wanted = Int(((limit - spent) / run.seconds).rounded())
        let taken = isLast ? rest : min(rest, max(0, wanted))
        current.rows += taken
        current.seconds += Double(taken) * run.seconds
        bytes += Double(taken) * run.bytes
        spent += Double(taken) * run.seconds
        next += taken
        rest -= taken
        if rest > 0 { end() }
      }
    }
    while shards.count < count { end() }
    return shards
  }
}
