/// The data of some features as JSON: a row of the table of entries.
///
/// Numbers ascend; each entry consists of the difference from the previous number, the JSON's
/// length in bytes and the JSON.
package struct TapEntryPage: Hashable, Sendable {
  /// Maximum number of features of a page.
  package static let countLimit = 256

  package private(set) var numbers: [UInt32] = []
  package private(set) var entries: [[UInt8]] = []

  /// The bytes of all entries.
  package private(set) var byteCount = 0

  package init() {}

  /// Appends an entry; its number must be greater than those before.
  package mutating func append(_ number: UInt32, _ json: [UInt8]) {
    numbers.append(number)
    entries.append(json)
    byteCount += json.count
  }

  /// Returns the entry of a number.
  package func entry(of number: UInt32) -> [UInt8]? {
    numbers.firstIndex(of: number).map { entries[$0] }
  }

  /// Decodes bytes, which are not trusted.
  ///
  /// - Parameter first: the number of the first entry.
  package init(_ bytes: [UInt8], first: Int64) throws(TapFault) {
    var reader = TapByteReader(bytes)
    guard var last = UInt32(exactly: first) else { throw TapFault("has a number that cannot be") }
    while reader.remaining > 0 {
      guard numbers.count < Self.countLimit else { throw TapFault("has too many entries") }
      let step = try reader.number(upTo: Int(UInt32.max), "a step")
      guard (step == 0) == numbers.isEmpty, let number = UInt32(exactly: Int(last) + step) else {
        throw TapFault("has numbers that do not ascend")
      }
      append(number, Array(try reader.take(try reader.number())))
      last = number
    }
    guard !numbers.isEmpty else { throw TapFault("is empty") }
  }
}
