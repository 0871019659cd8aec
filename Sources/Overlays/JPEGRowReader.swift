import CJPEG

/// The owner of a picture that libjpeg reads; every `longjmp` stays inside C.
///
/// The bytes remain the caller's and must outlive it. Rows come as they are stored
/// (``ImageOrientation``), and colour profiles are not applied.
struct JPEGRowReader: ~Copyable {
  let width: Int
  let height: Int

  /// The number of bytes per pixel: 1 for gray, 3 for red, green, blue.
  let channels: Int

  private let reader: OpaquePointer

  /// Checks the limits and reads everything before the pixels.
  init(_ bytes: UnsafeRawBufferPointer, limits: ImageLimits) throws {
    var bounds = cjpeg_limits(
      max_width: UInt32(clamping: limits.maxSide), max_height: UInt32(clamping: limits.maxSide),
      max_pixels: UInt64(clamping: limits.maxPixels),
      max_scratch_bytes: UInt64(clamping: limits.maxScratchBytes),
      max_scans: Int32(clamping: limits.maxScans))
    var info = cjpeg_info()
    var opened: OpaquePointer?
    try Self.call { message, capacity in
      cjpeg_open(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &bounds, &opened,
        &info, message, capacity)
    }
    guard let opened else { throw OverlayError(.noMemory, "there is no memory to read the JPEG.") }
    reader = opened
    (width, height) = (Int(info.width), Int(info.height))
    channels = Int(info.channels)
  }

  deinit {
    cjpeg_close(reader)
  }

  /// Reads the next row from the top, ``channels`` bytes per pixel.
  ///
  /// - Throws: ``OverlayError`` at the first fault; the last row also checks the rest of the file.
  mutating func readRow(into row: UnsafeMutableRawBufferPointer) throws {
    precondition(row.count >= width * channels)
    try Self.call { message, capacity in
      cjpeg_read_row(
        reader, row.baseAddress?.assumingMemoryBound(to: UInt8.self), message, capacity)
    }
  }

  /// Calls into C with a buffer for libjpeg's message and throws its error.
  private static func call(
    _ body: (UnsafeMutablePointer<CChar>?, Int) -> cjpeg_status
  ) throws {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 200) { text in
      let status = body(text.baseAddress, text.count)
      if status == CJPEG_OK { return }
      let reason = text.baseAddress.map { String(cString: $0) } ?? ""
      throw error(status, reason: reason)
    }
  }

  private static func error(_ status: cjpeg_status, reason: String) -> OverlayError {
    switch status {
    case CJPEG_TRUNCATED:
      OverlayError(.truncated, "the JPEG ends before its last row; copy the whole file again.")
    case CJPEG_NO_MEMORY:
      OverlayError(.noMemory, "there is no memory to read the JPEG.")
    case CJPEG_TOO_LARGE:
      OverlayError(.tooLarge, "the JPEG is too large: \(reason); cut or shrink it.")
    case CJPEG_UNSUPPORTED:
      OverlayError(
        .unsupported, "the JPEG cannot be used: \(reason); export it as 8-bit gray or RGB.")
    default:
      OverlayError(.corrupt, "the JPEG is damaged (\(reason)); copy or export it again.")
    }
  }
}
