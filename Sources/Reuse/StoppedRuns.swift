package import Runs

/// A record in the cache of the runs of an archive that their time limit stopped since an archive
/// was last published from the same inputs.
package struct StoppedRuns: Sendable {
  private let archive: String
  private let inputs: String
  private let cache: ArtifactCache

  /// - Parameters:
  ///   - archive: its path, with the name of the series if it has one.
  ///   - inputs: the fingerprint of its inputs.
  package init(of archive: String, inputs: String, in cache: ArtifactCache) {
    self.archive = archive
    self.inputs = inputs
    self.cache = cache
  }

  /// How far the farthest run came; `nil` if none was stopped.
  package var reach: RunReach? { state?.reach }

  /// The memory of the stopped runs.
  private struct State {
    var reach: RunReach

    /// The number of runs since then that got less far.
    var failures = 0
  }

  private var state: State? {
    value("") { reader throws(ArtifactDamage) in
      State(
        reach: RunReach(stage: try reader.text(), done: try reader.count(upTo: .max)),
        failures: try reader.count(upTo: .max))
    }
  }

  /// Returns the error of a run that was stopped, and records its progress.
  ///
  /// A run that got less far than an earlier one shows that the machine was slower this time, not that
  /// the next run gets no farther; a second one does. Where the scenes of all zooms were the reason,
  /// the next run makes them zoom by zoom, and is compared with this one.
  ///
  /// - Returns: the error itself, or ``PipelineError/stalled`` of a run that stopped where an earlier
  ///   one did, or is the second one that got less far.
  package func judged(_ error: PipelineError) -> PipelineError {
    // A run that only waited for the lock made no progress.
    guard error.code == .outOfTime, !error.isCompared, cache.isEnabled, let own = error.reach
    else { return error }
    var error = error
    error.isCompared = true
    var next = State(reach: own)
    var isStalled = false
    if let last = state, own <= last.reach, !last.reach.isLost(by: own) {
      next = State(reach: last.reach, failures: last.failures + 1)
      isStalled = own == last.reach || next.failures > 1
    }
    store("") { writer in
      writer.append(next.reach.stage)
      writer.append(next.reach.done)
      writer.append(next.failures)
    }
    return isStalled ? error.stalled : error
  }

  /// The amount of a part that is complete in the cache; `nil` if it is not.
  package func amount(of part: String) -> Int? {
    value(part) { reader throws(ArtifactDamage) in try reader.count(upTo: .max) }
  }

  /// Records that a part is complete in the cache.
  package func record(_ amount: Int, of part: String) {
    store(part) { $0.append(amount) }
  }

  /// Forgets the runs and some parts, since the archive is published.
  package func forget(parts: [String]) {
    for part in [""] + parts where cache.contains(key(part)) { cache.remove(key(part)) }
  }

  // MARK: Artifacts

  /// - Parameter part: the name of a part; empty for all.
  private func key(_ part: String) -> ArtifactKey {
    ArtifactKey(kind: .progress, [archive, part])
  }

  /// Returns the record of a part; records of other inputs are removed.
  private func value<Value>(
    _ part: String, _ decode: (inout ArtifactReader) throws(ArtifactDamage) -> Value
  ) -> Value? {
    cache.value(key(part)) { reader throws(ArtifactDamage) in
      guard try reader.text() == inputs else { throw ArtifactDamage("its inputs have changed") }
      return try decode(&reader)
    }
  }

  private func store(_ part: String, _ append: (inout ArtifactWriter) -> Void) {
    var writer = ArtifactWriter()
    writer.append(inputs)
    append(&writer)
    cache.store(key(part), writer)
  }
}
