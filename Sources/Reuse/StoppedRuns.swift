package import Runs

/// What the cache knows of the runs of an archive that their time limit stopped since one was
/// published from the same inputs.
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
  package var reach: RunReach? {
    value("") { reader throws(ArtifactDamage) in
      RunReach(stage: try reader.text(), done: try reader.count(upTo: .max))
    }
  }

  /// Returns the error of a run that was stopped, and remembers how far it came.
  ///
  /// - Returns: the error itself, or ``PipelineError/stalled`` of a run that got no farther than an
  ///   earlier one.
  package func judged(_ error: PipelineError) -> PipelineError {
    // A run that waited for another one's lock reached nothing.
    guard error.code == .outOfTime, !error.isCompared, cache.isEnabled, let own = error.reach
    else { return error }
    var error = error
    error.isCompared = true
    if let last = reach, own <= last { return error.stalled }
    store("") { writer in
      writer.append(own.stage)
      writer.append(own.done)
    }
    return error
  }

  /// The amount of a part that is kept as a whole; `nil` if it is not.
  package func amount(of part: String) -> Int? {
    value(part) { reader throws(ArtifactDamage) in try reader.count(upTo: .max) }
  }

  /// Remembers that a part is kept as a whole.
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

  /// Returns what is known of a part; what is known of other inputs is removed.
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
