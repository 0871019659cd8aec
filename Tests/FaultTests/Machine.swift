import Foundation
import TestSupport

/// What this machine lets a test do; what it does not is skipped with a message.
enum Machine {
  /// `strace` is there and may trace: on Debian the package `strace`, in a container with ptrace.
  static let traces = succeeds(["strace", "-f", "-qq", "-o", "/dev/null", "true"])

  /// A mount namespace of its own can be made and a tmpfs mounted in it.
  static let mounts = PrivateDisk.isAvailable

  /// Starts a command as the user `nobody`, who has no rights of root.
  static let asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// That user can be taken on, and may run the program.
  static let changesUser = succeeds(asNobody + [Program.url.path, "--version"])

  /// GDAL's programs are there, which convert data as child processes.
  static let converts = succeeds(["ogr2ogr", "--version"])

  /// The shared library that moves the clock, of Debian's package `libfaketime`.
  static let clockLibrary: String? = {
    let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
    let paths = folders.map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }
    return paths.first { FileManager.default.fileExists(atPath: $0) }
  }()

  static let strace = "strace is missing or may not trace; install it (apt install strace)"
  static let root = "needs root, to mount a file system in a namespace or to become another user"

  private static func succeeds(_ command: [String]) -> Bool {
    (try? Program.runInstalled(command))?.status == 0
  }
}
