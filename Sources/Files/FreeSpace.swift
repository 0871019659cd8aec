import Platform
package import SystemPackage

/// The free space of a file system.
package struct FreeSpace: Hashable, Sendable {
  /// The bytes that this process may still write.
  package let bytes: Int

  /// The id of the file system, the same for all folders that share the space.
  package let device: UInt64

  /// Creates the free space of a folder's file system; `nil` where it is unknown, as on some
  /// network file systems.
  package init?(_ folder: FilePath) {
    var status = statvfs()
    guard statvfs(folder.string, &status) == 0, status.f_blocks > 0,
      let folder = FileStatus(folder)
    else { return nil }
    let unit = Int(clamping: status.f_frsize > 0 ? status.f_frsize : status.f_bsize)
    let product = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: unit)
    bytes = product.overflow ? .max : product.partialValue
    device = folder.device
  }

  package init(bytes: Int, device: UInt64) {
    self.bytes = bytes
    self.device = device
  }
}
