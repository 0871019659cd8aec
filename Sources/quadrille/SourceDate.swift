import Pipeline
import Platform

/// The time that outputs carry which must carry one.
enum SourceDate {
  /// Seconds since 1970: `SOURCE_DATE_EPOCH`, as reproducible builds set it; 0 without it.
  ///
  /// Source: https://reproducible-builds.org/specs/source-date-epoch/
  static func seconds() throws(PipelineError) -> Int {
    guard let text = getenv("SOURCE_DATE_EPOCH").map({ String(cString: $0) }) else { return 0 }
    guard let seconds = Int(text), seconds >= 0 else {
      throw PipelineError(
        .usage, "SOURCE_DATE_EPOCH is '\(text)' and not a number of seconds since 1970.")
    }
    return seconds
  }
}
