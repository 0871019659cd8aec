import CPNG

/// The owner of a picture that libpng reads; every `longjmp` stays inside C.
///
/// The bytes remain the caller's and must outlive it.
package struct PNGRowReader: ~Copyable {
  /// The content of the rows.
  package enum Format: Sendable {
    /// Straight RGBA, red in the lowest byte, whatever the file contains.
    case rgba

    /// The samples of a gray or palette picture as stored in the file: a byte each for depths below
    /// 16, otherwise 2 bytes in native byte order.
    case samples
  }

  package let info: PNGInfo
  private let reader: OpaquePointer

  /// Checks the limits and reads everything before the pixels.
  ///
  /// - Throws: ``PNGError``; also if samples are requested of a picture with several per pixel.
  package init(
    _ bytes: UnsafeRawBufferPointer, limits: PNGLimits, format: Format = .rgba
  ) throws {
    let info = try PNGInfo(bytes.assumingMemoryBound(to: UInt8.self).span)
    try limits.check(info, fileSize: bytes.count)
    // libpng's own limits back up ours; a negative or huge number is clamped.
    var bounds = cpng_limits(
      max_width: UInt32(clamping: limits.maxWidth), max_height: UInt32(clamping: limits.maxHeight),
      max_chunk_bytes: max(limits.maxChunkBytes, 1),
      max_chunks: UInt32(clamping: max(limits.maxChunks, 1)))
    var opened: OpaquePointer?
    try Self.call { message, capacity in
      cpng_open(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &bounds,
        format == .samples ? CPNG_SAMPLES : CPNG_RGBA, &opened, message, capacity)
    }
    guard let opened else { throw PNGError(.noMemory, "there is no memory to read the PNG.") }
    reader = opened
    self.info = info
  }

  deinit {
    cpng_close(reader)
  }

  /// Reads the next row from the top as straight RGBA, red in the lowest byte.
  ///
  /// - Throws: ``PNGError`` at the first fault; the last row also checks the rest of the file.
  package mutating func readRow(into row: UnsafeMutableBufferPointer<UInt32>) throws {
    precondition(row.count >= info.width && rowByteCount == info.width * 4)
    try Self.call { message, capacity in
      cpng_read_row(reader, UnsafeMutableRawPointer(row.baseAddress), message, capacity)
    }
    #if _endian(big)
      for x in 0..<info.width { row[x] = row[x].byteSwapped }
    #endif
  }

  /// The number of bytes of a row in the requested format.
  package var rowByteCount: Int { cpng_row_bytes(reader) }

  /// Whether a pixel may be less than opaque: an alpha channel or a tRNS chunk.
  package var hasAlpha: Bool { cpng_has_alpha(reader) != 0 }

  /// The 256 colours of a palette picture, straight RGBA; those missing in the file are opaque
  /// black.
  package var palette: [UInt32]? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    guard cpng_palette(reader, &bytes) > 0 else { return nil }
    return (0..<256).map { index in
      (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) }
    }
  }

  /// The number of colours of ``palette`` in the file; 0 without a palette.
  package var paletteCount: Int {
    var bytes = [UInt8](repeating: 0, count: 1024)
    return Int(cpng_palette(reader, &bytes))
  }

  /// The sample of a gray picture that a tRNS chunk makes transparent.
  package var transparentSample: Int? {
    let sample = cpng_transparent_sample(reader)
    return sample < 0 || info.colorType != .gray ? nil : Int(sample)
  }

  /// Reads the next row from the top as samples; see ``readRow(into:)``.
  package mutating func readSamples(into row: UnsafeMutableRawBufferPointer) throws {
    precondition(row.count >= rowByteCount)
    try Self.call { message, capacity in
      cpng_read_row(
        reader, row.baseAddress?.assumingMemoryBound(to: UInt8.self), message, capacity)
    }
  }

  /// Calls into C with a buffer for libpng's message and throws its error.
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
