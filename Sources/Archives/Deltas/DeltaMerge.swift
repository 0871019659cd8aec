import ArchiveDeltas
import Files
import MBTiles
package import Runs
import SystemPackage

/// The merging of two deltas, as `diff --merge` runs it.
package struct DeltaMerge {
  package let first: String
  package let second: String
  package let output: String
  package let clock: StageClock

  package init(first: String, second: String, output: String, clock: StageClock) {
    self.first = first
    self.second = second
    self.output = output
    self.clock = clock
  }

  /// Writes the merged delta.
  ///
  /// - Returns: the result as a line for people.
  package func run() throws(PipelineError) -> String {
    try ArchiveDifference.requireDeltaName(output)
    try PipelineError.requireApart(output, from: [first, second])
    return try ArchiveFailure.wrap(clock.cancellation) {
      let deltas = try [first, second].map { try DeltaReader(FilePath($0)) }
      for delta in deltas { delta.stopWhen(clock.cancellation.isStopped) }
      let merger = try DeltaMerger(deltas[0], deltas[1])
      let publication = try ArchivePublication(FilePath(output))
      let facts = try clock.stage("merge", unit: .tiles) { _ in
        try merger.write(to: publication.temporary)
      }
      return try clock.stage("publish", unit: .bytes) { _ in
        // A delta that cannot be read back is not published.
        _ = try DeltaReader(publication.temporary)
        let bytes = try FileStatus.size(of: publication.temporary)
        try publication.commit()
        return "\(output): \(ReportNumber.bytes(bytes)), from \(facts.start.short) to "
          + "\(facts.end.short), merged from \(facts.merged ?? 2)"
      }
    }
  }
}
