import Platform
import Runs

/// The time for outputs that must contain one.
enum SourceDate {
  /// Returns the seconds since 1970 of `SOURCE_DATE_EPOCH`, which reproducible builds set; 0
  /// without it.
  ///
  /// Source: https://reproducible-builds.org/specs/source-date-epoch/
  static func seconds() throws(PipelineError) -> Int { try given() ?? 0 }

  /// Returns the seconds since 1970 of `SOURCE_DATE_EPOCH`; `nil` without it.
  static func given() throws(PipelineError) -> Int? {
    guard let text = getenv("SOURCE_DATE_EPOCH").map({ String(cString: $0) }) else { return nil }
    guard let seconds = Int(text), seconds >= 0 else {
      throw PipelineError(
        .usage, "SOURCE_DATE_EPOCH is '\(text)' and not a number of seconds since 1970.")
    }
    return seconds
  }
}
