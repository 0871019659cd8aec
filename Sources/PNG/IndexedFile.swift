import CDeflate
import Platform

/// The common beginning of every tile with one palette: signature, IHDR, PLTE, tRNS, the start of
/// IDAT with the zlib header and the header of the single deflate block.
struct IndexedFileBeginning: Sendable {
  /// All whole bytes; the length of the IDAT chunk is still zero.
  let bytes: ContiguousArray<UInt8>

  /// The offset of the IDAT chunk's data; its type and length take the 8 bytes before.
  let dataOffset: Int

  /// Signature, IHDR, PLTE and tRNS for files that use only the first n + 1 entries of the
  /// palette. Most tiles have few of the colours, and an entry takes 3 or 4 bytes.
  private let heads: [ContiguousArray<UInt8>]

  private let width: Int
  private let height: Int
  private let palette: [UInt32]

  /// Everything that determines the beginning of a file: its bytes, and the bits after them.
  var identity: [UInt8] { Array(bytes) + [pending, UInt8(truncatingIfNeeded: pendingCount)] }

  /// The block header's last bits, fewer than 8.
  private let pending: UInt8
  private let pendingCount: Int

  init(width: Int, height: Int, palette: [UInt32], blockHeader: BitString) {
    var count = 0
    var offset = 0
    var last: UInt8 = 0
    let capacity =
      PNGChunkWriter.maximumOverhead + 2 + blockHeader.words.count * 8 + BitWriter.slack
    let all = ContiguousArray<UInt8>(unsafeUninitializedCapacity: capacity) { memory, used in
      let memory = UnsafeMutableRawBufferPointer(memory)
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      var file = PNGChunkWriter(memory)
      let layout = PNGLayout(colorType: .palette, bitDepth: 8)
      file.appendHeader(width: width, height: height, layout: layout)
      palette.withUnsafeBufferPointer { file.appendPalette($0) }
      PNGChunkWriter.store(PNGChunkWriter.Chunk.data.rawValue, at: file.count + 4, in: memory)
      offset = file.count + 8
      // RFC 1950: deflate with a window of 32 KiB, and a multiple of 31 in all.
      (memory[offset], memory[offset + 1]) = (0x78, 0x01)
      if let start = memory.baseAddress {
        var writer = BitWriter(start + offset + 2)
        writer.put(blockHeader)
        _ = writer.finish()
      }
      count = offset + 2 + blockHeader.bitCount / 8
      last = memory[count]
      used = capacity
    }
    bytes = ContiguousArray(all[0..<count])
    dataOffset = offset
    pending = last
    pendingCount = blockHeader.bitCount % 8
    self.width = width
    self.height = height
    self.palette = palette
    heads = palette.indices.map { last in
      Self.head(width: width, height: height, palette: palette[...last])
    }
  }

  private static func head(width: Int, height: Int, palette: ArraySlice<UInt32>)
    -> ContiguousArray<UInt8>
  {
    let capacity = PNGChunkWriter.maximumOverhead
    return ContiguousArray(unsafeUninitializedCapacity: capacity) { memory, used in
      var file = PNGChunkWriter(UnsafeMutableRawBufferPointer(memory))
      file.appendHeader(
        width: width, height: height, layout: PNGLayout(colorType: .palette, bitDepth: 8))
      palette.withUnsafeBufferPointer { file.appendPalette($0) }
      used = file.count
    }
  }

  /// Shortens the palette of a file begun by ``copy(to:)`` to the entries up to the largest index.
  ///
  /// - Parameter extras: the colours of this file alone, whose indexes follow those of the palette.
  /// - Returns: the file's new length.
  /// - Complexity: O(length).
  @inline(__always)
  func fitPalette(
    of start: UnsafeMutableRawPointer, length: Int, largest: UInt8, extras: [UInt32]
  ) -> Int {
    let head =
      extras.isEmpty
      ? heads[Int(largest)]
      : Self.head(width: width, height: height, palette: (palette + extras)[...Int(largest)])
    let whole = dataOffset - 8
    return head.withUnsafeBytes { head in
      guard head.count != whole, let from = head.baseAddress else { return length }
      memmove(start + head.count, start + whole, length - whole)
      memcpy(start, from, head.count)
      return length - whole + head.count
    }
  }

  /// Copies the beginning and returns a writer after its last bit.
  @inline(__always)
  func copy(to start: UnsafeMutableRawPointer) -> BitWriter {
    bytes.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyMemory(from: bytes)
    }
    return BitWriter(start + bytes.count, pending: pending, count: pendingCount)
  }
}

/// The bytes after the deflate block: Adler-32 and the chunk's CRC-32, and the IEND chunk.
enum IndexedFileEnd {
  static let size = 4 + 4 + 12

  /// Completes the file and returns the address after it.
  ///
  /// - Parameters:
  ///   - end: the address after the deflate block.
  ///   - data: the address of the IDAT chunk's data.
  ///   - adler32: the checksum of the uncompressed bytes of the block.
  @inline(__always)
  static func write(
    at end: UnsafeMutableRawPointer, data: UnsafeMutableRawPointer, adler32: UInt32
  ) -> UnsafeMutableRawPointer {
    end.storeBytes(of: adler32.bigEndian, as: UInt32.self)
    let length = end + 4 - data
    (data - 8).storeBytes(of: UInt32(truncatingIfNeeded: length).bigEndian, as: UInt32.self)
    let checksum = UInt32(truncatingIfNeeded: libdeflate_crc32(0, data - 4, length + 4))
    (end + 4).storeBytes(of: checksum.bigEndian, as: UInt32.self)
    // A length of zero, IEND, and the CRC-32 of these four letters.
    (end + 8).storeBytes(of: UInt64(0x4945_4E44).bigEndian, as: UInt64.self)
    (end + 16).storeBytes(of: UInt32(0xAE42_6082).bigEndian, as: UInt32.self)
    return end + size
  }
}
