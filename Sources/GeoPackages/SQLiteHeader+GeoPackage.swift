package import Files

extension SQLiteHeader {
  /// Application ids of GeoPackage: `GP10`, `GP11`, and `GPKG` since 1.2 (OGC 12-128r19,
  /// requirement 2).
  private static let geoPackages: Set<UInt32> = [0x4750_3130, 0x4750_3131, 0x4750_4B47]

  /// Whether the file declares itself a GeoPackage.
  package var isGeoPackage: Bool { Self.geoPackages.contains(applicationID) }

  /// Returns what is wrong with a file of this size under this header, or `nil`.
  func refusal(fileBytes: Int) -> String? {
    guard pageSize >= 512, pageSize <= 65_536, pageSize.nonzeroBitCount == 1 else {
      return "is damaged: its header says pages of \(pageSize) bytes"
    }
    if let pageCount, pageCount * pageSize > fileBytes {
      return "is cut off: it should have \(pageCount * pageSize) bytes and has \(fileBytes). "
        + "Copy or download it again."
    }
    return nil
  }
}
