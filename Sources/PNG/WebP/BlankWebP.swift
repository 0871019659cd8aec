/// A transparent picture as lossless WebP: no transforms, and codes that have one symbol each.
package enum BlankWebP {
  /// Returns the file, of 34 bytes.
  ///
  /// - Parameters:
  ///   - width: 1 … 16384 pixels.
  ///   - height: 1 … 16384 pixels.
  package static func bytes(width: Int, height: Int) -> [UInt8] {
    precondition((1...16384).contains(width) && (1...16384).contains(height))
    let capacity = IndexedWebPBeginning.containerSize + 16 + BitWriter.slack
    return Array(unsafeUninitializedCapacity: capacity) { memory, count in
      guard let start = UnsafeMutableRawPointer(memory.baseAddress) else { return }
      var writer = BitWriter(start + IndexedWebPBeginning.containerSize)
      IndexedWebPBeginning.putSize(width, height, isOpaque: false, into: &writer)
      writer.put(0, count: 3)  // no transform, no colour cache, one group of codes
      for _ in 0..<5 { WebPPrefixCode.writeSingle(0, into: &writer) }
      count = IndexedWebPBeginning.finish(from: start, to: writer.finish())
    }
  }
}
