import ArchiveDeltas
import Files
package import MBTiles
package import Runs
import SystemPackage

/// A comparison of two archives, as `diff` runs it.
package struct ArchiveDifference {
  package let old: String
  package let new: String

  /// The path of the delta; `nil` to write none.
  package let output: String?

  package let clock: StageClock

  package init(old: String, new: String, output: String?, clock: StageClock) {
    self.old = old
    self.new = new
    self.output = output
    self.clock = clock
  }

  /// Compares the archives, and writes the delta if ``output`` is set.
  ///
  /// - Parameter each: receives every tile that differs, in archive order.
  package func run(each: (TileChange) throws -> Void) throws(PipelineError) -> DifferenceSummary {
    try requireArchives()
    if let output {
      try Self.requireDeltaName(output)
      try PipelineError.requireApart(output, from: [old, new])
    }
    return try ArchiveFailure.wrap(clock.cancellation) {
      let file = try HeldFile(archive: FilePath(new))
      let (before, after) = (try reader(try HeldFile(archive: FilePath(old))), try reader(file))
      let comparison = ArchiveComparison(old: before, new: after)
      try comparison.requireSameForm()
      guard let output else {
        return DifferenceSummary(old: old, new: new, changes: try compare(comparison, each))
      }
      return try write(FilePath(output), try DeltaMaker(old: before, new: after), to: file, each)
    }
  }

  /// Refuses a name by which a reader could take a delta for an archive.
  static func requireDeltaName(_ output: String) throws(PipelineError) {
    guard output.hasSuffix(DeltaFormat.suffix) else {
      throw PipelineError(
        .usage,
        "--output: '\(output)' does not end in \(DeltaFormat.suffix). Name the delta so that "
          + "no reader takes it for an archive.")
    }
  }

  private func requireArchives() throws(PipelineError) {
    for path in [old, new] where SeriesInspection.isManifest(path) {
      throw PipelineError(
        .usage, "this is the manifest of a series. Compare the archives of its frames one by one.",
        at: DocumentPlace(file: path))
    }
  }

  private func reader(_ file: HeldFile) throws(ArchiveError) -> ArchiveReader {
    try ArchiveReader.opening(file, isStopped: clock.cancellation.isStopped)
  }

  private func compare(
    _ comparison: ArchiveComparison, _ each: (TileChange) throws -> Void
  ) throws(PipelineError) -> TileChanges {
    try clock.stage("compare", unit: .tiles) { _ in
      var failure: (any Error)?
      let changes = try comparison.run { (change) throws(ArchiveError) in
        do {
          try each(change)
        } catch {
          failure = error
          throw ArchiveError(.stopped(while: "comparing"))
        }
      }
      if let failure { throw failure }
      return changes
    }
  }

  private func write(
    _ path: FilePath, _ maker: DeltaMaker, to new: HeldFile, _ each: (TileChange) throws -> Void
  ) throws -> DifferenceSummary {
    let publication = try ArchivePublication(path)
    try clock.stage("hash", unit: .tiles) { _ in try maker.proveDigests() }
    let written = try clock.stage("compare", unit: .tiles) { advance in
      var count = 0
      return try maker.write(
        to: publication.temporary, bytes: try new.status.size,
        sha256: try FileDigest.sha256(of: new.address)
      ) { change in
        try each(change)
        count += 1
        if count & 4095 == 0 { try advance(count, nil) }
      }
    }
    return try clock.stage("publish", unit: .bytes) { _ in
      // A delta that cannot be read back is not published.
      _ = try DeltaReader(publication.temporary)
      let bytes = try FileStatus.size(of: publication.temporary)
      try publication.commit()
      return DifferenceSummary(
        old: old, new: self.new, changes: written.changes,
        delta: .init(path: path.string, bytes: bytes, facts: written.facts))
    }
  }
}

/// A conversion of archive errors to errors of a run.
package enum ArchiveFailure {
  /// Runs `body`; where a signal or the clock ended it, the error is that cancellation, not its
  /// consequence.
  package static func wrap<Result>(
    _ cancellation: Cancellation, _ body: () throws -> Result
  ) throws(PipelineError) -> Result {
    do {
      return try body()
    } catch {
      let failure = PipelineError(wrapping: error)
      if !failure.isStop { try cancellation.check() }
      throw failure
    }
  }
}
