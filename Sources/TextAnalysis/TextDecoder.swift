import CICU

/// A decoder of text in one of the encodings that ICU knows, a run of bytes at a time.
package final class TextDecoder {
  private let decoder: OpaquePointer
  private let units = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 4096)
  /// The first half of a surrogate pair at the end of the last run.
  private var held: UInt16?

  /// Creates a decoder; `nil` for a name that ICU does not know.
  package init?(_ name: String) {
    guard !name.isEmpty, name.utf8.count <= 64,
      name.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
      let decoder = cicu_decoder_open(name)
    else { return nil }
    self.decoder = decoder
  }

  deinit {
    cicu_decoder_close(decoder)
    units.deallocate()
  }

  /// Decodes the bytes that follow those of the last call.
  ///
  /// - Parameters:
  ///   - isLast: whether these are the last bytes; an incomplete character at the end is then
  ///     invalid.
  ///   - take: receives whole characters as UTF-16; half of a surrogate pair stands for invalid
  ///     bytes.
  package func decode(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ take: (UnsafeBufferPointer<UInt16>) -> Void
  ) {
    var rest = bytes
    var isDone = false
    while !isDone {
      var count = 0
      if let held {
        units[0] = held
        count = 1
        self.held = nil
      }
      // ICU's lengths have 32 bits.
      let run = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 20))
      let endsRun = run.count == rest.count
      var (used, status) = (Int32(0), Int32(0))
      let written = run.withMemoryRebound(to: CChar.self) { run in
        cicu_decoder_decode(
          decoder, run.baseAddress, Int32(run.count), isLast && endsRun,
          units.baseAddress.map { $0 + count }, Int32(units.count - count), &used, &status)
      }
      count += Int(written)
      rest = UnsafeRawBufferPointer(rebasing: rest[Int(used)...])
      let isFull = count == units.count
      isDone = status != 0 || rest.isEmpty && !isFull
      if let last = count > 0 ? units[count - 1] : nil, last & 0xFC00 == 0xD800, !(isDone && isLast)
      {
        held = last
        count -= 1
      }
      take(UnsafeBufferPointer(rebasing: units[..<count]))
    }
  }

  /// Returns the likely encodings of a text by ICU's names, each with its confidence, 0 to 100; the
  /// likeliest first.
  package static func likely(_ text: [UInt8]) -> [(name: String, confidence: Int)] {
    var found = [cicu_encoding](repeating: cicu_encoding(), count: 16)
    let count = text.withUnsafeBytes { text in
      text.withMemoryRebound(to: CChar.self) { text in
        cicu_detect(text.baseAddress, Int32(clamping: text.count), &found, Int32(found.count))
      }
    }
    return found.prefix(Int(count)).map { match in
      let name = withUnsafeBytes(of: match.name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      return (name, Int(match.confidence))
    }
  }
}
