package import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The contents of a folder.
package enum FolderListing {
  /// Returns the names in a folder in undefined order, including hidden ones; empty where it cannot
  /// be read.
  package static func names(in folder: FilePath) -> [String] {
    guard let listing = opendir(folder.string) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }
}
