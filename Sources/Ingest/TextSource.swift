import Features

/// A ``ByteSource`` as UTF-8 text: without the byte order mark, and with other encodings converted.
///
/// The contract is that of a byte source: ``buffer`` is valid until the next ``fill(keeping:)`` and
/// followed by ``ByteSource/padding`` readable zeros. UTF-8 passes through without being copied or
/// validated.
final class TextSource {
  private let source: ByteSource
  private let requested: TextEncoding
  private var transcoder: TextTranscoder?
  private var hasBegun = false
  private var rawIsAtEnd = false

  /// The number of raw bytes at the end of the source's buffer that are not converted yet.
  private var rawTail = 0
  private var storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// The text as UTF-8 (valid if the file is what it claims to be).
  private(set) var buffer = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ source: ByteSource, encoding: TextEncoding) {
    self.source = source
    requested = encoding
  }

  /// Creates a source of UTF-8 from somewhere after the beginning of a file.
  init(section source: ByteSource) {
    self.source = source
    requested = .utf8
    hasBegun = true
  }

  deinit { storage.deallocate() }

  var name: String { source.name }

  /// The encoding of the file, by its mark if it has one.
  var encoding: TextEncoding { transcoder?.encoding ?? .utf8 }

  /// The number of bytes of the file read, before conversion.
  var bytesRead: Int { source.bytesRead }

  /// The size of the whole file in bytes, `nil` for streams.
  var byteCount: Int? { source.byteCount }

  /// The bytes of the file at any position, where they are the text as it stands.
  var store: ByteStore? { transcoder == nil && hasBegun ? source.store : nil }

  /// The position in the file of the first byte of the buffer, where that is the text as it stands.
  var bufferStart: Int? { store == nil ? nil : bytesRead - buffer.count }

  /// The maximum number of bytes that the file gives per fill.
  var chunk: Int { source.chunk }

  /// Reads the first bytes of a section, exactly this many unless the file ends.
  func fillFirst(_ count: Int) throws(SourceError) {
    _ = try source.fill(keeping: 0, adding: count)
    buffer = source.buffer
  }

  /// Keeps the last `tail` bytes of the buffer and reads on.
  ///
  /// - Returns: the number of new bytes after the tail; 0 at the end.
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

  /// Converts the input and puts it after the tail of this source's own buffer.
  private func translate(
    _ input: UnsafeRawBufferPointer, with transcoder: TextTranscoder, behind tail: Int
  ) -> Int {
    makeRoom(for: input.count * transcoder.growth + TextTranscoder.slack, behind: tail)
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
