package import Columns
package import Definition
import Files
import Hashing
package import Runs
import Synchronization
package import SystemPackage
import Workers

/// A cache of artifacts that earlier runs of the same program made and this run can reuse.
///
/// A cache never decides whether a run succeeds: an artifact that cannot be read is made again, and
/// one that cannot be written becomes a note.
package struct ArtifactCache: Sendable {
  /// The folder, `.quadrille-cache/artifacts` beside the archive.
  let folder: ArtifactFolder

  /// Whether artifacts are read and written.
  package let isEnabled: Bool

  /// Whether artifacts are only read: a run that publishes nothing leaves nothing behind, except
  /// the places of records that a query has found.
  package var isReadOnly = false

  /// Whether the folder belongs to one plan, which must keep every artifact: there is no budget,
  /// a damaged artifact stays, and names follow from the plan instead of from the inputs.
  package let isOfPlan: Bool

  /// The scratch of the columns that are read; `nil` for memory.
  package var scratch: Scratch?

  private let budget: CacheSize
  /// The identity of this program, computed at the first use because that takes 30 ms.
  private let identity: @Sendable () -> String?
  private let run = RunState()

  /// The artifacts that are being written while the run goes on.
  private let writing = SerialWork()

  /// The state of one run's use of the cache, shared by all threads.
  private final class RunState: Sendable {
    struct Content {
      /// The artifacts that the run read or wrote, which it must not remove.
      var used: Set<String> = []
      /// The reason why an artifact was not written, a sentence.
      var note: String?
      /// Whether the system refused to write, which it will do again.
      var isBroken = false
      /// The artifacts that the machine could not read, with its reasons.
      var faults: [String: Errno] = [:]
    }
    let content = Mutex(Content())
  }

  /// The divisor of the free space that gives the maximum size of an artifact: the archive's size
  /// is not known yet, and a cache must not fill the disk.
  private static let freeShare = 4

  /// - Parameter identity: see ``ProgramIdentity/text``; if it returns `nil`, nothing is cached.
  init(
    folder: FilePath, budget: CacheSize = .standard, isEnabled: Bool = true,
    identity: @escaping @Sendable () -> String? = { ProgramIdentity.text }
  ) {
    self.folder = ArtifactFolder(path: folder)
    self.budget = budget
    self.identity = identity
    isOfPlan = false
    self.isEnabled = isEnabled && budget.bytes > 0
    if isEnabled, budget.bytes == 0 { self.folder.prune(to: budget, keeping: [], program: "") }
  }

  /// Creates the artifacts of a plan for other processes, which may run on other machines.
  ///
  /// - Parameters:
  ///   - folder: its folder.
  ///   - program: the digest of the program, which is the same on all machines.
  package init(ofPlan folder: FilePath, program: String) {
    self.folder = ArtifactFolder(path: folder)
    budget = .standard
    identity = { program }
    isEnabled = true
    isOfPlan = true
  }

  /// Returns the name of an artifact of a plan.
  package func key(_ kind: ArtifactKind, _ parts: [String]) -> ArtifactKey {
    ArtifactKey(kind: kind, parts, program: isOfPlan ? "" : ProgramIdentity.text)
  }

  /// A disabled cache: nothing is read or written.
  package static let none = ArtifactCache(folder: "", isEnabled: false)

  /// Creates the cache of a pipeline.
  package init(besideArchive path: String, options: BuildOptions) {
    let archive = FilePath(path).removingLastComponent()
    self.init(
      folder: archive.appending(".quadrille-cache").appending("artifacts"),
      budget: options.cacheSize, isEnabled: !options.noCache)
  }

  /// The reason why the cache was not written, a sentence for the report; `nil` if it was written
  /// or is disabled.
  package var note: String? {
    settle()
    return run.content.withLock { $0.note }
  }

  // MARK: Reading

  /// Opens an artifact whose checksum is right; `nil` where there is none. A damaged artifact, or
  /// another kind of file under its name, is removed.
  ///
  /// - Complexity: O(bytes).
  func reader(_ key: ArtifactKey) -> ArtifactReader? {
    guard isEnabled, let program = identity() else { return nil }
    settle()
    do {
      let reader = try ArtifactReader(
        folder.path.appending(key.fileName), program: program, in: scratch)
      run.content.withLock { _ = $0.used.insert(key.fileName) }
      if !isOfPlan { folder.touch(key.fileName) }
      return reader
    } catch let error as Errno where error == .noSuchFileOrDirectory || error.isOfMachine {
      // It may be intact.
      run.content.withLock { $0.faults[key.fileName] = error }
      return nil
    } catch {
      if !isOfPlan { folder.remove(key.fileName) }
      return nil
    }
  }

  /// Reads an artifact as a whole.
  ///
  /// - Parameter decode: reads the columns; an artifact for which it throws, or of which it leaves
  ///   columns unread, is removed.
  package func value<Value>(
    _ key: ArtifactKey, _ decode: (inout ArtifactReader) throws(ArtifactDamage) -> Value
  ) -> Value? {
    guard var reader = reader(key) else { return nil }
    if let value = try? decode(&reader), reader.isAtEnd { return value }
    remove(key)
    return nil
  }

  /// Whether there is a file with the name of an artifact.
  func contains(_ key: ArtifactKey) -> Bool { isEnabled && folder.contains(key.fileName) }

  /// Removes an artifact whose content turned out to be wrong, unless it is part of a plan.
  package func remove(_ key: ArtifactKey) {
    if isOfPlan { return }
    folder.remove(key.fileName)
    run.content.withLock { _ = $0.used.remove(key.fileName) }
  }

  /// Refuses to make an artifact of a finished plan again.
  ///
  /// - Throws: ``PipelineError`` that names the file, with code `badData` where it is damaged or
  ///   missing, and `inputOutput` where the machine cannot read it.
  package func requireAbsent(_ key: ArtifactKey) throws(PipelineError) {
    guard isOfPlan, isReadOnly else { return }
    let path = folder.path.appending(key.fileName)
    if let cause = run.content.withLock({ $0.faults[key.fileName] }), cause.isOfMachine {
      throw PipelineError(MachineFault(cause, at: path))
    }
    throw PipelineError(
      .badData, "this file of the plan is damaged or missing. Make the plan again.",
      at: DocumentPlace(file: path.string))
  }

  // MARK: Writing

  /// Writes an artifact, then removes others until the total is within the budget.
  ///
  /// A failure is not an error; the first one is the ``note``. An artifact without enough room is
  /// skipped; once the system refuses to write, the run writes nothing more.
  /// - Complexity: O(bytes).
  package func store(_ key: ArtifactKey, _ writer: ArtifactWriter) {
    guard isEnabled, !isReadOnly, !run.content.withLock({ $0.isBroken }), let program = identity()
    else { return }
    do {
      try folder.create()
      guard hasRoom(for: writer.byteCount + ArtifactHeader.byteCount) else { return }
      try folder.write(key.fileName) { file in
        try write(writer, to: file, program: program)
      }
    } catch {
      fail("it cannot be written (\(error as? Errno ?? .ioError))")
      run.content.withLock { $0.isBroken = true }
      return
    }
    let used = run.content.withLock { content in
      content.used.insert(key.fileName)
      return content.used
    }
    if !isOfPlan { folder.prune(to: budget, keeping: used, program: program) }
  }

  /// Makes and writes an artifact while the run goes on; that of a plan at once.
  ///
  /// ``settle()`` waits for it, and so does reading one.
  package func storeMeanwhile(_ key: ArtifactKey, _ make: @escaping @Sendable () -> ArtifactWriter)
  {
    guard isEnabled, !isReadOnly else { return }
    if isOfPlan { return store(key, make()) }
    writing.submit { store(key, make()) }
  }

  /// Waits for the artifacts that are being written.
  package func settle() { writing.wait() }

  /// Whether an artifact fits beside those of this run, and leaves the disk to the archive.
  private func hasRoom(for bytes: Int) -> Bool {
    if isOfPlan { return true }
    let used = run.content.withLock { $0.used }
    if folder.bytes(of: used) > budget.bytes - bytes {
      fail(
        "this run's artifacts take more than \(ReportNumber.bytes(budget.bytes)) (--cache-size)")
      return false
    }
    if let free = folder.freeBytes, bytes > free / Self.freeShare {
      fail("there is too little room on its file system")
      return false
    }
    return true
  }

  private func fail(_ reason: String) {
    let note =
      isOfPlan
      ? reason
      : "the cache \(folder.path) is not complete: \(reason); later runs make anew what is missing."
    run.content.withLock { content in content.note = content.note ?? note }
  }

  /// Writes the body after a gap for the header, then the header.
  private func write(
    _ writer: ArtifactWriter, to file: FileDescriptor, program: String
  ) throws {
    var hash = SHA256()
    try file.writeAll([UInt8](repeating: 0, count: ArtifactHeader.byteCount))
    try writer.forEachPiece { piece in
      hash.update(bufferPointer: piece)
      try file.writeAll(piece)
    }
    let header = ArtifactHeader(
      bodyLength: writer.byteCount, bodyDigest: hash.finalize(), program: program)
    try file.writeAll(toAbsoluteOffset: 0, header.bytes)
  }
}
