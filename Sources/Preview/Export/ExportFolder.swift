import Files
import Platform
import Runs
import SystemPackage

/// The files of an export, written into a folder and a ZIP with the same content.
///
/// Both are created under temporary names and renamed at the end, so that a folder in its place is
/// complete.
final class ExportFolder {
  private let folder: FilePath
  private let pending: PendingFolder
  private let zip: FilePath
  private let temporaryZip: FilePath
  private let zipFile: FileDescriptor
  private var writer: ZipWriter
  private var hasZip = false

  /// The number of files so far.
  private(set) var count = 0
  /// The total bytes of the files.
  private(set) var bytes = 0

  /// - Throws: ``PipelineError`` if the folder exists and is not empty, or cannot be created.
  init(_ path: String) throws(PipelineError) {
    folder = FilePath(path).lexicallyNormalized()
    guard folder.lastComponent != nil else {
      throw PipelineError(.usage, "--export: '\(path)' is no name of a folder.")
    }
    zip = FilePath("\(folder).zip")
    do {
      try PendingFolder.settle(folder, isLocked: false)
    } catch {
      throw Self.failure(error, folder)
    }
    StaleFiles.remove(besides: zip, isLocked: false)
    guard FolderListing.names(in: folder).isEmpty else {
      throw PipelineError(
        .cannotCreate,
        "the folder \(folder) is there and not empty. Remove it, or export to another one.")
    }
    temporaryZip = DurableFile.temporary(for: zip)
    do {
      pending = try PendingFolder(folder)
      zipFile = try FileDescriptor.open(
        temporaryZip, .writeOnly, options: [.create, .truncate, .closeOnExec],
        permissions: DurableFile.publicPermissions)
    } catch {
      throw Self.failure(error, folder)
    }
    writer = ZipWriter(zipFile)
  }

  deinit {
    try? zipFile.close()
    if !hasZip { unlink(temporaryZip.string) }
  }

  /// Adds a file.
  ///
  /// - Parameter name: a relative path of ASCII characters without `..`.
  func add(_ name: String, _ content: PreviewContent) throws(PipelineError) {
    let path = FilePath(name)
    do {
      try pending.makeFolder(path.removingLastComponent())
      try content.bytes.withUnsafeBytes { try pending.write($0, to: path) }
      try writer.add(name, content.bytes, compresses: !content.kind.isCompressed)
    } catch {
      throw Self.failure(error, folder)
    }
    count += 1
    bytes += content.bytes.count
  }

  /// Renames folder and ZIP to their final names.
  func finish() throws(PipelineError) {
    do {
      try writer.finish()
      try DurableFile.synchronize(temporaryZip)
      try pending.publish(replaces: false)
      try DurableFile.rename(temporaryZip, to: zip)
      hasZip = true
      try DurableFile.synchronizeFolder(of: folder)
    } catch {
      throw Self.failure(error, folder)
    }
  }

  private static func failure(_ error: any Error, _ path: FilePath) -> PipelineError {
    let cause: any Error = (error as? FileError)?.cause ?? error
    return PipelineError(
      (cause as? Errno).map { FailureCode($0, creating: .folder) } ?? .cannotCreate,
      "the export \(path) cannot be written. Check its folder and the room on the disk.",
      cause: "\(cause)")
  }
}
