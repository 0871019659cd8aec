/// The header of a member of a gzip file (RFC 1952, section 2.3), which is skipped: nothing in it
/// matters for the content.
enum GzipHeader {
  private static let check: UInt8 = 0x02
  private static let extra: UInt8 = 0x04
  private static let name: UInt8 = 0x08
  private static let comment: UInt8 = 0x10
  private static let reserved: UInt8 = 0xE0

  /// Maximum length of a name or comment in bytes.
  private static let textLimit = 1 << 16

  /// Moves past the header of the next member.
  ///
  /// - Returns: `false` where no member follows, only zeros, with which tapes and disks are padded.
  /// - Throws: ``UnpackFault`` for anything else.
  static func skip(_ bytes: PackedBytes, isFirst: Bool) throws(UnpackFault) -> Bool {
    if !isFirst {
      while true {
        try bytes.fill()
        guard let byte = bytes.available.first else { return false }
        guard byte == 0 else { break }
        bytes.consume(1)
      }
    }
    guard try bytes.next() == 0x1F, try bytes.next() == 0x8B else {
      throw UnpackFault("has bytes behind its packed data (gzip) that belong to no gzip file")
    }
    guard try bytes.next() == 8 else {
      throw UnpackFault("is packed by a method of gzip that is not deflate; unpack it by hand")
    }
    let flags = try bytes.next()
    guard flags & reserved == 0 else { throw .damaged(.gzip) }
    for _ in 0..<6 { _ = try bytes.next() }
    if flags & extra != 0 {
      for _ in 0..<(try bytes.number(bytes: 2)) { _ = try bytes.next() }
    }
    if flags & name != 0 { try skipText(bytes) }
    if flags & comment != 0 { try skipText(bytes) }
    if flags & check != 0 { _ = try bytes.number(bytes: 2) }
    return true
  }

  private static func skipText(_ bytes: PackedBytes) throws(UnpackFault) {
    for _ in 0..<textLimit where try bytes.next() == 0 { return }
    throw .damaged(.gzip)
  }
}
