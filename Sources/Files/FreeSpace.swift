import Platform
package import SystemPackage

/// The room that a file system has.
package struct FreeSpace: Hashable, Sendable {
  /// Bytes that this process may still write.
  package let bytes: Int

  /// The file system, the same for all folders that share the room.
  package let device: UInt64

  /// Of the file system of a folder; `nil` where it does not say, as some network ones do.
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
