import Definition
import Files
import Platform
import SystemPackage

/// The files of a cache folder: writes them whole or not at all, and removes what is not wanted.
///
/// Any number of processes may use one folder. Each writes under a name of its own and renames, so a
/// name leads to a whole artifact or to none; what one removes while another reads it stays until
/// it is closed.
struct ArtifactFolder: Sendable {
  /// `…/.quadrille-cache/artifacts`.
  let path: FilePath

  /// Before the number of the process in the name of a file that is being written.
  private static let temporaryPrefix = ".artifact.tmp-"

  /// Artifacts of a folder. Years of small builds would leave hundreds of thousands within any budget
  /// of bytes, each of which every run opens.
  static let fileLimit = 4096

  /// One artifact of the folder.
  struct Entry: Hashable {
    var name: String
    var bytes: Int
    /// When it was last used: seconds and nanoseconds since 1970.
    var seconds: Int
    var nanoseconds: Int
  }

  // MARK: Writing

  /// Makes the folder, and the one around it; not the archive's own, which is not ours to make.
  func create() throws(Errno) {
    for folder in [path.removingLastComponent(), path]
    where mkdir(folder.string, 0o755) != 0 && errno != EEXIST {
      throw Errno(rawValue: errno)
    }
  }

  /// Bytes that may be written to the folder's file system; `nil` where it does not tell.
  var freeBytes: Int? {
    FreeSpace(path)?.bytes
  }

  /// Writes a file of the folder under a temporary name, then gives it its own.
  ///
  /// The folder is not made durable: after a crash of the machine a torn file has another checksum.
  /// - Parameter body: writes the content.
  /// - Throws: `Errno`; nothing is left then.
  func write(_ name: String, _ body: (FileDescriptor) throws -> Void) throws {
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = path.appending("\(Self.temporaryPrefix)\(getpid())-\(mark)")
    do {
      let file = try FileDescriptor.open(
        temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      try file.closeAfter { try body(file) }
      guard rename(temporary.string, path.appending(name).string) == 0 else {
        throw Errno(rawValue: errno)
      }
    } catch {
      unlink(temporary.string)
      throw error
    }
  }

  /// Notes that an artifact was used now, for ``prune(to:keeping:program:)``.
  func touch(_ name: String) {
    utimensat(AT_FDCWD, path.appending(name).string, nil, 0)
  }

  /// Removes a file, or the empty folder that stands in its place.
  func remove(_ name: String) {
    let file = path.appending(name).string
    if unlink(file) != 0 { rmdir(file) }
  }

  // MARK: Pruning

  /// The artifacts of the folder, the one that was not used for longest first.
  func entries() -> [Entry] {
    names().filter(ArtifactKey.isFileName).compactMap(entry).sorted {
      ($0.seconds, $0.nanoseconds, $0.name) < ($1.seconds, $1.nanoseconds, $1.name)
    }
  }

  /// Removes artifacts of other programs and what dead processes left, then artifacts until the
  /// rest takes no more than the budget and is no more than the limit, that first which was not used
  /// for longest.
  ///
  /// - Parameters:
  ///   - names: artifacts that stay in any case.
  ///   - limit: how many artifacts stay at most, but for those.
  /// - Complexity: O(*n* log *n*) in the files of the folder.
  func prune(
    to budget: CacheSize, keeping names: Set<String>, program: String, limit: Int = Self.fileLimit
  ) {
    for name in self.names() where Self.isLeftOver(name) { remove(name) }
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

  /// The bytes of some artifacts, as far as they are there.
  func bytes(of names: Set<String>) -> Int {
    names.reduce(0) { $0 + (entry($1)?.bytes ?? 0) }
  }

  /// The program that made an artifact; `nil` for what is none.
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

  /// Whether a file is the temporary one of a process that is gone.
  private static func isLeftOver(_ name: String) -> Bool {
    guard name.hasPrefix(temporaryPrefix) else { return false }
    let digits = name.dropFirst(temporaryPrefix.count).prefix { $0 != "-" }
    guard let process = pid_t(digits), process > 0 else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
