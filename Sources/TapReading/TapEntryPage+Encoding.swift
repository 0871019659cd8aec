extension TapEntryPage {
  /// The most bytes that readers inflate a block or page to.
  package static let inflatedLimit = 32 << 20

  /// The bytes after which we end a page.
  package static let byteLimit = 128 << 10

  /// The mean number of entries of a page.
  private static let meanCount: UInt64 = 64

  /// Whether the entry of an identifier ends its page: one of ``meanCount`` does. An entry that comes or
  /// goes therefore changes one page, or joins or divides two.
  package static func endsPage(_ identifier: UInt64) -> Bool {
    identifier % meanCount == meanCount - 1
  }

  /// Whether an entry of this size belongs on a page of its own: readers do not decompress more
  /// than their limit.
  package func hasNoRoom(for count: Int) -> Bool {
    byteCount > 0 && byteCount + count > Self.inflatedLimit / 2
  }

  /// Whether the page should end here.
  package var isFull: Bool {
    entries.count >= Self.countLimit || byteCount >= Self.byteLimit
      || identifiers.last.map(Self.endsPage) ?? false
  }

  /// Returns the bytes before compression.
  package func encoded() -> [UInt8] {
    var writer = TapByteWriter()
    writer.reserveCapacity(byteCount + 16 * entries.count)
    writer.append(Self.formatVersion)
    var last = identifiers.first ?? 0
    for (identifier, entry) in zip(identifiers, entries) {
      writer.append(Int(identifier - last))
      writer.append(counted: entry.key)
      writer.append(counted: entry.fields)
      writer.append(counted: entry.more)
      writer.append(entry.members.map { $0.count + 1 } ?? 0)
      last = identifier
      var previous = Int(identifier)
      for member in entry.members ?? [] {
        writer.append(signed: Int(member) - previous)
        previous = Int(member)
      }
    }
    return writer.bytes
  }
}
