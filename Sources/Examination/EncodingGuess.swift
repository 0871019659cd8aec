import Features
import Ingest

/// A guess at the encoding of a stretch of bytes, by what its bytes can and cannot be, and by the words
/// of lines that are no UTF-8.
struct EncodingGuess {
  private(set) var count = 0
  /// Zero bytes at even and odd offsets: the high halves of ASCII letters in UTF-16.
  private var zerosAtEven = 0
  private var zerosAtOdd = 0
  /// Lines that are no UTF-8, and their most bytes; a line counts up to a limit.
  private var sample: [UInt8] = []
  private static let sampleLimit = 32 << 10
  private static let lineLimit = 512
  /// The number of places that are malformed UTF-8.
  private(set) var invalid = 0
  /// The number of well-formed sequences of two or more bytes.
  private(set) var sequences = 0
  private var mark: TextEncoding?
  /// The bytes of a sequence that the end of a chunk cut.
  private var tail: [UInt8] = []
  /// The last bytes of a line that the end of a chunk cut, up to the limit of a line.
  private var lineHead: [UInt8] = []
  /// The number of bytes that the sample's last line may still get; above 0 if the end of a chunk cut it.
  private var lineRoom = 0

  /// Guesses the encoding of all bytes of a source.
  ///
  /// - Complexity: O(bytes), eight at a time where they are ASCII.
  static func guess(_ source: ByteSource) throws(SourceError) -> EncodingGuess {
    var guess = EncodingGuess()
    while try source.fill(keeping: 0) > 0 { guess.add(source.buffer) }
    guess.finish()
    return guess
  }

  /// Adds the bytes that follow.
  mutating func add(_ chunk: UnsafeRawBufferPointer) {
    if count == 0 { findMark(chunk) }
    countZeros(chunk)
    count += chunk.count
    tail = tail.isEmpty ? scan(chunk) : (tail + chunk).withUnsafeBytes { scan($0) }
  }

  /// Counts the sequence that the end of the file cut.
  mutating func finish() {
    if !tail.isEmpty {
      invalid += 1
      tail.withUnsafeBytes { _ = endLine(with: $0) }
    }
    tail = []
  }

  private mutating func findMark(_ head: UnsafeRawBufferPointer) {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { mark = .utf8 }
    if head.starts(with: [0xFF, 0xFE]) { mark = .utf16LittleEndian }
    if head.starts(with: [0xFE, 0xFF]) { mark = .utf16BigEndian }
  }

  private mutating func countZeros(_ chunk: UnsafeRawBufferPointer) {
    // A sample is enough, and zeros are rare elsewhere.
    guard count < 1 << 16 else { return }
    for (offset, byte) in chunk.prefix(1 << 16).enumerated() where byte == 0 {
      if (count + offset) & 1 == 0 { zerosAtEven += 1 } else { zerosAtOdd += 1 }
    }
  }

  /// Counts well-formed and malformed sequences.
  ///
  /// - Returns: the bytes at the end that may be the beginning of a sequence.
  private mutating func scan(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var end = bytes.count
    var back = 0
    while back < 3, end > 0, bytes[end - 1] & 0xC0 == 0x80 {
      end -= 1
      back += 1
    }
    let isLead = end > 0 && bytes[end - 1] >= 0xC2 && bytes[end - 1] < 0xF5
    let wanted = isLead ? Self.length(ofLead: bytes[end - 1]) : 0
    let limit = isLead && back + 1 < wanted ? end - 1 : bytes.count
    var index = 0
    var sampled = endLine(with: UnsafeRawBufferPointer(rebasing: bytes[..<limit]))
    while index < limit {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[index..<limit])
      let valid = UTF8Validation.firstInvalid(in: rest) ?? rest.count
      countSequences(UnsafeRawBufferPointer(rebasing: rest[..<valid]))
      index += valid
      guard index < limit else { break }
      invalid += 1
      if index >= sampled {
        sampled = addLine(
          around: index, of: UnsafeRawBufferPointer(rebasing: bytes[..<limit]))
      }
      index += 1
    }
    keepLineHead(UnsafeRawBufferPointer(rebasing: bytes[..<limit]))
    return Array(bytes[limit...])
  }

  /// Adds the line of a byte to the sample, with what earlier chunks had of it.
  ///
  /// - Returns: the end of the line.
  private mutating func addLine(around place: Int, of bytes: UnsafeRawBufferPointer) -> Int {
    guard sample.count < Self.sampleLimit else { return bytes.count }
    let before = bytes[max(0, place - Self.lineLimit)..<place]
    if let lineBreak = before.lastIndex(of: 10) {
      sample += bytes[(lineBreak + 1)..<place]
    } else {
      sample += (lineHead + before).suffix(Self.lineLimit)
    }
    lineRoom = Self.lineLimit
    return endLine(with: bytes, from: place)
  }

  /// Adds what follows of the sample's last line, if a part of it is missing.
  ///
  /// - Returns: the end of the line in the bytes.
  private mutating func endLine(with bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int {
    guard lineRoom > 0 else { return start }
    let rest = bytes[start...].prefix(lineRoom)
    let end = rest.firstIndex(of: 10) ?? rest.endIndex
    sample += rest[..<end]
    lineRoom = end < rest.endIndex ? 0 : lineRoom - rest.count
    if lineRoom == 0 { sample.append(10) }
    return end
  }

  /// Keeps the beginning of the line that the end of a chunk cuts.
  private mutating func keepLineHead(_ bytes: UnsafeRawBufferPointer) {
    let last = bytes.suffix(Self.lineLimit)
    if let lineBreak = last.lastIndex(of: 10) {
      lineHead = Array(last[(lineBreak + 1)...])
    } else {
      lineHead = Array((lineHead + last).suffix(Self.lineLimit))
    }
  }

  private mutating func countSequences(_ bytes: UnsafeRawBufferPointer) {
    guard !TextTraits.isASCII(bytes) else { return }
    for byte in bytes where byte >= 0xC0 { sequences += 1 }
  }

  private static func length(ofLead byte: UInt8) -> Int {
    byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
  }

  /// The likely encoding.
  var encoding: TextEncoding { unicode ?? legacy?.best.encoding ?? .latin1 }

  /// The likeliest encodings beside Unicode; `nil` for Unicode.
  var legacy: LegacyGuess? { unicode == nil ? LegacyGuess(sample) : nil }

  /// Whether the lines that are no UTF-8 mean nothing in an encoding.
  func isImpossible(_ encoding: TextEncoding) -> Bool {
    !sample.isEmpty && LegacyGuess.decoded(sample, encoding) == nil
  }

  /// The encoding if it is one of Unicode.
  private var unicode: TextEncoding? {
    if let mark { return mark }
    let sampled = min(count, 1 << 17)
    // A stray zero in a few bytes says nothing.
    guard zerosAtOdd + zerosAtEven != 1 else { return .utf8 }
    if zerosAtOdd * 5 > sampled, zerosAtOdd > 4 * zerosAtEven { return .utf16LittleEndian }
    if zerosAtEven * 5 > sampled, zerosAtEven > 4 * zerosAtOdd { return .utf16BigEndian }
    // Stray bytes in a UTF-8 file do not make it another encoding.
    return invalid == 0 || sequences > 2 * invalid ? .utf8 : nil
  }
}
