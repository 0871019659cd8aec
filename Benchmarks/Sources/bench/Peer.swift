import Foundation

/// Another program that does the same job, or the part of it that it can do.
struct Peer {
  /// What is compared, such as "1,000,000 points to clusters".
  var job: String

  /// The peer's name and settings, as the table shows them.
  var name: String

  var command: Command

  /// Our side of the job.
  var ours: Bake

  /// The stage of ours that does the peer's job; `nil` if it is the whole run.
  var stage: String?

  /// What the peer prints before the seconds of that stage; `nil` if it is the whole run.
  var marker: String?

  /// Seconds of the job, and of the processor if the job is the whole run.
  struct Figure {
    var wall: Double
    var cpu: Double?
    var peakBytes: Int
  }

  /// Runs our side once.
  func measureOurs(in workshop: Workshop) throws -> Figure {
    let outcome = try ours.run(in: workshop)
    let cost = outcome.cost
    guard let stage else {
      return Figure(wall: cost.wall, cpu: cost.cpu, peakBytes: cost.peakBytes)
    }
    guard let seconds = outcome.report.seconds(stage) else {
      throw BenchError("the report of \(ours.pipeline) has no stage '\(stage)'.")
    }
    return Figure(wall: seconds, cpu: nil, peakBytes: cost.peakBytes)
  }

  /// Runs the peer once.
  func measurePeer(in workshop: Workshop) throws -> Figure {
    let (cost, output) = try command.run(log: workshop.scratch + "/peer")
    guard let marker else {
      return Figure(wall: cost.wall, cpu: cost.cpu, peakBytes: cost.peakBytes)
    }
    guard let found = output.range(of: marker),
      let seconds = Double(output[found.upperBound...].prefix { "0123456789.".contains($0) })
    else { throw BenchError("\(name) printed no '\(marker)' before seconds.") }
    return Figure(wall: seconds, cpu: nil, peakBytes: cost.peakBytes)
  }
}
