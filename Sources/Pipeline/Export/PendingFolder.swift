import Foundation
package import MBTiles
package import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder on its way: it is filled beside its place under a temporary name, and renamed, so that a
/// folder in its place is whole.
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
  package init(_ folder: FilePath) throws(ArchiveError) {
    let temporary = DurableFile.temporary(for: folder)
    guard mkdir(temporary.string, 0o755) == 0 else {
      throw ArchiveError(Errno(rawValue: errno), doing: "create", path: temporary)
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
  package func makeFolder(_ path: FilePath) throws(ArchiveError) {
    var place = temporary
    for name in path.components {
      place.append(name)
      if mkdir(place.string, 0o755) != 0, errno != EEXIST {
        throw ArchiveError(Errno(rawValue: errno), doing: "create", path: place)
      }
    }
  }

  /// Writes a file into a folder that is there.
  ///
  /// - Parameter path: relative, without `..`; no file may have it.
  package func write(
    _ bytes: UnsafeRawBufferPointer, to path: FilePath
  ) throws(ArchiveError) {
    let place = temporary.appending(path.components)
    do {
      let file = try FileDescriptor.open(
        place, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "write", path: place)
    }
  }

  /// Gives the folder its name, where nothing or an empty folder may be.
  ///
  /// - Parameter replaces: whether also one that is not empty may be there; it is gone from its place
  ///   only for a moment.
  package func publish(replaces: Bool) throws(ArchiveError) {
    let old = DurableFile.temporary(for: folder, mark: "-old")
    let hasOld = replaces && FileStatus.exists(folder)
    do throws(Errno) {
      if hasOld { try DurableFile.rename(folder, to: old) }
      do throws(Errno) {
        try DurableFile.rename(temporary, to: folder)
      } catch {
        if hasOld { try? DurableFile.rename(old, to: folder) }
        throw error
      }
      isPublished = true
      try DurableFile.synchronizeFolder(of: folder)
    } catch {
      throw ArchiveError(error, doing: "create", path: folder)
    }
    if hasOld { Self.remove(old) }
  }

  private static func remove(_ folder: FilePath) {
    try? FileManager.default.removeItem(atPath: folder.string)
  }
}
