package import SystemPackage

/// The reason why a child process gave no result.
package enum ChildFault: Error, Hashable, Sendable {
  /// The search path has no such program.
  case isMissing(program: String)
  case cannotStart(program: String, Errno)
  /// It made no visible progress for this time, and was ended.
  case wasSilent(program: String, seconds: Double)
  /// It wrote more text than this, and was ended.
  case wroteTooMuch(program: String, bytes: Int)

  /// The system's words for a program that cannot be started; `nil` for the other reasons.
  package var systemReason: String? {
    if case .cannotStart(_, let reason) = self { reason.description } else { nil }
  }
}
