import Features

/// A ``ByteSource`` as UTF-8 text: the byte order mark is gone and other encodings are translated.
///
/// The same contract as a byte source: ``buffer`` dies with the next ``fill(keeping:)`` and has
/// ``ByteSource/padding`` readable zeros behind it. UTF-8 passes through uncopied and unchecked.
final class TextSource {
  private let source: ByteSource
  private let requested: TextEncoding
  private var transcoder: TextTranscoder?
  private var hasBegun = false
  private var rawIsAtEnd = false

  /// Raw bytes at the end of the source's buffer that are not translated yet.
  private var rawTail = 0
  private var storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// The valid UTF-8 (if the file keeps its promise).
  private(set) var buffer = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ source: ByteSource, encoding: TextEncoding) {
    self.source = source
    requested = encoding
  }

  deinit { storage.deallocate() }

  var name: String { source.name }

  /// What the file is read as, by its mark if it has one.
  var encoding: TextEncoding { transcoder?.encoding ?? .utf8 }

  /// Bytes of the file, before translation.
  var bytesRead: Int { source.bytesRead }

  /// Bytes of the whole file, `nil` for streams.
  var byteCount: Int? { source.byteCount }

  /// Keeps the last `tail` bytes of the buffer and reads on.
  ///
  /// - Returns: the number of new bytes behind the tail; 0 at the end.
  func fill(keeping tail: Int) throws(SourceError) -> Int {
    if !hasBegun { return try begin() }
    guard let transcoder else {
      let added = try source.fill(keeping: tail)
      buffer = source.buffer
      return added
    }
    guard !rawIsAtEnd else {
      buffer = UnsafeRawBufferPointer(rebasing: buffer[(buffer.count - tail)...])
      return 0
    }
    var added = 0
    while added == 0, !rawIsAtEnd {
      rawIsAtEnd = try source.fill(keeping: rawTail) == 0
      added = translate(source.buffer, with: transcoder, behind: tail)
    }
    return added
  }

  /// Reads the first bytes, decides on the encoding and skips the mark.
  private func begin() throws(SourceError) -> Int {
    hasBegun = true
    while source.buffer.count < 3, !rawIsAtEnd {
      rawIsAtEnd = try source.fill(keeping: source.buffer.count) == 0
    }
    let (encoding, mark) = requested.detected(by: source.buffer)
    let text = UnsafeRawBufferPointer(rebasing: source.buffer[mark...])
    if encoding == .utf8 {
      buffer = text
    } else {
      let transcoder = TextTranscoder(encoding: encoding)
      self.transcoder = transcoder
      _ = translate(text, with: transcoder, behind: 0)
    }
    return buffer.isEmpty && !rawIsAtEnd ? try fill(keeping: 0) : buffer.count
  }

  /// Translates the input and puts it behind the tail of the own buffer.
  private func translate(
    _ input: UnsafeRawBufferPointer, with transcoder: TextTranscoder, behind tail: Int
  ) -> Int {
    makeRoom(for: input.count * TextTranscoder.growth, behind: tail)
    let room = UnsafeMutableRawBufferPointer(rebasing: storage[tail...])
    let (used, written) = transcoder.transcode(input, into: room, isLast: rawIsAtEnd)
    rawTail = input.count - used
    let end = tail + written
    buffer = UnsafeRawBufferPointer(rebasing: storage[..<end])
    UnsafeMutableRawBufferPointer(rebasing: storage[end..<(end + ByteSource.padding)])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return written
  }

  private func makeRoom(for count: Int, behind tail: Int) {
    let kept = UnsafeRawBufferPointer(rebasing: buffer[(buffer.count - tail)...])
    let needed = tail + count + ByteSource.padding
    if needed > storage.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(needed, 2 * storage.count), alignment: ByteSource.padding)
      larger.copyMemory(from: kept)
      storage.deallocate()
      storage = larger
    } else {
      storage.copyMemory(from: kept)
    }
  }
}
