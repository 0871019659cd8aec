import Foundation
import SystemPackage

extension PipelineError {
  /// Creates the failure of the run from a failure of a library.
  ///
  /// - Parameter place: the place of the problem if the failure itself does not give one.
  package init(_ failure: some Failure, at place: DocumentPlace? = nil) {
    self.init(
      failure.failureCode, failure.sentence, at: failure.place ?? place, cause: failure.cause)
  }

  /// Creates the failure of the run from any error of a stage.
  package init(wrapping error: any Error) {
    switch error {
    case let error as PipelineError: self = error
    case let error as any Failure: self.init(error)
    case let error as Errno: self.init(error)
    case let error as POSIXError: self.init(Errno(rawValue: error.code.rawValue))
    case let error as CocoaError:
      let cause = (error.underlying as? POSIXError).map { Errno(rawValue: $0.code.rawValue) }
      self.init(cause ?? .ioError)
      place = error.filePath.map { DocumentPlace(file: $0) }
    default:
      self.init(.bug, "an unexpected error; please report it.", cause: "\(error)")
    }
  }

  /// Returns the result of a step; any error of it becomes the failure of the run.
  package static func wrapping<Value>(
    _ step: () throws -> Value
  ) throws(PipelineError) -> Value {
    do {
      return try step()
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Creates the failure of the run from the failure of a system call.
  private init(_ error: Errno) {
    self.init(
      FailureCode(error),
      "a file cannot be read or written. Check the disk, the folders and their permissions.",
      cause: "\(error)")
  }
}
