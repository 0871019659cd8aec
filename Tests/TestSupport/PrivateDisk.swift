package import Foundation

/// A small file system of its own, which only the runs started through it see.
///
/// It lives in a mount namespace that a process of its own holds; this process looks in through
/// `/proc`. It goes with this object, or with this process, however that ends.
package final class PrivateDisk {
  /// Whether a mount namespace of its own can be made and a tmpfs mounted in it.
  package static let isAvailable: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }()

  /// The folder as the runs see it.
  package let folder: TemporaryFolder

  /// The folder as this process sees it.
  package let url: URL

  /// Starts a command where the disk is.
  package let launcher: [String]

  private let holder = Process()
  private let input = Pipe()

  /// Mounts a disk, for which ``isAvailable`` must hold.
  ///
  /// - Parameter options: of `mount -t tmpfs`, such as `size=64k`.
  package init(_ options: String) throws {
    folder = try TemporaryFolder()
    let output = Pipe()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // `cat` ends with its input, which the system closes with this process.
    holder.arguments = [
      "unshare", "-m", "sh", "-c",
      "mount -t tmpfs -o \"$1\" tmpfs \"$2\" && echo mounted && exec cat > /dev/null", "sh",
      options,
      folder.url.path,
    ]
    holder.standardInput = input
    holder.standardOutput = output
    try holder.run()
    guard output.fileHandleForReading.availableData.starts(with: Data("mounted".utf8)) else {
      throw SampleFailure(message: "no tmpfs of \(options)")
    }
    let process = "\(holder.processIdentifier)"
    url = URL(fileURLWithPath: "/proc/\(process)/root\(folder.url.path)")
    launcher = ["nsenter", "-t", process, "-m"]
  }

  deinit {
    holder.terminate()
    holder.waitUntilExit()
  }

  /// Runs a system command where the disk is.
  package func command(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = launcher + words
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw SampleFailure(message: "\(words) failed") }
  }

  /// Changes options of the mounted disk.
  package func remount(_ options: String) throws {
    try command("mount", "-o", "remount,\(options)", folder.url.path)
  }
}
