import Definition
import Files
import Platform
import SystemPackage

/// The files of a cache folder: writes each completely or not at all, and removes unwanted ones.
///
/// Any number of processes may use one folder. Each writes under a unique name and renames, so a
/// name leads to a complete artifact or to none; a file that one process removes while another
/// reads it stays until it is closed.
struct ArtifactFolder: Sendable {
  /// The path, `…/.quadrille-cache/artifacts`.
  let path: FilePath

  /// The prefix, before the process id, of the name of a file that is being written.
  private static let temporaryPrefix = ".artifact.tmp-"

  /// The maximum number of artifacts in a folder. Years of small builds would leave hundreds of
  /// thousands within any budget of bytes, and every run opens each of them.
  static let fileLimit = 4096

  /// An artifact of the folder.
  struct Entry: Hashable {
    var name: String
    var bytes: Int
    /// The time of the last use: seconds and nanoseconds since 1970.
    var seconds: Int
    var nanoseconds: Int
  }

  // MARK: Writing

  /// Creates the folder and its parent; not the archive's own folder, which the user creates.
  func create() throws(Errno) {
    for folder in [path.removingLastComponent(), path]
    where mkdir(folder.string, 0o755) != 0 && errno != EEXIST {
      throw Errno(rawValue: errno)
    }
  }

  /// The bytes available in the folder's file system; `nil` where it does not report them.
  var freeBytes: Int? {
    FreeSpace(path)?.bytes
  }

  /// Writes a file of the folder under a temporary name, then renames it to its own.
  ///
  /// The folder is not synced to disk: after a crash of the machine a torn file is detected by its
  /// checksum.
  /// - Parameter body: writes the content.
  /// - Throws: `Errno`; then no file is left.
  func write(_ name: String, _ body: (FileDescriptor) throws -> Void) throws {
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = path.appending("\(Self.temporaryPrefix)\(getpid())-\(mark)")
    do {
      let file = try FileDescriptor.open(
        temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: DurableFile.publicPermissions)
      try file.closeAfter { try body(file) }
      guard rename(temporary.string, path.appending(name).string) == 0 else {
        throw Errno(rawValue: errno)
      }
    } catch {
      unlink(temporary.string)
      throw error
    }
  }

  /// Records that an artifact was used now, for ``prune(to:keeping:program:)``.
  func touch(_ name: String) {
    utimensat(AT_FDCWD, path.appending(name).string, nil, 0)
  }

  /// Whether there is a file of this name.
  func contains(_ name: String) -> Bool { entry(name) != nil }

  /// Removes a file, or the empty folder in its place.
  func remove(_ name: String) {
    let file = path.appending(name).string
    if unlink(file) != 0 { rmdir(file) }
  }

  // MARK: Pruning

  /// Returns the artifacts of the folder, least recently used first.
  func entries() -> [Entry] {
    names().filter(ArtifactKey.isFileName).compactMap(entry).sorted {
      ($0.seconds, $0.nanoseconds, $0.name) < ($1.seconds, $1.nanoseconds, $1.name)
    }
  }

  /// Removes the artifacts of other programs and the temporary files of dead processes, then the
  /// least recently used artifacts until the rest is within the budget and the limit.
  ///
  /// - Parameters:
  ///   - names: artifacts that always stay.
  ///   - limit: the maximum number of artifacts that stay, not counting those.
  /// - Complexity: O(*n* log *n*) in the files of the folder.
  func prune(
    to budget: CacheSize, keeping names: Set<String>, program: String, limit: Int = Self.fileLimit
  ) {
    StaleFiles.sweep(path, prefix: Self.temporaryPrefix)
    let mark = ArtifactHeader.mark(of: program)
    var rest: [Entry] = []
    for entry in entries() {
      if names.contains(entry.name) || self.mark(of: entry.name) == mark {
        rest.append(entry)
      } else {
        remove(entry.name)
      }
    }
    var total = rest.reduce(0) { $0 + $1.bytes }
    var count = rest.count
    for entry in rest
    where (total > budget.bytes || count > limit) && !names.contains(entry.name) {
      remove(entry.name)
      total -= entry.bytes
      count -= 1
    }
  }

  /// Returns the total size in bytes of some artifacts, as far as they exist.
  func bytes(of names: Set<String>) -> Int {
    names.reduce(0) { $0 + (entry($1)?.bytes ?? 0) }
  }

  /// Returns the mark of the program that made an artifact; `nil` for any other file.
  private func mark(of name: String) -> [UInt8]? {
    guard
      let file = try? FileDescriptor.open(
        path.appending(name), .readOnly, options: [.closeOnExec, .nonBlocking])
    else { return nil }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: ArtifactHeader.byteCount)
    let count = try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }
    guard count == bytes.count else { return nil }
    return bytes.withUnsafeBytes { ArtifactHeader($0)?.program }
  }

  private func entry(_ name: String) -> Entry? {
    var status = stat()
    guard lstat(path.appending(name).string, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Entry(
      name: name, bytes: Int(status.st_size), seconds: Int(time.tv_sec),
      nanoseconds: Int(time.tv_nsec))
  }

  private func names() -> [String] { FolderListing.names(in: path) }
}
