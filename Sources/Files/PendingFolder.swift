import Foundation
package import SystemPackage

/// A folder that appears complete or not at all: it is filled under a temporary name in the same
/// parent folder, and gets its own name at the end.
///
/// Files are only created, never opened, so nothing outside the folder is written. A folder that
/// was not published is removed with the object.
package final class PendingFolder {
  /// The final path of the folder.
  private let folder: FilePath

  /// The path at which it is filled.
  package let temporary: FilePath

  private var isPublished = false

  /// Creates the temporary folder, after settling what dead runs of the same folder left behind.
  ///
  /// - Parameter isLocked: as for ``settle(_:isLocked:)``.
  package init(_ folder: FilePath, isLocked: Bool = false) throws(FileError) {
    try Self.settle(folder, isLocked: isLocked)
    let temporary = DurableFile.temporary(for: folder)
    guard mkdir(temporary.string, 0o755) == 0 else {
      throw FileError(Errno(rawValue: errno), doing: "create", path: temporary)
    }
    self.folder = folder
    self.temporary = temporary
  }

  deinit {
    if !isPublished { Self.remove(temporary) }
  }

  /// Creates a folder in it, with the folders on its path; they may exist.
  ///
  /// - Parameter path: a relative path without `..`.
  package func makeFolder(_ path: FilePath) throws(FileError) {
    var place = temporary
    for name in path.components {
      place.append(name)
      if mkdir(place.string, 0o755) != 0, errno != EEXIST {
        throw FileError(Errno(rawValue: errno), doing: "create", path: place)
      }
    }
  }

  /// Writes a file into a folder that exists.
  ///
  /// - Parameter path: a relative path without `..`, which no file may have yet.
  package func write(
    _ bytes: UnsafeRawBufferPointer, to path: FilePath
  ) throws(FileError) {
    let place = temporary.appending(path.components)
    do {
      let file = try FileDescriptor.open(
        place, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
        permissions: DurableFile.publicPermissions)
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      throw FileError(error as? Errno ?? .ioError, doing: "write", path: place)
    }
  }

  /// Writes a small file durably, replacing one of the same name: whenever the file exists, it is
  /// complete.
  ///
  /// - Parameter name: the name of a file directly in the folder.
  package func writeDurably(_ bytes: [UInt8], to name: String) throws(FileError) {
    let place = temporary.appending(name)
    do {
      try DurableFile.write(bytes, to: place)
    } catch {
      throw FileError(error, doing: "write", path: place)
    }
  }

  /// Gives the folder its name, which nothing or only an empty folder may have.
  ///
  /// A folder that is replaced swaps names with the new one in one step. Where the file system
  /// lacks this step, it is missing from its place for a moment; ``settle(_:)`` restores it if a
  /// run died in that moment.
  ///
  /// - Parameters:
  ///   - replaces: whether a folder of that name may also be non-empty, and is replaced.
  ///   - exchanges: whether the two folders may be swapped; `false` behaves as on file systems that
  ///     cannot.
  package func publish(replaces: Bool, exchanges: Bool = true) throws(FileError) {
    var old: FilePath?
    do throws(Errno) {
      if replaces, FileStatus.exists(folder) {
        if exchanges, try DurableFile.exchange(temporary, with: folder) {
          old = temporary
        } else {
          let aside = DurableFile.temporary(for: folder, mark: Self.asideMark)
          try replace(by: aside)
          old = aside
        }
      } else {
        try DurableFile.rename(temporary, to: folder)
      }
      isPublished = true
      try DurableFile.synchronizeFolder(of: folder)
    } catch {
      throw FileError(error, doing: "create", path: folder)
    }
    if let old { Self.remove(old) }
  }

  /// Moves the folder aside and the new one into its place.
  private func replace(by aside: FilePath) throws(Errno) {
    try DurableFile.rename(folder, to: aside)
    do throws(Errno) {
      try DurableFile.rename(temporary, to: folder)
    } catch {
      try? DurableFile.rename(aside, to: folder)
      throw error
    }
  }

  /// The suffix of the name of a folder that was moved aside.
  private static let asideMark = "-old"

  /// Settles what dead runs of the same folder left behind: a folder that was moved aside and not
  /// replaced gets its name back, and everything else is removed.
  ///
  /// - Parameter isLocked: whether the caller is the only one that makes this folder; otherwise
  ///   files of a running process are kept.
  package static func settle(
    _ folder: FilePath, isLocked: Bool = true
  ) throws(FileError) {
    let left = StaleFiles.paths(besides: folder, isLocked: isLocked)
    if !FileStatus.exists(folder), let aside = left.first(where: { $0.string.hasSuffix(asideMark) })
    {
      do {
        try DurableFile.rename(aside, to: folder)
        try DurableFile.synchronizeFolder(of: folder)
      } catch {
        throw FileError(error, doing: "bring back", path: folder)
      }
    }
    for path in left where FileStatus.exists(path) { remove(path) }
  }

  private static func remove(_ folder: FilePath) {
    try? FileManager.default.removeItem(atPath: folder.string)
  }
}
