import Files
import Hashing
import Platform
package import SystemPackage

/// A cache folder with bodies by content and entries by resource; many processes may share it.
///
/// ```
/// bodies/ab/ab12…   a body, named by its SHA-256
/// entries/NAME.json the entry of a resource; NAME.partial an unfinished body; NAME.lock
/// key               random; separates resources whose addresses differ only in secrets
/// ```
/// A name is the SHA-256 of the address without secrets. If the request contains a secret, a keyed
/// hash of the whole request follows (HMAC, RFC 2104): without `key` it reveals nothing, and two
/// accounts or regions never get each other's bodies.
package struct FetchCache: Sendable {
  package let folder: FilePath

  package init(_ folder: FilePath) {
    self.folder = folder
  }

  /// Removes the temporary files that dead processes left in the cache of a folder, which need not
  /// exist.
  package static func removeLeftovers(in folder: FilePath) {
    for folder in [folder, folder.appending(entriesName)] {
      StaleFiles.sweep(folder, prefix: ".")
    }
  }

  private static let entriesName = "entries"

  /// The files of one resource.
  struct Files {
    let entry: FilePath
    let partial: FilePath
    let partialState: FilePath
    let lock: FilePath
  }

  /// Returns the names of a resource's files and creates the folders.
  func files(of resource: RemoteResource) throws(FetchError) -> Files {
    let entries = folder.appending(Self.entriesName)
    try CacheFile.createFolder(entries)
    try CacheFile.createFolder(folder.appending("bodies"))
    var name = Hexadecimal.text(SHA256.hash(data: Array(resource.uri.utf8)))
    if resource.address.revealed != resource.uri || !resource.headers.isEmpty {
      var sent = [resource.address.revealed]
      sent += resource.headers.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
      let code = SHA256.authenticationCode(
        for: Array(sent.joined(separator: "\n").utf8), key: try key())
      name += "-" + Hexadecimal.text(code.prefix(8))
    }
    return Files(
      entry: entries.appending("\(name).json"), partial: entries.appending("\(name).partial"),
      partialState: entries.appending("\(name).partial.json"),
      lock: entries.appending("\(name).lock"))
  }

  /// Returns the entry of a resource; a broken one counts as absent.
  func entry(_ files: Files) -> CacheEntry? {
    DurableFile.read(files.entry, limit: 1 << 16).flatMap { CacheEntry(json: $0) }
  }

  /// Returns the path of a body whose content has this digest; a corrupt one is removed.
  ///
  /// - Complexity: O(bytes): the body is read.
  func body(_ sha256: String) -> (path: FilePath, bytes: Int64)? {
    guard Hexadecimal.isDigest(sha256) else { return nil }
    let path = bodyPath(sha256)
    guard let digest = try? FileDigest(of: path) else { return nil }
    guard digest.sha256 == sha256 else {
      unlink(path.string)
      return nil
    }
    return (path, digest.bytes)
  }

  /// Moves a finished body to its final name.
  func store(_ partial: FilePath, sha256: String) throws(FetchError) -> FilePath {
    let path = bodyPath(sha256)
    try CacheFile.createFolder(path.removingLastComponent())
    try CacheFile.publish(partial, as: path)
    return path
  }

  /// Writes the entry of a resource.
  func store(_ entry: CacheEntry, _ files: Files) throws(FetchError) {
    try CacheFile.write(entry.json, to: files.entry)
  }

  /// Removes the entry of a resource and its body.
  func remove(_ resource: RemoteResource, _ file: FetchedFile) throws(FetchError) {
    unlink(try files(of: resource).entry.string)
    unlink(file.path)
  }

  private func bodyPath(_ sha256: String) -> FilePath {
    folder.appending("bodies").appending(String(sha256.prefix(2))).appending(sha256)
  }

  /// Returns the key of this cache; created once, by the first process that needs it.
  private func key() throws(FetchError) -> [UInt8] {
    let path = folder.appending("key")
    if let key = DurableFile.read(path, limit: 64), key.count == 64 { return key }
    var generator = SystemRandomNumberGenerator()
    let fresh = (0..<4).map { _ in generator.next() as UInt64 }
    let text = fresh.map { word in
      Hexadecimal.text(withUnsafeBytes(of: word.bigEndian) { Array($0) })
    }.joined()
    let mark = String(generator.next() as UInt64, radix: 36)
    let temporary = folder.appending(".key.tmp-\(getpid())-\(mark)")
    try CacheFile.write(text, to: temporary)
    defer { unlink(temporary.string) }
    // A link is only created if the name is free: the first key stays.
    if link(temporary.string, path.string) == 0 { return Array(text.utf8) }
    guard errno == EEXIST else {
      throw CacheFile.failure("write", path, Errno(rawValue: errno))
    }
    if let key = DurableFile.read(path, limit: 64), key.count == 64 { return key }
    throw CacheFile.failure("use the broken key", path, nil)
  }
}
