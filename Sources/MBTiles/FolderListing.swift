import Platform
package import SystemPackage

/// What is in a folder.
package enum FolderListing {
  /// The names in a folder in no order, hidden ones too; none where it cannot be read.
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
