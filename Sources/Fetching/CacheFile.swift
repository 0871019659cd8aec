import Files
import SystemPackage

/// The files of the cache: their failures count as failures of a fetch, and they belong to their
/// user alone, as bodies may be private.
enum CacheFile {
  static let permissions: FilePermissions = [.ownerReadWrite]

  /// Makes a folder, and those on the way.
  static func createFolder(_ path: FilePath) throws(FetchError) {
    do throws(FileError) {
      try DurableFile.createPrivateFolder(path)
    } catch {
      throw failure(error.action, error.path, error.cause)
    }
  }

  /// Writes a small text through a temporary file that takes the name at the end.
  static func write(_ text: String, to path: FilePath) throws(FetchError) {
    do throws(Errno) {
      try DurableFile.write(
        Array(text.utf8), to: path, permissions: permissions, isShared: true)
    } catch {
      throw failure("write", path, error)
    }
  }

  /// Makes a closed file durable and gives it its final name.
  static func publish(_ temporary: FilePath, as path: FilePath) throws(FetchError) {
    do throws(Errno) {
      try DurableFile.publish(temporary, as: path)
    } catch {
      throw failure("write", path, error)
    }
  }

  /// Locks one entry of the cache for changing it; waits until the lock is free.
  ///
  /// The lock's file stays, since removing it would only cost time.
  ///
  /// - Throws: ``FetchError/Code/cancelled`` if the run ends meanwhile.
  static func lock(
    _ path: FilePath, uri: String, _ surroundings: FetchSurroundings
  ) throws(FetchError) -> FileLock {
    do throws(FileLock.Refusal) {
      return try FileLock(
        path, permissions: permissions, keepsFile: true,
        patience: { !surroundings.isCancelled() })
    } catch {
      switch error {
      case .held: throw FetchError(.cancelled, uri: uri, "the run was ended.")
      case .cannotOpen(let cause), .cannotLock(let cause): throw failure("lock", path, cause)
      }
    }
  }

  /// Returns a system error as an error of the cache.
  static func failure(_ action: String, _ path: FilePath, _ cause: Errno?) -> FetchError {
    FetchError(
      .cache, uri: path.string,
      "cannot \(action)\(cause.map { ": \($0)" } ?? ""). Check the cache folder and the disk.")
  }
}
