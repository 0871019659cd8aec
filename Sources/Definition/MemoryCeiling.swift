package import Columns
package import Runs

/// A ceiling of the memory that a run holds for itself: `--memory 2G`, or `memory:` of a pipeline.
///
/// It decides where columns lie (``Scratch``) and never what a run makes, so it is no part of any
/// fingerprint or key.
package struct MemoryCeiling: Hashable, Sendable {
  /// The bytes of anonymous memory, see ``MemoryUse/anonymous``.
  package let bytes: Int

  /// The place of the key of the pipeline that it comes from; `nil` for an option.
  package var place: DocumentPlace?

  /// The limits that take the place of those that follow from ``bytes``, for tests of small inputs.
  private var givenLimits: Scratch.Limits?

  package init(bytes: Int) {
    self.bytes = bytes
  }

  /// Creates a ceiling with other limits than those that follow from a number of bytes.
  package init(limits: Scratch.Limits) {
    bytes = limits.columns + limits.work
    givenLimits = limits
  }

  /// Parses a size such as `512M` or `1.5g`, except 0; `nil` for anything else.
  package init?(_ text: String) {
    guard let bytes = ByteSize.bytes(of: text), bytes > 0 else { return nil }
    self.bytes = bytes
  }

  // MARK: Division

  /// The memory of the program itself, with fonts, sprites, readers and the writer of the archive.
  private static let fixed = 96 << 20

  /// The memory of each thread: its stack, its canvas, and the batches in flight.
  private static let perThread = 32 << 20

  /// The least memory of columns and of sorting.
  private static let leastShare = 64 << 20

  /// Returns the least ceiling for a number of threads.
  package static func least(threads: Int) -> Int { fixed + threads * perThread + leastShare }

  /// Returns the least ceiling for work that takes a number of bytes beside the columns.
  package static func least(threads: Int, beside bytes: Int) -> Int {
    fixed + threads * perThread + max(2 * bytes, leastShare)
  }

  /// Divides the memory that the program itself does not need: half of it is for columns, a quarter
  /// for sorting and gathering, and a quarter remains for what no column holds.
  ///
  /// - Throws: ``PipelineError`` for a ceiling that is too low, with code `definition` if the
  ///   pipeline gives it, `usage` otherwise.
  package func limits(threads: Int) throws(PipelineError) -> Scratch.Limits {
    if let givenLimits { return givenLimits }
    let least = Self.least(threads: threads)
    guard bytes >= least else {
      throw PipelineError(
        place == nil ? .usage : .definition,
        "a memory of \(Self.text(bytes)) is too little for \(threads) "
          + "thread\(threads == 1 ? ", which needs" : "s, which need") at least "
          + "\(Self.text(least)). Raise "
          + "--memory (or 'memory' in the pipeline)\(threads == 1 ? "." : ", or lower -j.")",
        at: place)
    }
    let rest = bytes - Self.fixed - threads * Self.perThread
    return Scratch.Limits(columns: rest / 2, work: rest / 4)
  }

  /// Returns a note on a run that held more memory; `nil` for one that did not.
  package func excess(of use: MemoryUse) -> String? {
    guard givenLimits == nil, use.anonymous > bytes else { return nil }
    return
      "the run held \(Self.text(use.anonymous)) of memory, more than the \(Self.text(bytes)) that "
      + "--memory (or 'memory' in the pipeline) gives it. Leave it so much, or lower -j."
  }

  /// Formats a size as `--memory` takes it, rounded up to whole MiB: `224M`.
  package static func text(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\(bytes) bytes" : "\((bytes + (1 << 20) - 1) >> 20)M"
  }
}
