import Features
import Ingest
import JSON

/// A builder of the profile of one property, a batch at a time.
///
/// A mask selects the rows of a batch that count. The hash of each value is added to the hash of
/// its record, so that equal records end with equal sums whatever the order of the columns.
struct ColumnProfiler {
  private(set) var profile: ColumnProfile
  private let seed: UInt64

  /// Creates a profiler; `missing` records came before the property was first seen.
  init(name: String, missing: Int) {
    profile = ColumnProfile(name: name)
    profile.nulls = missing
    seed = Array(name.utf8).withUnsafeBytes { ValueHash.hash($0, seed: 0) }
  }

  /// Adds the rows of a column.
  ///
  /// - Parameters:
  ///   - isKept: whether each row counts.
  ///   - recordHashes: a running sum for each row.
  /// - Complexity: O(bytes of the column).
  mutating func add(
    _ column: PropertyColumn, lines: ContiguousArray<Int>, isKept: [Bool],
    recordHashes: UnsafeMutableBufferPointer<UInt64>
  ) {
    column.bytes.withUnsafeBytes { bytes in
      // Only text above ASCII can be garbled, and most columns have none.
      let isPlain = TextTraits.isASCII(bytes)
      var start = 0
      for row in 0..<column.count {
        let end = Int(column.ends[row])
        defer { start = end }
        guard isKept[row] else { continue }
        let kind = column.kinds[row]
        guard kind != .missing, kind != .null else {
          profile.nulls += 1
          continue
        }
        let value = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        let hash = ValueHash.hash(value, seed: seed &+ UInt64(kind.rawValue))
        let isNew = profile.distinct.add(hash)
        recordHashes[row] = recordHashes[row] &+ hash
        if profile.values == 0 { profile.firstValue = TextTraits.excerpt(value, kind) }
        let texts = profile.texts
        take(value, kind, line: lines[row])
        if isNew, profile.texts > texts, profile.examples.count < ColumnProfile.exampleLimit {
          profile.examples.append(TextTraits.excerpt(value, kind))
        }
        if !isPlain, kind != .number, TextTraits.isMojibake(value) {
          profile.mojibake.add(line: lines[row], TextTraits.excerpt(value, kind))
        }
      }
    }
  }

  @inline(__always)
  private mutating func take(
    _ value: UnsafeRawBufferPointer, _ kind: PropertyColumn.Kind, line: Int
  ) {
    switch kind {
    case .missing, .null: break
    case .false, .true: profile.booleans += 1
    case .json: profile.nested += 1
    case .number:
      if value.count == 8 { take(value.loadUnaligned(as: Double.self)) }
    case .text:
      if let number = TextTraits.mayBeNumber(value) ? NumberGrammar.parse(value) : nil {
        take(number)
        takeSpelling(of: value, number, line: line)
      } else {
        takeText(value, line: line)
        takeTraits(of: value, line: line)
      }
    case .string:
      takeText(value, line: line)
      if TextTraits.mayBeNumber(value), NumberGrammar.parse(value) != nil {
        profile.textNumbers.add(line: line, TextTraits.excerpt(value, kind))
      } else if TextTraits.mayBeNumber(value) {
        takeTime(value, line: line)
      }
    }
  }

  @inline(__always)
  private mutating func take(_ number: Double) {
    profile.numbers += 1
    if number < profile.minimum { profile.minimum = number }
    if number > profile.maximum { profile.maximum = number }
    if number.rounded(.towardZero) != number { profile.fractions += 1 }
  }

  /// Records a spelling that the number alone does not have.
  private mutating func takeSpelling(
    of value: UnsafeRawBufferPointer, _ number: Double, line: Int
  ) {
    profile.spellings.add(number, spelling: ValueHash.hash(value, seed: 0))
    var point: Int?
    var mark: Int?
    for index in 0..<value.count {
      if value[index] == UInt8(ascii: ".") { point = index }
      if value[index] | 0x20 == UInt8(ascii: "e") { mark = index }
    }
    if let mark {
      let isCode = point == nil && value.count > mark + 1 && TextTraits.isDigit(value[mark + 1])
      if isCode { profile.exponents.add(line: line, TextTraits.excerpt(value, .text)) }
      return
    }
    let decimals = point.map { value.count - $0 - 1 } ?? 0
    profile.fewestDecimals = min(profile.fewestDecimals, decimals)
    profile.mostDecimals = max(profile.mostDecimals, decimals)
    if decimals > 0, value[value.count - 1] == UInt8(ascii: "0") {
      profile.trailingZeros.add(line: line, TextTraits.excerpt(value, .text))
      if decimals > 1 { profile.hasLongZeros = true }
    } else if NumberGrammar.isLargeInteger(value, value: number) {
      profile.largeWholes.add(line: line, TextTraits.excerpt(value, .text))
    }
  }

  @inline(__always)
  private mutating func takeText(_ value: UnsafeRawBufferPointer, line: Int) {
    profile.texts += 1
    if value.count > profile.longestText { profile.longestText = value.count }
    if value.count < profile.shortestText { profile.shortestText = value.count }
  }

  /// Records the peculiarities of a text without a type of its own.
  private mutating func takeTraits(of value: UnsafeRawBufferPointer, line: Int) {
    if TextTraits.mayBeNumber(value) {
      if TextTraits.hasLeadingZero(value) {
        profile.leadingZeros.add(line: line, TextTraits.excerpt(value, .text))
      } else if TextTraits.isDecimalComma(value) {
        profile.decimalCommas.add(line: line, TextTraits.excerpt(value, .text))
        if !profile.hasCertainComma {
          profile.hasCertainComma = TextTraits.isCertainDecimalComma(value)
        }
      } else {
        takeTime(value, line: line)
      }
    }
    if TextTraits.isNamedNull(value) {
      let name = String(decoding: value, as: UTF8.self)
      profile.namedNulls.add(line: line, name)
      if profile.nullNames.count < 8, !profile.nullNames.contains(name) {
        profile.nullNames.append(name)
      }
    }
  }

  private mutating func takeTime(_ value: UnsafeRawBufferPointer, line: Int) {
    switch TextTraits.time(value) {
    case .zoned: profile.zonedTimes += 1
    case .zoneless: profile.zonelessTimes.add(line: line, TextTraits.excerpt(value, .text))
    case .unread: profile.unreadTimes.add(line: line, TextTraits.excerpt(value, .text))
    case nil: break
    }
  }

  /// Counts rows of a batch for which the file gives no value.
  mutating func addMissing(_ count: Int) { profile.nulls += count }
}
