import Preview

/// The heads of requests to the preview, in pieces of every size.
enum RequestHeadFuzz {
  /// The first byte is the size of the pieces.
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    let text = bytes.dropFirst()
    let (heads, refusal) = read(text, in: max(1, Int(bytes.first ?? 1)))
    let whole = read(text, in: max(1, text.count))
    try require(whole.heads == heads && whole.refusal == refusal, "the pieces make a difference")
    for head in heads {
      try require(
        head.request.target.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a target with a space")
    }
    return !heads.isEmpty && refusal == nil
  }

  private static func read(
    _ text: Slice<UnsafeRawBufferPointer>, in size: Int
  ) -> (heads: [RequestHead], refusal: RequestRefusal?) {
    var reader = RequestHeadReader()
    var heads: [RequestHead] = []
    var rest = text
    do throws(RequestRefusal) {
      while !rest.isEmpty {
        reader.append(rest.prefix(size))
        rest = rest.dropFirst(size)
        while let head = try reader.next() { heads.append(head) }
      }
      return (heads, nil)
    } catch {
      return (heads, error)
    }
  }
}
