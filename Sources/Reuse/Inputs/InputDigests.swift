import Definition
package import Files
import Foundation
import Hashing
import Inputs
package import Runs
import SpatialIndex
import Synchronization
import SystemPackage

/// The SHA-256 of every file that a run reads, with checks that they did not change.
///
/// One object serves a whole run. It reads a file's status once, before anything else reads the
/// file, and hashes it then; after the reading, ``checkUnchanged(_:)`` reads the status again. So
/// the readers saw the bytes that were hashed, or the run fails: nothing is published or cached
/// under a digest of other bytes.
package final class InputDigests: Sendable {
  /// The entries of files as the run first saw them, by path.
  private let sights = Mutex<[String: DigestMemory.Entry]>([:])

  /// The files that the run holds open and reads through, by path.
  private let held = Mutex<[String: HeldFile]>([:])

  private let cancellation = Mutex<Cancellation?>(nil)

  /// The digests of earlier runs, where file times are trusted.
  private let memory: DigestMemory

  /// May hold the digest of the program.
  private let artifacts: ArtifactCache
  private let trusted = Atomic<Int>(0)
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - memory: digests of earlier runs; files whose status is unchanged are not read again. Empty
  ///     where times are not trusted.
  ///   - artifacts: may hold the digest of the program.
  ///   - now: the wall clock, in nanoseconds since 1970.
  package init(
    memory: DigestMemory = DigestMemory(), artifacts: ArtifactCache = .none,
    now: @escaping @Sendable () -> Int64 = InputDigests.wallClock
  ) {
    self.memory = memory
    self.artifacts = artifacts
    self.now = now
  }

  /// Returns the SHA-256 of the program's file; see ``ProgramIdentity/sha256(in:)``.
  package func program() throws(PipelineError) -> String? {
    try ProgramIdentity.sha256(in: artifacts)
  }

  /// Sets the cancellation that ends hashing.
  package func observe(_ cancellation: Cancellation) {
    self.cancellation.withLock { $0 = cancellation }
  }

  /// Adds files that are held open and read through their descriptors: only a change of their
  /// content counts, not another file under their name.
  package func hold(_ files: [HeldFile]) {
    held.withLock { held in
      for file in files { held[file.path.string] = held[file.path.string] ?? file }
    }
  }

  /// Returns the status of the file that is read under a path.
  private func status(of path: String) throws(Errno) -> InputStatus {
    if let file = held.withLock({ $0[path] }) { return try InputStatus(file.descriptor) }
    return try InputStatus(path: path)
  }

  /// Returns the digest of a file in 64 lower-case hexadecimal digits, computed at the first call.
  ///
  /// - Throws: ``PipelineError``: `missingInput`, `permission`, `definition` for anything but a
  ///   regular file, `inputOutput` where reading fails or the file changes meanwhile.
  /// - Complexity: O(bytes), at 1 to 2 GB/s; O(1) for a known digest.
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
    var asked: Set<String> = []
    let known = sights.withLock { $0.keys }
    let unknown = paths.filter { !known.contains($0) && asked.insert($0).inserted }
    guard unknown.count > 1 else {
      for path in unknown { _ = try sha256(of: path) }
      return
    }
    let failures = Mutex<[Int: PipelineError]>([:])
    let next = Atomic<Int>(0)
    let threads = min(unknown.count, Processors.available)
    ChunkedWork(count: threads, threads: threads, minimum: 1).forEach { _, _ in
      // One file at a time: their sizes differ.
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

  /// Checks the files again, after they were read.
  ///
  /// - Parameter paths: the files to check, of those that were hashed; `nil` for all. Others are
  ///   skipped.
  /// - Throws: ``PipelineError`` with code `inputOutput` for the first file, in order of the paths,
  ///   whose size, time, inode or device has changed since it was first seen. It is not `badData`:
  ///   the data may be sound, and the next run reads it completely.
  /// - Complexity: O(files); a file that was written just before the run is hashed once more, since
  ///   its times are not conclusive.
  package func checkUnchanged(_ paths: [String]? = nil) throws(PipelineError) {
    let seen = sights.withLock { $0 }
    let chosen = paths.map { Set($0) } ?? Set(seen.keys)
    for path in chosen.sorted() {
      guard let sight = seen[path] else { continue }
      let status = try? status(of: path)
      guard let status, status.isContent(of: sight.status) else {
        throw Self.change(of: path, isReplaced: status?.inode != sight.status.inode)
      }
      let isFresh = sight.status.isFresh(at: sight.moment, step: InputStatus.coarseStep)
      guard status != sight.status || isFresh else { continue }
      let again = try look(at: path)
      guard again.sha256 == sight.sha256 else { throw Self.change(of: path) }
      sights.withLock { $0[path] = again }
    }
  }

  /// Runs a body that reads files, which must be the same after it as before.
  ///
  /// - Throws: the errors of ``checkUnchanged(_:)``, also in place of an error of the body: half a
  ///   file may look like bad data. A cancelled run throws its cancellation.
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

  /// Reads a small file and its digest, which ``checkUnchanged(_:)`` then knows.
  ///
  /// - Throws: as ``DocumentFile/bytes(of:limit:)``, and for a file that changes meanwhile.
  package func contents(of path: String, limit: Int) throws(PipelineError) -> (
    bytes: [UInt8], digest: String
  ) {
    let moment = now()
    let before = try? InputStatus(path: path)
    var read = Result<[UInt8], PipelineError>.success([])
    do throws(PipelineError) {
      read = .success(try DocumentFile.bytes(of: path, limit: limit))
    } catch {
      read = .failure(error)
    }
    if let before {
      // This is checked before any other failure: half a file may be too long or too short.
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

  /// The number of digests taken from ``memory``, as a sentence for the report; `nil` for none.
  package var note: String? {
    let count = trusted.load(ordering: .relaxed)
    guard count > 0 else { return nil }
    let files = count == 1 ? "1 input was" : "\(count) inputs were"
    return "\(files) not read for the SHA-256: size, time and inode are those of an earlier run "
      + "(--trust-mtime)."
  }

  /// The digests that a later run may trust: those of files that were not written just before this
  /// run saw them.
  package var learned: DigestMemory {
    var learned = DigestMemory()
    for (_, sight) in sights.withLock({ $0 })
    where !sight.status.isFresh(at: sight.moment, step: InputStatus.coarseStep) {
      learned.remember(sight, as: Self.name(of: sight.status))
    }
    return learned
  }

  /// Returns the digest of an earlier run, if the file's status is unchanged.
  private func recalled(_ path: String) -> DigestMemory.Entry? {
    guard !memory.entries.isEmpty, let status = try? status(of: path),
      let entry = memory.entry(
        of: Self.name(of: status), now: status, step: InputStatus.coarseStep)
    else { return nil }
    trusted.add(1, ordering: .relaxed)
    return entry
  }

  /// Identifies a file by device and inode: paths depend on the folder in which the run was
  /// started.
  private static func name(of status: InputStatus) -> String {
    "\(status.device) \(status.inode)"
  }

  // MARK: Reading

  /// Reads a file from its beginning to its end.
  private func look(at path: String) throws(PipelineError) -> DigestMemory.Entry {
    let moment = now()
    do {
      // Opened again, since the position of a held file is undefined.
      let file = try FileDescriptor.open(
        held.withLock { $0[path]?.address } ?? FilePath(path), .readOnly,
        options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      try Self.requireRegular(file, path)
      let status = try InputStatus(file)
      let cancellation = cancellation.withLock { $0 }
      let digest = try FileDigest(of: file, checkpoint: { try cancellation?.check() })
      // The name is checked too: another file may have taken it.
      guard try InputStatus(file).isContent(of: status),
        try self.status(of: path).isContent(of: status)
      else { throw Self.change(of: path) }
      return DigestMemory.Entry(status: status, moment: moment, sha256: digest.sha256)
    } catch var error as PipelineError {
      if error.isStop { error.reach = RunReach(stage: "", done: 0) }
      throw error
    } catch {
      throw Self.failure(error as? Errno ?? .ioError, path)
    }
  }

  /// Refuses files that are endless or deliver their bytes only once.
  private static func requireRegular(_ file: FileDescriptor, _ path: String) throws {
    let type = try file.stat().type
    guard type != .regular else { return }
    let what = type == .directory ? "a folder" : "a pipe or device"
    throw DocumentPlace(file: path).fault(
      "is \(what), not a regular file; a build reads its inputs more than once. Name a file.")
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

  /// - Parameter isReplaced: whether the path names another file now, or none.
  private static func change(of path: String, isReplaced: Bool = false) -> PipelineError {
    PipelineError(
      .inputOutput,
      isReplaced
        ? "was replaced or removed while it was read. Data that GDAL reads, tilesets, frames and the "
          + "files beyond the first \(InputResolver.usualHeldLimit) of a run are opened by name, more than once; run again."
        : "changed while it was read; run again when nothing writes to it.",
      at: DocumentPlace(file: path))
  }

  /// Returns the wall-clock time in nanoseconds since 1970.
  package static func wallClock() -> Int64 { FileStatus.now }
}
