import Foundation
import JSON
import Runs

/// The values of records one after the other, folded so that upper and lower case and accents make
/// no difference.
struct WordColumn: Sendable {
  /// The values, each after a zero.
  private var bytes: [UInt8] = []

  /// The end of each record.
  private var ends: [Int] = []

  var byteCount: Int { bytes.count }

  /// Appends the values of a record's JSON: its texts and numbers, not its keys.
  ///
  /// - Returns: `false` if it is a cluster, of which nothing is appended.
  mutating func append(record json: [UInt8]) -> Bool {
    let start = bytes.count
    var index = 0
    while index < json.count {
      let first = index
      switch json[index] {
      case UInt8(ascii: "\""):
        guard let end = Self.end(ofTextAt: index, in: json) else { return true }
        index = end
        if let value = Self.value(after: end, in: json) {
          guard !Self.isCluster(json[first..<end], json[value...]) else {
            bytes.removeSubrange(start...)
            return false
          }
          index = value
        } else {
          append(text: json[first..<end])
        }
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        while index < json.count, Self.isNumber(json[index]) { index += 1 }
        bytes.append(0)
        bytes.append(contentsOf: json[first..<index])
      default: index += 1
      }
    }
    ends.append(bytes.count)
    return true
  }

  /// Returns the folded form of a text that is looked for.
  static func folded(_ text: String) -> [UInt8] {
    Array(
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).utf8
        .filter { $0 != 0 })
  }

  /// Calls `body` with the numbers of the records that contain folded bytes, ascending, until it
  /// returns `false`.
  ///
  /// - Parameter startsValue: whether a value has to begin with them.
  /// - Complexity: O(bytes).
  func forEachRecord(
    with needle: [UInt8], startsValue: Bool, _ body: (Int) throws -> Bool
  ) rethrows {
    let needle = startsValue ? [0] + needle : needle
    var start = 0
    while start < bytes.count, let found = Self.first(needle, in: bytes, from: start) {
      let record = Self.firstIndex(in: ends, above: found)
      guard record < ends.count, try body(record) else { return }
      start = ends[record]
    }
  }

  private static func first(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      needle.withUnsafeBytes { needle in
        guard let base = bytes.baseAddress, let words = needle.baseAddress, let head = needle.first
        else { return nil }
        var index = start
        while index + needle.count <= bytes.count,
          let found = memchr(base + index, Int32(head), bytes.count - needle.count - index + 1)
        {
          if memcmp(found, words, needle.count) == 0 { return UnsafeRawPointer(found) - base }
          index = UnsafeRawPointer(found) - base + 1
        }
        return nil
      }
    }
  }

  /// Returns the index of the first of ascending numbers that is greater than `value`.
  private static func firstIndex(in numbers: [Int], above value: Int) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] > value { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private mutating func append(text: ArraySlice<UInt8>) {
    bytes.append(0)
    let inner = text.dropFirst().dropLast()
    if inner.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) {
      for byte in inner {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        bytes.append(isCapital ? byte | 0x20 : byte)
      }
    } else if let text = ReportJSON(Array(text))?.text {
      bytes.append(contentsOf: Self.folded(text))
    }
  }

  /// Returns the index after the closing quote of a text.
  private static func end(ofTextAt start: Int, in json: [UInt8]) -> Int? {
    var index = start + 1
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "\""): return index + 1
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  /// Returns the index of the value after a key that ends at `end`; `nil` if no colon follows.
  private static func value(after end: Int, in json: [UInt8]) -> Int? {
    let colon = json[end...].firstIndex { !isBlank($0) }
    guard let colon, json[colon] == UInt8(ascii: ":") else { return nil }
    return json[(colon + 1)...].firstIndex { !isBlank($0) } ?? json.count
  }

  private static func isCluster(_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
    key.elementsEqual("\"cluster\"".utf8) && value.starts(with: "true".utf8)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(byte)
  }

  private static func isNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}
