import MBTiles
import Pipeline
import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files of an export on their way into a folder and a ZIP of the same content.
///
/// Both are made under temporary names and get theirs at the end, so that a folder in its place is
/// whole.
final class ExportFolder {
  private let folder: FilePath
  private let temporary: FilePath
  private let zip: FilePath
  private let temporaryZip: FilePath
  private let zipFile: FileDescriptor
  private var writer: ZipWriter
  private var made: Set<String> = []
  private var isDone = false

  /// How many files there are so far.
  private(set) var count = 0
  /// Their bytes.
  private(set) var bytes = 0

  /// - Throws: ``PipelineError`` where the folder is there and not empty, or cannot be made.
  init(_ path: String) throws(PipelineError) {
    folder = FilePath(path).lexicallyNormalized()
    guard folder.lastComponent != nil else {
      throw PipelineError(.usage, "--export: '\(path)' is no name of a folder.")
    }
    if let names = try? FolderNames.of(folder), !names.isEmpty {
      throw PipelineError(
        .cannotCreate,
        "the folder \(folder) is there and not empty. Remove it, or export to another one.")
    }
    temporary = DurableFile.temporary(for: folder)
    zip = FilePath("\(folder).zip")
    temporaryZip = DurableFile.temporary(for: zip)
    guard mkdir(temporary.string, 0o777) == 0 else {
      throw Self.failure(Errno(rawValue: errno), folder)
    }
    do {
      zipFile = try FileDescriptor.open(
        temporaryZip, .writeOnly, options: [.create, .truncate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      rmdir(temporary.string)
      throw Self.failure(error, zip)
    }
    writer = ZipWriter(zipFile)
  }

  deinit {
    try? zipFile.close()
    if isDone { return }
    unlink(temporaryZip.string)
    FolderNames.remove(temporary)
  }

  /// Adds a file.
  ///
  /// - Parameter name: a relative path of ASCII characters without `..`.
  func add(_ name: String, _ content: PreviewContent) throws(PipelineError) {
    let path = temporary.appending(FilePath(name).components)
    do {
      try makeFolders(of: name)
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      try file.closeAfter { _ = try file.writeAll(content.bytes) }
      try writer.add(name, content.bytes, compresses: content.kind != .png)
    } catch {
      throw Self.failure(error, folder)
    }
    count += 1
    bytes += content.bytes.count
  }

  /// Gives folder and ZIP their names.
  func finish() throws(PipelineError) {
    do {
      try writer.finish()
      try DurableFile.synchronize(temporaryZip)
      // An empty folder may be there, which a rename replaces.
      try DurableFile.rename(temporary, to: folder)
      isDone = true
      try DurableFile.rename(temporaryZip, to: zip)
      try DurableFile.synchronizeFolder(of: folder)
    } catch {
      throw Self.failure(error, folder)
    }
  }

  private func makeFolders(of name: String) throws {
    let parts = name.split(separator: "/").dropLast()
    guard !parts.isEmpty, !made.contains(parts.joined(separator: "/")) else { return }
    for end in 1...parts.count {
      let part = parts.prefix(end).joined(separator: "/")
      guard made.insert(part).inserted else { continue }
      guard mkdir(temporary.appending(FilePath(part).components).string, 0o777) == 0 else {
        throw Errno(rawValue: errno)
      }
    }
  }

  private static func failure(_ error: any Error, _ path: FilePath) -> PipelineError {
    let code: PipelineError.Code =
      switch error as? Errno {
      case .permissionDenied, .notPermitted: .permission
      case .noSpace, .ioError, .diskQuotaExceeded: .inputOutput
      default: .cannotCreate
      }
    return PipelineError(
      code, "the export \(path) cannot be written. Check its folder and the room on the disk.",
      cause: "\(error)")
  }
}
