import Files
import MBTiles
package import Runs
import SystemPackage

#if canImport(Darwin)
  import Foundation
#endif

/// Which program this is, so that one that was built anew does not read what an older one made.
package enum ProgramIdentity {
  /// The file that this process was started from; `nil` if the system does not tell.
  ///
  /// On Linux not by its path, which may no longer lead to it: an update replaces a program while it
  /// runs.
  private static var file: String? {
    #if canImport(Darwin)
      Bundle.main.executablePath
    #else
      "/proc/self/exe"
    #endif
  }

  /// SHA-256 of the program's file, 64 hexadecimal digits; `nil` if there is no such file, or it may
  /// not be read.
  ///
  /// - Throws: ``PipelineError`` where reading fails: without the digest an archive would get other
  ///   bytes.
  /// - Complexity: O(bytes of the program), once a process; 30 ms for 56 MB.
  package static func sha256() throws(PipelineError) -> String? { try digest.get() }

  private static let digest = file.map(digest(of:)) ?? .success(nil)

  /// The digest of a program's file.
  static func digest(of file: String) -> Result<String?, PipelineError> {
    do {
      return .success(try FileDigest.sha256(of: FilePath(file)))
    } catch {
      switch error.cause as? Errno {
      // A program may be one that this user can start and not read.
      case .noSuchFileOrDirectory, .permissionDenied, .notPermitted: return .success(nil)
      default:
        return .failure(
          PipelineError(
            .inputOutput,
            "the program's own file cannot be read, whose digest is part of each archive. Check the "
              + "disk that it is on, then run again.", at: DocumentPlace(file: file),
            cause: error.cause.map { "\($0)" }))
      }
    }
  }

  /// The version, with device, inode, size and times of the file; `nil` if the system does not
  /// tell, and then nothing is cached.
  ///
  /// A linker, a package manager or a copy changes at least the time of the last change, which no
  /// program can set. Hashing the file instead would take 30 ms of every run.
  static let text: String? = {
    guard let file, let status = try? InputStatus(path: file) else { return nil }
    return [
      PipelineVersion.current, "\(status.device)", "\(status.inode)", "\(status.size)",
      "\(status.modified)", "\(status.changed)",
    ].joined(separator: " ")
  }()
}
