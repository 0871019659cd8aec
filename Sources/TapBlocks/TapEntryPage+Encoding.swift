extension TapEntryPage {
  /// The bytes after which we end a page.
  package static let byteLimit = 128 << 10

  /// Whether an entry of this size belongs on a page of its own: readers do not decompress more
  /// than their limit.
  package func hasNoRoom(for count: Int) -> Bool {
    byteCount > 0 && byteCount + count > TapInflater.byteLimit / 2
  }

  /// Whether the page should end here.
  package var isFull: Bool {
    numbers.count >= Self.countLimit || byteCount >= Self.byteLimit
  }

  /// Returns the bytes before compression.
  package func encoded() -> [UInt8] {
    var writer = TapByteWriter()
    var last = numbers.first ?? 0
    for (number, json) in zip(numbers, entries) {
      writer.append(Int(number) - Int(last))
      writer.append(json.count)
      writer.append(contentsOf: json)
      last = number
    }
    return writer.bytes
  }
}
