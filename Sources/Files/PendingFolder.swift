import Foundation
import Platform
package import SystemPackage

/// A folder on its way: it is filled beside its place under a temporary name, and gets its own at the
/// end, so that a folder in its place is whole.
///
/// Files are only created, never opened, so nothing is written outside. What was not published is
/// removed with the object.
package final class PendingFolder {
  /// Where the folder will be.
  private let folder: FilePath

  /// Where it is filled.
  package let temporary: FilePath

  private var isPublished = false

  /// Makes the temporary folder.
  package init(_ folder: FilePath) throws(FileError) {
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

  /// Makes a folder in it, and those around that; they may be there.
  ///
  /// - Parameter path: relative, without `..`.
  package func makeFolder(_ path: FilePath) throws(FileError) {
    var place = temporary
    for name in path.components {
      place.append(name)
      if mkdir(place.string, 0o755) != 0, errno != EEXIST {
        throw FileError(Errno(rawValue: errno), doing: "create", path: place)
      }
    }
  }

  /// Writes a file into a folder that is there.
  ///
  /// - Parameter path: relative, without `..`; no file may have it.
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

  /// Writes a small file durably, into the place of one of that name: it is whole whenever it is there.
  ///
  /// - Parameter name: of a file in the folder itself.
  package func writeDurably(_ bytes: [UInt8], to name: String) throws(FileError) {
    let place = temporary.appending(name)
    do {
      try DurableFile.write(bytes, to: place)
    } catch {
      throw FileError(error, doing: "write", path: place)
    }
  }

  /// Gives the folder its name, where nothing or an empty folder may be.
  ///
  /// A folder that is replaced changes places with the new one in one step. Where the file system has
  /// no such step it is gone from its place for a moment; ``settle(_:)`` puts it back where a run died
  /// in that moment.
  ///
  /// - Parameters:
  ///   - replaces: whether also one that is not empty may be there.
  ///   - exchanges: whether both may change places; without, as on file systems that cannot.
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

  /// Ends the name of a folder that was moved aside.
  private static let asideMark = "-old"

  /// Settles what dead runs left that made the same folder: one that was moved aside and not replaced
  /// gets its name back, and all else goes.
  ///
  /// - Parameter isLocked: whether whoever calls this is the only one who makes that folder; without,
  ///   what belongs to a process that runs stays.
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
