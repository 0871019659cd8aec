/// The kinds of failures that a run can end with.
package enum FailureCode: String, CaseIterable, Hashable, Sendable {
  /// The command line is invalid.
  case usage
  /// A source violates its format, or more records do than are tolerated.
  case badData
  /// The result is not what `expect:` asks for.
  case unexpected
  /// An input file does not exist.
  case missingInput
  /// A remote source could not be fetched.
  case fetchFailed
  /// Quadrille itself has a bug.
  case bug
  /// The archive or its folder cannot be created.
  case cannotCreate
  /// Reading or writing failed, or the disk is full.
  case inputOutput
  /// Another run holds the archive's lock.
  case locked
  /// A file may not be read or written.
  case permission
  /// The pipeline file is wrong.
  case definition
  /// A signal ended the run.
  case interrupted
  /// The time that `--max-seconds` gives has run out; the next run continues.
  case outOfTime
  /// The time that `--max-seconds` gives has run out again, and the run got no farther than an
  /// earlier one.
  case stalled

  /// The exit status of the process (sysexits.h); the number of the signal is added to the status
  /// of ``interrupted``.
  package var exitStatus: Int32 {
    switch self {
    case .usage: 64
    case .badData, .unexpected: 65
    case .missingInput: 66
    case .fetchFailed: 69
    case .bug: 70
    case .cannotCreate: 73
    case .inputOutput: 74
    case .locked, .outOfTime: 75
    case .stalled: 76
    case .permission: 77
    case .definition: 78
    case .interrupted: 128
    }
  }
}
