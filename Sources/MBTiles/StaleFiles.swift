import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The temporary files that dead builds of one archive left.
enum StaleFiles {
  /// Unlinks what begins with `prefix`, then has the number of a process that is gone (or of this
  /// one, which only now begins), then nothing or `-` and more.
  ///
  /// Failing to remove one is no error: it is in nobody's way.
  static func remove(prefix: String, in folder: FilePath) {
    guard let listing = opendir(folder.string) else { return }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    for name in names where isStale(name, prefix: prefix) {
      unlink(folder.appending(name).string)
    }
  }

  private static func isStale(_ name: String, prefix: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let rest = name.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let process = pid_t(digits), process > 0 else { return false }
    let tail = rest.dropFirst(digits.count)
    guard tail.isEmpty || tail.hasPrefix("-") else { return false }
    return process == getpid() || (kill(process, 0) != 0 && errno == ESRCH)
  }
}
