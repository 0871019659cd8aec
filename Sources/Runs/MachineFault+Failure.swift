package import Failures
package import Files
import SystemPackage

extension MachineFault: Failure {
  package var failureCode: FailureCode { .inputOutput }

  package var sentence: String {
    "\(path) cannot be read: \(cause). \(remedy)"
  }

  private var remedy: String {
    switch cause {
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
      "Raise the limit of open files ('ulimit -n 1024'), then run it again."
    case .noMemory: "Give the program more memory, then run it again."
    case .noSpace, .diskQuotaExceeded: "Free some space, then run it again."
    default: "Check the disk, then run it again."
    }
  }
}
