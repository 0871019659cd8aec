import CDeflate
package import SystemPackage

/// A writer of a ZIP archive entry by entry, by PKWARE's APPNOTE 6.3.10.
///
/// Times are 1 January 1980 and permissions those of plain files, so equal entries give equal
/// bytes. The ZIP64 records are written if 65,535 entries or 4 GiB do not suffice.
package struct ZipWriter {
  private let file: FileDescriptor
  private var directory: [UInt8] = []
  private var entries = 0

  /// The number of bytes written so far.
  private var offset = 0

  /// Midnight of 1 January 1980, the first day that the format supports: year − 1980, month, day.
  private static let date: UInt16 = 0 << 9 | 1 << 5 | 1
  private static let limit32 = 0xFFFF_FFFF
  private static let limit16 = 0xFFFF

  /// - Parameter file: the empty file, open for writing; stays open.
  package init(_ file: FileDescriptor) {
    self.file = file
  }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - name: a relative path of ASCII characters with `/`.
  ///   - bytes: the content, fewer than 4 GiB.
  ///   - compresses: whether to try compression; pictures are already compressed.
  package mutating func add(_ name: String, _ bytes: [UInt8], compresses: Bool) throws {
    let packed = compresses ? Self.deflated(bytes) : nil
    let data = packed ?? bytes
    let checksum = bytes.withUnsafeBytes {
      UInt32(truncatingIfNeeded: libdeflate_crc32(0, $0.baseAddress, $0.count))
    }
    var common: [UInt8] = []
    // Names are UTF-8 by flag 11.
    common.append16(1 << 11)
    common.append16(packed == nil ? 0 : 8)
    common.append16(0)
    common.append16(Self.date)
    common.append32(checksum)
    common.append32(UInt32(clamping: data.count))
    common.append32(UInt32(clamping: bytes.count))
    common.append16(UInt16(clamping: name.utf8.count))
    let isFar = offset >= Self.limit32
    let version: UInt16 = isFar ? 45 : 20

    directory.append32(0x0201_4B50)
    directory.append16(3 << 8 | version)  // 3: permissions as in Unix
    directory.append16(version)
    directory += common
    directory.append16(isFar ? 12 : 0)
    directory.append16(0)
    directory.append16(0)
    directory.append16(0)
    directory.append32(0o100644 << 16)
    directory.append32(UInt32(clamping: offset))
    directory += Array(name.utf8)
    if isFar {
      directory.append16(1)
      directory.append16(8)
      directory.append64(UInt64(offset))
    }
    entries += 1

    var header: [UInt8] = []
    header.append32(0x0403_4B50)
    header.append16(20)
    header += common
    header.append16(0)
    header += Array(name.utf8)
    try write(header)
    try write(data)
  }

  /// Writes the directory; nothing can be added afterwards.
  package mutating func finish() throws {
    let start = offset
    let size = directory.count
    try write(directory)
    if entries >= Self.limit16 || start >= Self.limit32 || size >= Self.limit32 {
      try write(Self.zip64End(entries: entries, size: size, start: start, at: offset))
    }
    var end: [UInt8] = []
    end.append32(0x0605_4B50)
    end.append16(0)
    end.append16(0)
    end.append16(UInt16(clamping: entries))
    end.append16(UInt16(clamping: entries))
    end.append32(UInt32(clamping: size))
    end.append32(UInt32(clamping: start))
    end.append16(0)
    try write(end)
  }

  /// Returns the ZIP64 end of the directory and the record that points to it.
  private static func zip64End(entries: Int, size: Int, start: Int, at place: Int) -> [UInt8] {
    var end: [UInt8] = []
    end.append32(0x0606_4B50)
    end.append64(44)
    end.append16(3 << 8 | 45)
    end.append16(45)
    end.append32(0)
    end.append32(0)
    end.append64(UInt64(entries))
    end.append64(UInt64(entries))
    end.append64(UInt64(size))
    end.append64(UInt64(start))
    end.append32(0x0706_4B50)
    end.append32(0)
    end.append64(UInt64(place))
    end.append32(1)
    return end
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    _ = try file.writeAll(bytes)
    offset += bytes.count
  }

  /// Returns the bytes as raw deflate, `nil` if that is not shorter.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard let compressor = libdeflate_alloc_compressor(9) else { return nil }
    defer { libdeflate_free_compressor(compressor) }
    var output = [UInt8](repeating: 0, count: bytes.count)
    let count = bytes.withUnsafeBytes { input in
      output.withUnsafeMutableBytes {
        libdeflate_deflate_compress(
          compressor, input.baseAddress, input.count, $0.baseAddress, $0.count)
      }
    }
    return count == 0 ? nil : Array(output[..<count])
  }
}

extension [UInt8] {
  fileprivate mutating func append16(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  fileprivate mutating func append32(_ value: UInt32) {
    append16(UInt16(truncatingIfNeeded: value))
    append16(UInt16(truncatingIfNeeded: value >> 16))
  }

  fileprivate mutating func append64(_ value: UInt64) {
    append32(UInt32(truncatingIfNeeded: value))
    append32(UInt32(truncatingIfNeeded: value >> 32))
  }
}
