import Foundation
import MBTiles
import SystemPackage

/// Which program this is: its version and the SHA-256 of its file, so that a program that was built
/// anew does not read what an older one made.
enum ProgramIdentity {
  /// 64 hexadecimal digits, of the file that this process was started from; `nil` if that cannot be
  /// read, and then nothing is cached.
  ///
  /// - Complexity: O(bytes of the program), once a process; 30 ms for 56 MB.
  static let sha256: String? = {
    // The path may lead to another file by now: an update replaces a program while it runs.
    let running = "/proc/self/exe"
    let paths = [running] + [Bundle.main.executablePath].compactMap(\.self)
    return paths.lazy.compactMap { try? FileDigest.sha256(of: FilePath($0)) }.first
  }()

  /// The version with the digest; `nil` if the digest is not known.
  static let text: String? = sha256.map { "\(PipelineVersion.current) \($0)" }
}
