import Crypto
import Definition
import Files
import Foundation
import MBTiles
package import Runs
import SpatialIndex
import Synchronization
import SystemPackage

/// The SHA-256 of every file that a run reads, and whether they stayed as they were.
///
/// One object serves a whole run. It looks at a file once, before anything else reads it, and
/// hashes it then; after the reading ``checkUnchanged(_:)`` looks again. So what the readers saw is
/// what was hashed, or the run fails: nothing is published or cached under a digest of other bytes.
package final class InputDigests: Sendable {
  /// Files as they were when the run first saw them, by their paths.
  private let sights = Mutex<[String: DigestMemory.Entry]>([:])

  private let cancellation = Mutex<Cancellation?>(nil)

  /// What earlier runs found, where file times are trusted.
  private let memory: DigestMemory
  private let trusted = Atomic<Int>(0)
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - memory: digests of earlier runs; files that the system says are the same are not read for
  ///     theirs. Empty where times are not trusted.
  ///   - now: The wall clock, nanoseconds since 1970.
  package init(
    memory: DigestMemory = DigestMemory(),
    now: @escaping @Sendable () -> Int64 = InputDigests.wallClock
  ) {
    self.memory = memory
    self.now = now
  }

  /// Ends hashing when the run is to end.
  package func observe(_ cancellation: Cancellation) {
    self.cancellation.withLock { $0 = cancellation }
  }

  /// The digest of a file in 64 lower-case hexadecimal digits, computed at the first call.
  ///
  /// - Throws: ``PipelineError``: `missingInput`, `permission`, `definition` for what is no regular
  ///   file, `inputOutput` where reading fails or the file changes meanwhile.
  /// - Complexity: O(bytes), at 1 to 2 GB/s; O(1) when it is known.
  package func sha256(of path: String) throws(PipelineError) -> String {
    if let known = sights.withLock({ $0[path]?.sha256 }) { return known }
    let sight: DigestMemory.Entry
    if let known = recalled(path) { sight = known } else { sight = try look(at: path) }
    return sights.withLock { sights in
      if let known = sights[path] { return known.sha256 }
      sights[path] = sight
      return sight.sha256
    }
  }

  /// Computes the digests of several files on all cores.
  ///
  /// - Throws: the failure of the first file in the order given.
  package func prepare(_ paths: [String]) throws(PipelineError) {
    let unknown = sights.withLock { sights in paths.filter { sights[$0] == nil } }
    guard unknown.count > 1 else {
      for path in unknown { _ = try sha256(of: path) }
      return
    }
    let failures = Mutex<[Int: PipelineError]>([:])
    let next = Atomic<Int>(0)
    let threads = min(unknown.count, ProcessInfo.processInfo.activeProcessorCount)
    ChunkedWork(count: threads, threads: threads, minimum: 1).forEach { _, _ in
      // A file at a time: their sizes differ.
      while case let index = next.add(1, ordering: .relaxed).oldValue, index < unknown.count {
        do throws(PipelineError) {
          _ = try sha256(of: unknown[index])
        } catch {
          failures.withLock { $0[index] = error }
        }
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
  package func checkUnchanged(_ paths: [String]? = nil) throws(PipelineError) {
    let seen = sights.withLock { $0 }
    let chosen = paths.map { Set($0) } ?? Set(seen.keys)
    for path in chosen.sorted() {
      guard let sight = seen[path] else { continue }
      guard let status = try? InputStatus(path: path), status.isContent(of: sight.status) else {
        throw Self.change(of: path)
      }
      let isFresh = sight.status.isFresh(at: sight.moment, step: InputStatus.coarseStep)
      guard status != sight.status || isFresh else { continue }
      let again = try look(at: path)
      guard again.sha256 == sight.sha256 else { throw Self.change(of: path) }
      sights.withLock { $0[path] = again }
    }
  }

  /// What a body makes of the files, which must be the same after it as before.
  ///
  /// - Throws: what ``checkUnchanged(_:)`` throws, also in the place of a failure of the body: half
  ///   a file may look like bad data. A run that was told to end says so.
  package func whileUnchanged<Value>(
    _ paths: [String]? = nil, _ body: () throws(PipelineError) -> Value
  ) throws(PipelineError) -> Value {
    let value: Value
    do {
      value = try body()
    } catch {
      if !error.isStop { try checkUnchanged(paths) }
      throw error
    }
    try checkUnchanged(paths)
    return value
  }

  /// The bytes of a small file and their digest, which ``checkUnchanged(_:)`` then knows.
  ///
  /// - Throws: as ``WholeFile/bytes(of:limit:)``, and for a file that changes meanwhile.
  package func contents(of path: String, limit: Int) throws(PipelineError) -> (
    bytes: [UInt8], digest: String
  ) {
    let moment = now()
    let before = try? InputStatus(path: path)
    var read = Result<[UInt8], PipelineError>.success([])
    do throws(PipelineError) {
      read = .success(try WholeFile.bytes(of: path, limit: limit))
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
    let digest = Hexadecimal.text(SHA256.hash(data: bytes))
    if let before {
      sights.withLock {
        $0[path] = DigestMemory.Entry(status: before, moment: moment, sha256: digest)
      }
    }
    return (bytes, digest)
  }

  // MARK: Trust in file times

  /// Digests that were taken from ``memory``, as a sentence for the report; `nil` where none was.
  package var note: String? {
    let count = trusted.load(ordering: .relaxed)
    guard count > 0 else { return nil }
    let files = count == 1 ? "1 input was" : "\(count) inputs were"
    return "\(files) not read for the SHA-256: size, time and inode are those of an earlier run "
      + "(--trust-mtime)."
  }

  /// What a later run may trust: the files of this run that were not written to just before it.
  package var learned: DigestMemory {
    var learned = DigestMemory()
    for (_, sight) in sights.withLock({ $0 })
    where !sight.status.isFresh(at: sight.moment, step: InputStatus.coarseStep) {
      learned.remember(sight, as: Self.name(of: sight.status))
    }
    return learned
  }

  /// What an earlier run found, if the system says that the file is still the same.
  private func recalled(_ path: String) -> DigestMemory.Entry? {
    guard !memory.entries.isEmpty, let status = try? InputStatus(path: path),
      let entry = memory.entry(
        of: Self.name(of: status), now: status, step: InputStatus.coarseStep)
    else { return nil }
    trusted.add(1, ordering: .relaxed)
    return entry
  }

  /// A file by its place in the system: paths depend on the folder that the run is started in.
  private static func name(of status: InputStatus) -> String {
    "\(status.device) \(status.inode)"
  }

  // MARK: Reading

  /// Reads a file from its beginning to its end.
  private func look(at path: String) throws(PipelineError) -> DigestMemory.Entry {
    let moment = now()
    do {
      let file = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      try Self.requireRegular(file, path)
      let status = try InputStatus(file)
      let cancellation = cancellation.withLock { $0 }
      let digest = try FileDigest(of: file, checkpoint: { try cancellation?.check() })
      // Of the name too: another file may have taken it.
      guard try InputStatus(file) == status, try InputStatus(path: path).isContent(of: status)
      else { throw Self.change(of: path) }
      return DigestMemory.Entry(status: status, moment: moment, sha256: digest.sha256)
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

  /// Nanoseconds since 1970.
  package static func wallClock() -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1e9)
  }
}
