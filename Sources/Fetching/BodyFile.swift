import Files
import Foundation
import SystemPackage

/// A receiver of one response, which writes the partial file of a resource.
///
/// It checks the head against the request, counts, and checks the first bytes as soon as they
/// arrive, so that a wrong or endless response ends early.
final class BodyFile: AnswerSink {
  /// The number of bytes after which the received part is made durable, so that a killed run loses
  /// no more.
  static let checkpoint: Int64 = 16 << 20

  /// The known state of the partial file before the request.
  private(set) var resume: PartialState?

  private let files: FetchCache.Files
  private let check: ContentCheck
  private let limit: Int64
  private let file: FileDescriptor

  private var head: AnswerHead?
  private var validator: String?
  private(set) var bytes: Int64 = 0
  private(set) var opening: [UInt8] = []
  private var isOpeningChecked = false
  private var durableBytes: Int64 = 0

  /// Whether the request was conditional, so that 304 is a valid response.
  private let isConditional: Bool

  /// The bytes of the file that were requested; `nil` for the whole.
  private let part: FilePart?

  /// The number of bytes that the response announced, with those received before; `nil` if it
  /// did not.
  private var announced: Int64?

  /// Opens the partial file and truncates it to its durable part.
  init(
    _ files: FetchCache.Files, _ check: ContentCheck, limit: Int64, isConditional: Bool,
    part: FilePart? = nil
  ) throws(FetchError) {
    self.files = files
    self.check = check
    self.limit = limit
    self.isConditional = isConditional
    self.part = part
    do {
      file = try FileDescriptor.open(
        files.partial, .readWrite, options: [.create, .closeOnExec, .noFollow],
        permissions: CacheFile.permissions)
    } catch {
      throw CacheFile.failure("write", files.partial, error as? Errno)
    }
    let state = DurableFile.read(files.partialState, limit: 1 << 14).flatMap {
      PartialState(json: $0)
    }
    let length = (try? file.seek(offset: 0, from: .end)) ?? 0
    if let state, state.bytes <= length { resume = state }
  }

  deinit {
    try? file.close()
  }

  private var isBody: Bool { head?.hasFile == true }

  func begin(_ head: AnswerHead) throws(TransferFailure) {
    self.head = head
    (bytes, opening, isOpeningChecked, announced) = (0, [], false, nil)
    switch head.status {
    case 200 where part != nil, 203 where part != nil:
      if resume != nil { throw .restart("the server does not continue the transfer") }
      throw TransferFailure(
        .status,
        "the server sends whole files only, and a part was asked for. Download the file, and name it.",
        status: head.status)
    case 200, 203:
      try truncate(to: 0)
      resume = nil
      validator = head.isEncoded ? nil : CacheEntry.storable(head.rangeValidator, check.secrets)
      announced = head.length
      if let length = head.length, length > limit { throw tooLarge("\(length) bytes") }
    case 206:
      try continueBody(head)
    case 304 where !isConditional:
      throw TransferFailure(.status, "the server says that a copy is current which we do not have")
    case 416 where resume != nil:
      throw .restart("the server does not continue the transfer")
    default:
      break
    }
  }

  /// Accepts a requested part, or the rest of a body, only if it begins where ours ends and belongs
  /// to the same content.
  private func continueBody(_ head: AnswerHead) throws(TransferFailure) {
    guard resume != nil || part != nil else {
      throw TransferFailure(.wrongContent, "the server sends a part, and the whole was asked for")
    }
    if let version = part?.version, !isSame(head, version) { throw .changed }
    let (first, begun) = (part?.bytes.lowerBound ?? 0, resume?.bytes ?? 0)
    guard let range = head.range, range.start == first + begun,
      range.end == min(part?.bytes.upperBound ?? .max, range.total) - 1, !head.isEncoded,
      resume.map({ isSame(head, $0.validator) }) ?? true
    else { throw .restart("the server sends another part than was asked for") }
    let whole = range.end + 1 - first
    if whole > limit { throw tooLarge("\(whole) bytes") }
    try truncate(to: begun)
    validator = resume?.validator ?? CacheEntry.storable(head.rangeValidator, check.secrets)
    (bytes, durableBytes, announced) = (begun, begun, whole)
    opening = read(from: 0, count: ContentCheck.openingLength)
  }

  /// Whether the head belongs to the content of a validator, as far as it says so.
  private func isSame(_ head: AnswerHead, _ validator: String) -> Bool {
    let told = validator.hasPrefix("\"") ? head.etag : head.lastModified
    return told == nil || told == validator
  }

  func append(_ piece: UnsafeRawBufferPointer) throws(TransferFailure) {
    guard isBody else {
      let room = ContentCheck.openingLength - opening.count
      opening += piece.prefix(room)
      return
    }
    bytes += Int64(piece.count)
    if bytes > limit { throw tooLarge("more than \(limit) bytes") }
    opening += piece.prefix(max(0, ContentCheck.openingLength - opening.count))
    if !isOpeningChecked, opening.count >= ContentCheck.openingLength { try checkOpening() }
    do {
      try file.writeAll(piece)
    } catch {
      throw TransferFailure(
        .cache, "cannot write \(files.partial)\((error as? Errno).map { ": \($0)" } ?? "")")
    }
    if bytes - durableBytes >= Self.checkpoint { keep() }
  }

  /// Checks a body that is complete.
  func finish(_ head: AnswerHead) throws(TransferFailure) {
    if !isOpeningChecked { try checkOpening() }
    if let total = announced, total != bytes {
      throw TransferFailure(
        .connection, "the answer has \(bytes) bytes, but \(total) were announced",
        isTransient: true)
    }
    let end = read(
      from: max(0, bytes - Int64(ContentCheck.endLength)), count: ContentCheck.endLength)
    if let fault = check.faultOfEnd(end, opening: opening, count: bytes) {
      throw TransferFailure(.wrongContent, fault)
    }
  }

  /// The first words of an error response.
  var words: String { check.firstWords(opening) }

  /// Makes the received part durable, so that the next attempt or run can resume from it.
  func keep() {
    guard isBody, let validator, bytes > 0, fsync(file.rawValue) == 0 else { return }
    let state = PartialState(validator: validator, bytes: bytes)
    // Being unable to resume is not a failure.
    guard (try? CacheFile.write(state.json, to: files.partialState)) != nil else { return }
    durableBytes = bytes
  }

  /// Discards the received part.
  func discard() {
    unlink(files.partial.string)
    unlink(files.partialState.string)
  }

  private func checkOpening() throws(TransferFailure) {
    isOpeningChecked = true
    if let fault = check.faultOfOpening(opening) { throw TransferFailure(.wrongContent, fault) }
  }

  private func tooLarge(_ size: String) -> TransferFailure {
    TransferFailure(
      .tooLarge,
      "the answer has \(size), and at most \(limit) are allowed"
        + (check.kind == .tile ? " for a tile" : ". Raise 'maxBytes:' if that is right."))
  }

  private func truncate(to length: Int64) throws(TransferFailure) {
    if length == 0 { unlink(files.partialState.string) }
    guard ftruncate(file.rawValue, off_t(length)) == 0,
      (try? file.seek(offset: length, from: .start)) == length
    else { throw TransferFailure(.cache, "cannot write \(files.partial)") }
  }

  /// Returns bytes of the body that are in the file.
  private func read(from offset: Int64, count: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: min(count, Int(clamping: bytes - offset)))
    let count = buffer.withUnsafeMutableBytes { buffer in
      (try? file.read(fromAbsoluteOffset: offset, into: buffer)) ?? 0
    }
    return Array(buffer.prefix(count))
  }
}

/// The durable part of an unfinished body, and how to request the rest.
struct PartialState: Hashable, Sendable, Codable {
  /// The value for `If-Range`.
  var validator: String

  /// The number of durable bytes; the file may be longer after a crash, and is truncated to this.
  var bytes: Int64

  init(validator: String, bytes: Int64) {
    self.validator = validator
    self.bytes = bytes
  }

  init?(json: [UInt8]) {
    guard let state = try? JSONDecoder().decode(PartialState.self, from: Data(json)),
      state.bytes > 0, !state.validator.isEmpty
    else { return nil }
    self = state
  }

  var json: String {
    JSONText.object([("validator", .string(validator)), ("bytes", .integer(bytes))]) + "\n"
  }
}
