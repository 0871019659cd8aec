import Synchronization
package import SystemPackage

/// A fault of the machine that kept this process from seeing a file or folder as it is: there are no
/// descriptors or no memory left, or the disk fails.
///
/// Code that looks at the beginning of a file, or at the names beside it, treats what it cannot
/// read as absent and goes on. If the machine is at fault, everything that follows is wrong,
/// whether it ends in an error or in a map: so the fault is recorded here, and the run ends with
/// it.
package struct MachineFault: Error, Hashable, Sendable {
  package let path: FilePath
  package let cause: Errno

  package init(_ cause: Errno, at path: FilePath) {
    self.path = path
    self.cause = cause
  }

  private static let number = Atomic(0)
  private static let latest = Mutex<MachineFault?>(nil)

  /// Records a failure to look at an input if the machine is at fault.
  package static func note(_ error: Errno, at path: FilePath) {
    guard error.isOfMachine else { return }
    latest.withLock { $0 = MachineFault(error, at: path) }
    number.add(1, ordering: .releasing)
  }

  /// The number of faults that this process has recorded so far.
  package static var count: Int { number.load(ordering: .acquiring) }

  /// Returns the last fault recorded since an earlier moment; `nil` if there is none.
  ///
  /// - Parameter earlier: the ``count`` at that moment.
  package static func last(after earlier: Int) -> MachineFault? {
    count > earlier ? latest.withLock { $0 } : nil
  }
}

extension Errno {
  /// Whether the error is due to the machine's state or a defect, and says nothing about the file:
  /// the same call may succeed later.
  package var isOfMachine: Bool {
    [
      .ioError, .noMemory, .noSpace, .diskQuotaExceeded, .tooManyOpenFiles,
      .tooManyOpenFilesInSystem, .resourceTemporarilyUnavailable, .staleNFSFileHandle, .noLocks,
    ].contains(self)
  }
}
