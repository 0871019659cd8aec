import Foundation
import MBTiles
import SystemPackage

/// Which program this is, so that one that was built anew does not read what an older one made.
enum ProgramIdentity {
  /// The file that this process was started from, which its path may no longer lead to: an update
  /// replaces a program while it runs.
  private static let files =
    ["/proc/self/exe"] + [Bundle.main.executablePath].compactMap(\.self)

  /// SHA-256 of the program's file, 64 hexadecimal digits; `nil` if it cannot be read.
  ///
  /// - Complexity: O(bytes of the program), once a process; 30 ms for 56 MB.
  static let sha256: String? =
    files.lazy.compactMap { try? FileDigest.sha256(of: FilePath($0)) }.first

  /// The version, with device, inode, size and times of the file; `nil` if the system does not
  /// tell, and then nothing is cached.
  ///
  /// A linker, a package manager or a copy changes at least the time of the last change, which no
  /// program can set. Hashing the file instead would take 30 ms of every run.
  static let text: String? = {
    guard let status = files.lazy.compactMap({ try? InputStatus(path: $0) }).first else {
      return nil
    }
    return [
      PipelineVersion.current, "\(status.device)", "\(status.inode)", "\(status.size)",
      "\(status.modified)", "\(status.changed)",
    ].joined(separator: " ")
  }()
}
