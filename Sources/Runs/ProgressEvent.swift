/// What a long run tells while it runs. Stages count; whoever holds the terminal prints.
package enum ProgressEvent: Hashable, Sendable {
  /// A stage begins; `total` is `nil` where it is not known how much there is.
  case began(stage: String, total: Int?, unit: ProgressUnit)

  /// So much of the stage is done; `zoom` is the one being worked on, if the stage goes by zooms.
  ///
  /// Stages send this at most some hundred times a second.
  case advanced(stage: String, done: Int, zoom: Int?)

  /// The stage is over, after so many wall-clock seconds.
  case ended(stage: String, seconds: Double)
}

/// What a stage counts.
package enum ProgressUnit: String, Hashable, Sendable {
  case bytes
  case records
  case points
  case tiles
  case rows
}

/// Takes the events of a run; called from any thread, one call at a time.
package typealias ProgressHandler = @Sendable (ProgressEvent) -> Void
