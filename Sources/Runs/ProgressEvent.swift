/// A progress event of a long run. Stages count; the code that owns the terminal prints.
package enum ProgressEvent: Hashable, Sendable {
  /// A stage begins; `total` is `nil` where the amount is unknown.
  case began(stage: String, total: Int?, unit: ProgressUnit)

  /// The amount of the stage that is done; `zoom` is the current one, if the stage proceeds by
  /// zooms.
  ///
  /// Stages send this at most a few hundred times per second.
  case advanced(stage: String, done: Int, zoom: Int?)

  /// The stage is over.
  case ended(StageTime)
}

/// The unit in which a stage counts.
package enum ProgressUnit: String, Hashable, Sendable {
  case bytes
  case records
  case points
  case tiles
  case rows
}

/// A function that receives the events of a run; called from any thread, one call at a time.
package typealias ProgressHandler = @Sendable (ProgressEvent) -> Void
