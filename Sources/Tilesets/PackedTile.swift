import PMTiles

/// Tiles as containers store them: as they are, or packed by gzip or zlib.
package enum PackedTile {
  /// Returns the unpacked bytes of a tile; `nil` if they are damaged or more than the limit.
  ///
  /// No vector tile and no picture begins as gzip or zlib do.
  package static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    bytes.withUnsafeBytes { packed in
      guard let wrapper = Gzip.Wrapper(packed) else { return bytes.count <= limit ? bytes : nil }
      return Gzip.decompress(packed, wrapper, limit: limit)
    }
  }
}
