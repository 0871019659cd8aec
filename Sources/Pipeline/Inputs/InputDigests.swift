import Crypto
import Dispatch
import Foundation
import MBTiles
import Synchronization
import SystemPackage

/// The SHA-256 of every file that a run reads, and whether they stayed as they were.
///
/// One object serves a whole run. It looks at a file once, before anything else reads it, and
/// hashes it then; after the reading ``checkUnchanged(_:)`` looks again. So what the readers saw is
/// what was hashed, or the run fails: nothing is published or cached under a digest of other bytes.
final class InputDigests: Sendable {
  /// A file as it was when the run first saw it.
  private struct Sight {
    var status: InputStatus
    var digest: String
    /// Nanoseconds since 1970, before anything was read.
    var moment: Int64
  }

  private let sights = Mutex<[String: Sight]>([:])
  private let now: @Sendable () -> Int64

  /// - Parameter now: The wall clock, nanoseconds since 1970.
  init(now: @escaping @Sendable () -> Int64 = InputDigests.wallClock) {
    self.now = now
  }

  /// The digest of a file in 64 lower-case hexadecimal digits, computed at the first call.
  ///
  /// - Throws: ``PipelineError``: `missingInput`, `permission`, `definition` for what is no regular
  ///   file, `inputOutput` where reading fails or the file changes meanwhile.
  /// - Complexity: O(bytes), at 1 to 2 GB/s; O(1) when it is known.
  func sha256(of path: String) throws(PipelineError) -> String {
    if let known = sights.withLock({ $0[path]?.digest }) { return known }
    let sight = try look(at: path)
    return sights.withLock { sights in
      if let known = sights[path] { return known.digest }
      sights[path] = sight
      return sight.digest
    }
  }

  /// Computes the digests of several files on all cores.
  ///
  /// - Throws: the failure of the first file in the order given.
  func prepare(_ paths: [String]) throws(PipelineError) {
    let unknown = sights.withLock { sights in paths.filter { sights[$0] == nil } }
    guard unknown.count > 1 else {
      for path in unknown { _ = try sha256(of: path) }
      return
    }
    let failures = Mutex<[Int: PipelineError]>([:])
    DispatchQueue.concurrentPerform(iterations: unknown.count) { index in
      do throws(PipelineError) {
        _ = try sha256(of: unknown[index])
      } catch {
        failures.withLock { $0[index] = error }
      }
    }
    let failed = failures.withLock { $0 }
    if let first = failed.keys.min(), let error = failed[first] { throw error }
  }

  /// Looks at the files again, after they were read.
  ///
  /// - Parameter paths: some of those that were hashed; `nil` for all, others are passed over.
  /// - Throws: ``PipelineError`` with code `inputOutput` for the first file, in order of the paths,
  ///   whose size, time, inode or device is another than at first sight. It is not `badData`: what
  ///   was read may be sound, and the next run reads it whole.
  /// - Complexity: O(files); a file that was written to just before the run is hashed once more,
  ///   since its times need not tell.
  func checkUnchanged(_ paths: [String]? = nil) throws(PipelineError) {
    let seen = sights.withLock { $0 }
    let chosen = paths.map { Set($0) } ?? Set(seen.keys)
    for path in chosen.sorted() {
      guard let sight = seen[path], path != Self.program else { continue }
      guard let status = try? InputStatus(path: path), status.isContent(of: sight.status) else {
        throw Self.change(of: path)
      }
      guard status != sight.status || sight.status.isFresh(at: sight.moment) else { continue }
      let again = try look(at: path)
      guard again.digest == sight.digest else { throw Self.change(of: path) }
      sights.withLock { $0[path] = again }
    }
  }

  /// What a body makes of the files, which must be the same after it as before.
  ///
  /// - Throws: what ``checkUnchanged(_:)`` throws, also in the place of a failure of the body: half
  ///   a file may look like bad data. A signal stays a signal.
  func whileUnchanged<Value>(
    _ paths: [String]? = nil, _ body: () throws(PipelineError) -> Value
  ) throws(PipelineError) -> Value {
    let value: Value
    do {
      value = try body()
    } catch {
      if error.code != .interrupted { try checkUnchanged(paths) }
      throw error
    }
    try checkUnchanged(paths)
    return value
  }

  /// The bytes of a small file and their digest, which ``checkUnchanged(_:)`` then knows.
  ///
  /// - Throws: as ``SourceDefinition/bytes(of:limit:)``, and for a file that changes meanwhile.
  func contents(of path: String, limit: Int) throws(PipelineError) -> (
    bytes: [UInt8], digest: String
  ) {
    let moment = now()
    let before = try? InputStatus(path: path)
    var read = Result<[UInt8], PipelineError>.success([])
    do throws(PipelineError) {
      read = .success(try SourceDefinition.bytes(of: path, limit: limit))
    } catch {
      read = .failure(error)
    }
    if let before {
      // Before any other failure: half a file may be too long or too short.
      guard let after = try? InputStatus(path: path), after.isContent(of: before) else {
        throw Self.change(of: path)
      }
    }
    let bytes = try read.get()
    let digest = lowercaseHexadecimal(SHA256.hash(data: bytes))
    if let before {
      sights.withLock { $0[path] = Sight(status: before, digest: digest, moment: moment) }
    }
    return (bytes, digest)
  }

  /// Reads a file from its beginning to its end.
  private func look(at path: String) throws(PipelineError) -> Sight {
    let moment = now()
    do {
      let file = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      try Self.requireRegular(file, path)
      let status = try InputStatus(file)
      let digest = try FileDigest.sha256(of: file)
      // Of the name too: another file may have taken it.
      guard try InputStatus(file) == status, try InputStatus(path: path).isContent(of: status)
      else { throw Self.change(of: path) }
      return Sight(status: status, digest: digest, moment: moment)
    } catch let error as PipelineError {
      throw error
    } catch {
      throw Self.failure(error as? Errno ?? .ioError, path)
    }
  }

  /// Refuses what has no end or gives its bytes only once.
  private static func requireRegular(_ file: FileDescriptor, _ path: String) throws {
    let type = try file.stat().type
    guard type != .regular else { return }
    let what = type == .directory ? "a folder" : "a pipe or device"
    throw PipelineError(
      .definition,
      "is \(what), not a regular file; a build reads its inputs more than once. Name a file.",
      at: DocumentPlace(file: path))
  }

  private static func failure(_ cause: Errno, _ path: String) -> PipelineError {
    let (code, words): (PipelineError.Code, String) =
      switch cause {
      case .noSuchFileOrDirectory, .notDirectory: (.missingInput, "the file cannot be read.")
      case .permissionDenied, .notPermitted:
        (.permission, "may not be read; give this user read permission.")
      default: (.inputOutput, "the file cannot be read.")
      }
    return PipelineError(code, words, at: DocumentPlace(file: path), cause: "\(cause)")
  }

  private static func change(of path: String) -> PipelineError {
    PipelineError(
      .inputOutput, "changed while it was read; run again when nothing writes to it.",
      at: DocumentPlace(file: path))
  }

  /// The file of the running program, even where another one took its name since it was started;
  /// `nil` where the system does not tell.
  static let program: String? = {
    #if os(Linux)
      "/proc/self/exe"
    #else
      Bundle.main.executablePath
    #endif
  }()

  /// Nanoseconds since 1970.
  static func wallClock() -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1e9)
  }
}
