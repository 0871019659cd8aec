/// The metrics of a run, in the order of the file; names and labels are part of the interface.
enum MetricFamily: String, CaseIterable {
  case lastRun = "quadrille_last_run_timestamp_seconds"
  case lastSuccess = "quadrille_last_success_timestamp_seconds"
  case exitCode = "quadrille_last_run_exit_code"
  case stalled = "quadrille_stalled"
  case duration = "quadrille_last_run_duration_seconds"
  case stage = "quadrille_last_run_stage_seconds"
  case unchanged = "quadrille_last_run_unchanged"
  case notes = "quadrille_last_run_notes"
  case memory = "quadrille_last_run_peak_memory_bytes"
  case records = "quadrille_source_records"
  case rejected = "quadrille_source_rejected_records"
  case tiles = "quadrille_tiles"
  case changed = "quadrille_last_run_changed_tiles"
  case whole = "quadrille_last_run_whole"
  case anew = "quadrille_last_run_anew"
  case archiveBytes = "quadrille_archive_bytes"
  case info = "quadrille_pipeline_info"

  /// A description of the metric, for people.
  var help: String {
    switch self {
    case .lastRun: "When the last run of the pipeline ended, whatever came of it."
    case .lastSuccess: "When the last run that published or found nothing changed ended; 0 if none."
    case .exitCode: "The exit code of the last run."
    case .stalled: "1 if the last run's time was over no farther than an earlier one's, else 0."
    case .duration: "How long the last run took."
    case .stage: "How long each stage of the last run took that came to its end."
    case .unchanged: "1 if the last run found nothing changed, else 0."
    case .notes: "Things to know of the last run though it succeeded, such as old data in use."
    case .memory: "The most memory that the last run held, and the most of mapped files."
    case .records: "Records of a source by what became of them, in the last build."
    case .rejected: "Rejected records of a source by reason, in the last build."
    case .tiles: "Tiles of an archive by kind, in the last build."
    case .changed: "Tiles in which the last run's archive differs from the one before."
    case .whole:
      "1 if the last run wrote an archive as a whole for the reason, 0 if it was made from the last."
    case .anew: "1 if the last run made scenes or records for all data, for the reason."
    case .archiveBytes: "The size of an archive; of a series, of all its archives."
    case .info: "1; its labels name the file, the version and the digest of the archive."
    }
  }

  /// Whether samples of the last file are kept where a run has none: they describe the archive in
  /// place.
  var isKept: Bool {
    switch self {
    case .lastSuccess, .records, .rejected, .tiles, .archiveBytes, .info: true
    case .lastRun, .exitCode, .stalled, .duration, .stage, .unchanged, .notes, .memory, .changed,
      .whole, .anew:
      false
    }
  }

  /// The two lines before its samples. Every metric is a gauge: a text file keeps no state.
  var head: String { "# HELP \(rawValue) \(help)\n# TYPE \(rawValue) gauge\n" }
}
