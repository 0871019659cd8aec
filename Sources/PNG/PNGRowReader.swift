import CPNG

/// Owner of one picture being read by libpng; everything that can jump stays inside C.
///
/// The bytes given to it stay the caller's and must outlive it.
struct PNGRowReader: ~Copyable {
  let info: PNGInfo
  private let reader: OpaquePointer

  /// Checks the limits and reads everything before the pixels.
  init(_ bytes: UnsafeRawBufferPointer, limits: PNGLimits) throws {
    let info = try PNGInfo(bytes)
    try limits.check(info, fileSize: bytes.count)
    // libpng's own limits stand behind ours; a limit of a negative or huge number is clamped.
    var bounds = cpng_limits(
      max_width: UInt32(clamping: limits.maxWidth), max_height: UInt32(clamping: limits.maxHeight),
      max_chunk_bytes: max(limits.maxChunkBytes, 1),
      max_chunks: UInt32(clamping: max(limits.maxChunks, 1)))
    var opened: OpaquePointer?
    try Self.call { message, capacity in
      cpng_open(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &bounds, &opened,
        message, capacity)
    }
    guard let opened else { throw PNGError(.noMemory, "there is no memory to read the PNG.") }
    reader = opened
    self.info = info
  }

  deinit {
    cpng_close(reader)
  }

  /// Writes the next row from the top as straight RGBA, red in the lowest byte.
  ///
  /// - Throws: ``PNGError`` at the first fault; the last row also checks the rest of the file.
  mutating func readRow(into row: UnsafeMutableBufferPointer<UInt32>) throws {
    precondition(row.count >= info.width)
    try Self.call { message, capacity in
      cpng_read_row(reader, UnsafeMutableRawPointer(row.baseAddress), message, capacity)
    }
    #if _endian(big)
      for x in 0..<info.width { row[x] = row[x].byteSwapped }
    #endif
  }

  /// Calls into C with room for libpng's message and throws what comes back.
  private static func call(
    _ body: (UnsafeMutablePointer<CChar>?, Int) -> cpng_status
  ) throws {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 160) { text in
      let status = body(text.baseAddress, text.count)
      if status == CPNG_OK { return }
      let reason = text.baseAddress.map { String(cString: $0) } ?? ""
      switch status {
      case CPNG_TRUNCATED:
        throw PNGError(.truncated, "the PNG ends before its last row; copy the whole file again.")
      case CPNG_NO_MEMORY:
        throw PNGError(.noMemory, "there is no memory to read the PNG.")
      default:
        throw PNGError(.corrupt, "the PNG is damaged (\(reason)); copy or export it again.")
      }
    }
  }
}
