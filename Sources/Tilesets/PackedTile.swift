import PMTiles

/// Tiles as containers store them: plain, or compressed by gzip or zlib.
package enum PackedTile {
  /// Returns the uncompressed bytes of a tile; `nil` if they are damaged or exceed the limit.
  ///
  /// The first bytes decide: no vector tile and no picture begins as gzip or zlib do.
  package static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    bytes.withUnsafeBytes { packed in
      guard let wrapper = Gzip.Wrapper(packed) else { return bytes.count <= limit ? bytes : nil }
      return Gzip.decompress(packed, wrapper, limit: limit)
    }
  }
}
