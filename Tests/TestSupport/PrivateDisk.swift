package import Foundation

/// A small file system of its own, which only the runs started through it see.
///
/// It lives in a mount namespace that a process of its own holds; this process looks in through
/// `/proc`. It goes with this object, or with this process, however that ends.
package final class PrivateDisk {
  /// Whether a mount namespace of its own can be made and a tmpfs mounted in it.
  package static let isAvailable: Bool = {
    let mount = "mount -t tmpfs -o size=64k tmpfs /mnt"
    return (try? Program.runInstalled(["unshare", "-m", "sh", "-c", mount]))?.status == 0
  }()

  /// The folder as the runs see it.
  package let folder: TemporaryFolder

  /// The folder as this process sees it.
  package let url: URL

  /// Starts a command where the disk is.
  package let launcher: [String]

  /// Keeps the mount namespace.
  private let holder: Program.Run

  /// Mounts a disk, for which ``isAvailable`` must hold.
  ///
  /// - Parameter options: of `mount -t tmpfs`, such as `size=64k`.
  package init(_ options: String) throws {
    folder = try TemporaryFolder()
    let script = "mount -t tmpfs -o \"$1\" tmpfs \"$2\" && echo mounted && exec sleep infinity"
    holder = try Program.Run(
      ["unshare", "-m", "sh", "-c", script, "sh", options, folder.url.path],
      program: "/usr/bin/env")
    while !holder.outputSoFar.hasPrefix("mounted\n") {
      guard holder.process.isRunning else {
        throw SampleFailure(message: "no tmpfs of \(options): \(holder.errorsSoFar)")
      }
      usleep(1000)
    }
    let process = "\(holder.process.processIdentifier)"
    url = URL(fileURLWithPath: "/proc/\(process)/root\(folder.url.path)")
    launcher = ["nsenter", "-t", process, "-m"]
  }

  deinit {
    holder.process.terminate()
    holder.process.waitUntilExit()
  }

  /// Runs a system command where the disk is.
  package func command(_ words: String...) throws {
    let told = try Program.runInstalled(launcher + words)
    guard told.status == 0 else {
      throw SampleFailure(message: "\(words) failed: \(told.errors)")
    }
  }

  /// Changes options of the mounted disk.
  package func remount(_ options: String) throws {
    try command("mount", "-o", "remount,\(options)", folder.url.path)
  }
}
