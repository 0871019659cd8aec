import Fetching

/// The heads of HTTP answers, line by line, as libcurl hands them out.
enum AnswerHeadFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    guard let head = read(bytes) else { return false }
    try require(read(bytes) == head, "a second reading differs")
    try require((200...999).contains(head.status), "an interim answer ends the head")
    try require((head.length ?? 0) >= 0, "a length below zero")
    if let range = head.range {
      try require(
        0 <= range.start && range.start <= range.end && range.end < range.total, "an odd range")
    }
    try require(
      head.headers.keys.allSatisfy { $0 == $0.lowercased() }, "names that are not in small letters")
    _ = (head.etag, head.lastModified, head.redirection, head.rangeValidator, head.hasFile)
    return true
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) -> AnswerHead? {
    var reader = AnswerHeadReader()
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      do throws(TransferFailure) {
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if let head = try reader.take(line) { return head }
      } catch {
        return nil
      }
      start = end
    }
    return nil
  }
}
