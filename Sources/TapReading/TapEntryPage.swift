/// The entries of some features and clusters: a row of the table of entries, ordered by identifier.
package struct TapEntryPage: Hashable, Sendable {
  /// The version, with which the bytes begin. Pages of version 1 begin with 0.
  package static let formatVersion = 2

  /// Maximum number of entries of a page.
  package static let countLimit = 256

  package private(set) var identifiers: [UInt64] = []
  package private(set) var entries: [TapEntry] = []

  /// The bytes of all entries.
  package private(set) var byteCount = 0

  package init() {}

  /// Appends an entry; its identifier must be greater than those before.
  package mutating func append(_ identifier: UInt64, _ entry: TapEntry) {
    identifiers.append(identifier)
    entries.append(entry)
    byteCount += entry.byteCount
  }

  /// Returns the entry of an identifier.
  package func entry(of identifier: UInt64) -> TapEntry? {
    identifiers.firstIndex(of: identifier).map { entries[$0] }
  }

  /// Decodes bytes, which are not trusted.
  ///
  /// - Parameter first: the identifier of the first entry.
  package init(_ bytes: [UInt8], first: Int64) throws(TapFault) {
    var reader = TapByteReader(bytes)
    guard var last = UInt64(exactly: first), last < TapBlock.identifierLimit else {
      throw TapFault("has an identifier that cannot be")
    }
    // Version 1 has no number here: it begins with the first step, which is 0.
    let hasPieces = bytes.first == UInt8(Self.formatVersion)
    if hasPieces { _ = try reader.number() }
    while reader.remaining > 0 {
      guard entries.count < Self.countLimit else { throw TapFault("has too many entries") }
      let step = try reader.identifier()
      guard (step == 0) == entries.isEmpty, last + step < TapBlock.identifierLimit else {
        throw TapFault("has identifiers that do not ascend")
      }
      last += step
      append(
        last,
        hasPieces
          ? try Self.entry(of: last, &reader) : try TapEntry(json: reader.take(reader.number())))
    }
    guard !entries.isEmpty else { throw TapFault("is empty") }
  }

  private static func entry(
    of identifier: UInt64, _ reader: inout TapByteReader
  ) throws(TapFault) -> TapEntry {
    var pieces: [[UInt8]] = []
    for _ in 0..<3 { pieces.append(Array(try reader.take(try reader.number()))) }
    var entry = TapEntry(key: pieces[0], fields: pieces[1], more: pieces[2])
    let count = try reader.count(of: "members", zero: 1)
    guard count >= 0 else { return entry }
    var members: [UInt64] = []
    var last = Int64(identifier)
    for _ in 0..<count {
      last += try reader.signedIdentifier()
      guard let member = UInt64(exactly: last), member < TapBlock.identifierLimit else {
        throw TapFault("has a member that cannot be")
      }
      members.append(member)
    }
    entry.members = members
    return entry
  }
}
