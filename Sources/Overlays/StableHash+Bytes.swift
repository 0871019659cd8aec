package import Features

extension StableHash {
  /// Mixes bytes into the hash, eight at a time.
  package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    combine(bytes.count)
    let whole = bytes.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    for offset in whole..<bytes.count { combine(UInt64(bytes[offset])) }
  }
}
