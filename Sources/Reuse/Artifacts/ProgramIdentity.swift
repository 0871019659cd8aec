import Files
import MBTiles
package import Runs
import SystemPackage
import TextAnalysis

#if canImport(Darwin)
  import Foundation
#endif

/// The identity of this program, so that a rebuilt one does not read the artifacts of an older one.
package enum ProgramIdentity {
  /// The file from which this process was started; `nil` if the system does not report it.
  ///
  /// On Linux it is not found by its path, which may no longer lead to it: an update replaces a
  /// program while it runs.
  private static var file: String? {
    #if canImport(Darwin)
      Bundle.main.executablePath
    #else
      "/proc/self/exe"
    #endif
  }

  /// Returns the SHA-256 of the program's file, 64 hexadecimal digits; `nil` if the file does not
  /// exist or may not be read.
  ///
  /// - Parameter cache: the artifacts of earlier runs, one of which may have computed it of a file with
  ///   the same ``text``; those of a plan are not asked.
  /// - Throws: ``PipelineError`` where reading fails: without the digest an archive would get other
  ///   bytes.
  /// - Complexity: O(bytes of the program), once per process; 30 ms for 56 MB.
  package static func sha256(
    in cache: ArtifactCache = .none
  ) throws(PipelineError) -> String? {
    guard text != nil, !cache.isOfPlan else { return try digest.get() }
    let key = cache.key(.inputs, ["program"])
    let known = cache.value(key) { reader throws(ArtifactDamage) in try reader.text() }
    if let known { return known }
    let digest = try digest.get()
    if let digest {
      var writer = ArtifactWriter()
      writer.append(digest)
      cache.store(key, writer)
    }
    return digest
  }

  private static let digest = file.map(digest(of:)) ?? .success(nil)

  /// Computes the digest of a program's file.
  static func digest(of file: String) -> Result<String?, PipelineError> {
    do {
      return .success(try FileDigest.sha256(of: FilePath(file)))
    } catch {
      switch error.systemError {
      // A user may be allowed to run a program but not to read it.
      case .noSuchFileOrDirectory, .permissionDenied, .notPermitted: return .success(nil)
      default:
        return .failure(
          PipelineError(
            .inputOutput,
            "the program's own file cannot be read, whose digest is part of each archive. Check the "
              + "disk that it is on, then run again.", at: DocumentPlace(file: file),
            cause: error.systemError.map { "\($0)" }))
      }
    }
  }

  /// The versions of the program and of ICU, by which filters compare texts, with device, inode, size
  /// and times of the program's file; `nil` if the system does not report them, and then nothing is
  /// cached.
  ///
  /// A linker, a package manager or a copy changes at least the time of the last change, which no
  /// program can set. Hashing the file instead would take 30 ms of every run.
  package static let text: String? = {
    guard let file, let status = try? InputStatus(path: file) else { return nil }
    return [
      PipelineVersion.current, ICUVersion.text, "\(status.device)", "\(status.inode)",
      "\(status.size)", "\(status.modified)", "\(status.changed)",
    ].joined(separator: " ")
  }()
}
