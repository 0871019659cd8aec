import CDeflate

/// Packed files for tests, made without other programs.
package enum PackedSample {
  /// Returns one gzip member (RFC 1952).
  ///
  /// - Parameter name: the original name in its header; `nil` for none.
  package static func gzip(_ bytes: [UInt8], name: String? = nil) -> [UInt8] {
    let flags: UInt8 = name == nil ? 0 : 8
    var member: [UInt8] = [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 255]
    if let name { member += Array(name.utf8) + [0] }
    member += deflate(bytes)
    return member + little(crc(bytes), 4) + little(UInt32(truncatingIfNeeded: bytes.count), 4)
  }

  /// Returns one frame of Zstandard (RFC 8878) of blocks that are not compressed.
  package static func zstd(_ bytes: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + little(UInt32(bytes.count), 4)
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(100_000)
      rest = rest.dropFirst(100_000)
      frame += little(UInt32(block.count) << 3 | (rest.isEmpty ? 1 : 0), 3) + block
    } while !rest.isEmpty
    return frame
  }

  /// The bytes of ``bzip2``'s content.
  package static let bzip2Text = "lng,lat,name\n8.5,47.4,Zürich\n2.35,48.86,Paris\n"

  /// A bzip2 file of ``bzip2Text``.
  package static let bzip2: [UInt8] = [
    0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0xAF, 0x74, 0x2E, 0x22,
    0x00, 0x00, 0x12, 0xDB, 0x8C, 0x00, 0x10, 0x00, 0x05, 0x1F, 0xC0, 0x40, 0x10, 0x2A,
    0xE7, 0x1C, 0x00, 0x00, 0x04, 0x08, 0x00, 0x20, 0x00, 0x21, 0xAA, 0x7A, 0x8F, 0x48,
    0x79, 0x27, 0xA4, 0xD3, 0x26, 0xCA, 0x68, 0x50, 0x00, 0x00, 0x64, 0xC8, 0xAF, 0x6E,
    0x81, 0x57, 0xC8, 0x9B, 0x50, 0x4D, 0x83, 0x02, 0xA1, 0xA4, 0x88, 0xE4, 0x1E, 0xB8,
    0xC3, 0x9B, 0xC0, 0xE1, 0x63, 0x5E, 0x7E, 0xD9, 0x0B, 0x39, 0xFC, 0x5D, 0xC9, 0x14,
    0xE1, 0x42, 0x42, 0xBD, 0xD0, 0xB8, 0x88,
  ]

  /// A member of a zip file; what is said of it may be wrong.
  package struct Member {
    package var name: String
    package var bytes: [UInt8]
    package var isStored = false
    /// The number of the method; `nil` for the true one.
    package var method: Int?
    package var flags = 0x0800
    /// The size of the content; `nil` for the true one.
    package var size: Int?
    /// The checksum; `nil` for the true one.
    package var checksum: UInt32?
    /// The place of its header; `nil` for the true one.
    package var offset: Int?

    package init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Returns a zip file (PKWARE's APPNOTE).
  ///
  /// - Parameter isWide: whether sizes and places have 64 bits.
  package static func zip(
    _ members: [Member], comment: String = "", isWide: Bool = false
  ) -> [UInt8] {
    var file: [UInt8] = []
    var list: [UInt8] = []
    for member in members {
      let packed = member.isStored ? member.bytes : deflate(member.bytes)
      let method = member.method ?? (member.isStored ? 0 : 8)
      let (name, size) = (Array(member.name.utf8), member.size ?? member.bytes.count)
      let checksum = member.checksum ?? crc(member.bytes)
      let offset = member.offset ?? file.count
      let common =
        little(45, 2) + little(member.flags, 2) + little(method, 2) + little(0, 4)
        + little(checksum, 4)
      file +=
        [0x50, 0x4B, 3, 4] + common + little(packed.count, 4) + little(size, 4)
        + little(name.count, 2) + little(0, 2) + name + packed
      let unset = 0xFFFF_FFFF
      let wide =
        isWide
        ? little(1, 2) + little(24, 2) + little(size, 8) + little(packed.count, 8)
          + little(offset, 8) : []
      list += [0x50, 0x4B, 1, 2] + little(45, 2) + common
      list += little(isWide ? unset : packed.count, 4) + little(isWide ? unset : size, 4)
      list += little(name.count, 2) + little(wide.count, 2) + little(0, 2) + little(0, 2)
      list += little(0, 2) + little(0, 4) + little(isWide ? unset : offset, 4) + name + wide
    }
    return file + list + end(list.count, at: file.count, members.count, comment, isWide)
  }

  /// Returns what stands behind the list of members.
  private static func end(
    _ size: Int, at offset: Int, _ count: Int, _ comment: String, _ isWide: Bool
  ) -> [UInt8] {
    var end: [UInt8] = []
    if isWide {
      end += [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8)
      end += little(count, 8) + little(count, 8) + little(size, 8) + little(offset, 8)
      end += [0x50, 0x4B, 6, 7] + little(0, 4) + little(offset + size, 8) + little(1, 4)
    }
    let unset = 0xFFFF_FFFF
    end += [0x50, 0x4B, 5, 6] + little(0, 4) + little(isWide ? 0xFFFF : count, 2)
    end += little(isWide ? 0xFFFF : count, 2) + little(isWide ? unset : size, 4)
    return end + little(isWide ? unset : offset, 4) + little(comment.utf8.count, 2) + comment.utf8
  }

  private static func little(_ value: some BinaryInteger, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
  }

  /// Returns a zlib stream (RFC 1950).
  package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let sum = bytes.withUnsafeBytes { libdeflate_adler32(1, $0.baseAddress, $0.count) }
    return [0x78, 0x9C] + deflate(bytes) + little(sum, 4).reversed()
  }

  /// Returns a bare deflate stream.
  package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    let compressor = libdeflate_alloc_compressor(6)
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_deflate_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      count = bytes.withUnsafeBytes {
        libdeflate_deflate_compress(compressor, $0.baseAddress, $0.count, output.baseAddress, bound)
      }
    }
  }
}
