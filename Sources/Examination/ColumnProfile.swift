import Ingest
import Platform

/// Statistics of the values of one property over all examined records.
package struct ColumnProfile: Sendable {
  /// The property's name.
  package let name: String

  /// Records whose value is null, empty or missing.
  package internal(set) var nulls = 0
  package internal(set) var booleans = 0
  package internal(set) var numbers = 0
  package internal(set) var texts = 0
  /// Arrays and objects.
  package internal(set) var nested = 0

  /// The range of the numbers; infinite while there are none.
  package internal(set) var minimum = Double.infinity
  package internal(set) var maximum = -Double.infinity

  /// The lengths of texts in bytes.
  package internal(set) var shortestText = Int.max
  package internal(set) var longestText = 0

  package internal(set) var distinct = DistinctCounter()

  /// The first value as the file spells it, truncated to 40 bytes.
  package internal(set) var firstValue = ""

  /// The first distinct texts, as many as show what a column holds.
  package internal(set) var examples: [String] = []
  static let exampleLimit = 200

  /// Numbers that are not whole.
  package internal(set) var fractions = 0

  /// Digit strings with a leading zero, which the grammar of numbers makes texts.
  package internal(set) var leadingZeros = Occurrences()
  /// Whole numbers beyond ±2⁵³: several of them share a Double.
  var largeWholes = Occurrences()
  /// Whole numbers with an exponent and no sign or point: `12E3`.
  var exponents = Occurrences()
  /// Decimals that end in 0: `1.0`, `5.10`.
  var trailingZeros = Occurrences()
  /// The first spellings of numbers.
  var spellings = NumberSpellings()
  /// Whether a number has two decimals or more and ends in 0.
  var hasLongZeros = false
  /// The fewest and the most decimals of a number; 0 for a whole one.
  var fewestDecimals = Int.max
  var mostDecimals = 0
  /// Numbers with a decimal comma.
  var decimalCommas = Occurrences()
  /// Whether one of them cannot be a whole number with groups of digits.
  var hasCertainComma = false
  /// Words that other programs write for null.
  var namedNulls = Occurrences()
  /// The distinct words among these, in the order of the file; at most eight.
  var nullNames: [String] = []
  /// Texts of a typed file that would be numbers without their quotes.
  var textNumbers = Occurrences()
  /// Text that was once decoded wrongly.
  var mojibake = Occurrences()
  /// Dates with a time that name their zone, and those that do not.
  package internal(set) var zonedTimes = 0
  package internal(set) var zonelessTimes = Occurrences()
  /// Dates with a time in an order that no parser reads as a time: `1/19/2014 06:00`.
  package internal(set) var unreadTimes = Occurrences()

  /// Numbers whose spelling says more than their value: codes, versions, identifiers.
  ///
  /// Decimals that are written alike, `2.50` beside `3.75` or `1.0` beside `2.25`, are quantities;
  /// versions are `5.9` beside `5.10`, and codes `1` beside `1.0`.
  var spelledNumbers: Occurrences {
    var all = largeWholes
    all.add(exponents)
    let areVersions = fewestDecimals == 1 && mostDecimals == 2
    if spellings.areTwo || (areVersions && hasLongZeros) { all.add(trailingZeros) }
    return all
  }

  /// Records that have a value.
  package var values: Int { booleans + numbers + texts + nested }

  /// The kinds of values that occur, most frequent first, for display: `number`, `text, null`.
  package var kinds: [(name: String, count: Int)] {
    let all = [
      ("number", numbers), ("text", texts), ("boolean", booleans), ("nested", nested),
      ("null", nulls),
    ]
    return all.enumerated().filter { $0.element.1 > 0 }
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
      .map { (name: $0.element.0, count: $0.element.1) }
  }
}

/// A counter of distinct values: exact up to ``exactLimit``, estimated beyond.
///
/// The estimate is HyperLogLog (Flajolet, Fusy, Gandouet, Meunier 2007) with 4,096 registers: its
/// standard error is 1.04 / √4096 = 1.6 %.
package struct DistinctCounter: Sendable {
  /// The maximum number of distinct values that are counted exactly.
  package static let exactLimit = 1024

  private static let slotCount = 2048
  private static let registerBits: UInt64 = 12

  /// Hashes in open addressing, 0 for a free slot; emptied once there are too many.
  private var slots = ContiguousArray<UInt64>(repeating: 0, count: slotCount)
  /// The longest run of zeros before a one, per register; empty while counting is exact.
  private var registers = ContiguousArray<UInt8>()
  private var exactCount = 0
  /// The number of values added so far, including equal ones: an estimate may be larger.
  private var added = 0

  package init() {}

  /// Whether ``count`` is exact rather than estimated.
  package var isExact: Bool { registers.isEmpty }

  /// Adds a value by its hash.
  ///
  /// - Returns: whether it is known to be a new one.
  @inline(__always)
  @discardableResult
  mutating func add(_ hash: UInt64) -> Bool {
    added &+= 1
    if registers.isEmpty { return addExactly(hash) }
    register(hash)
    return false
  }

  private mutating func addExactly(_ hash: UInt64) -> Bool {
    var slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
    while slots[slot] != 0 {
      if slots[slot] == hash { return false }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
    guard exactCount == Self.exactLimit else {
      slots[slot] = hash
      exactCount += 1
      return true
    }
    registers = ContiguousArray(repeating: 0, count: 1 << Int(Self.registerBits))
    for known in slots where known != 0 { register(known) }
    register(hash)
    slots = []
    return true
  }

  @inline(__always)
  private mutating func register(_ hash: UInt64) {
    let index = Int(truncatingIfNeeded: hash >> (64 - Self.registerBits))
    // The lowest bit ends the run in any case.
    let run = ((hash << Self.registerBits) | 1).leadingZeroBitCount + 1
    if registers[index] < UInt8(truncatingIfNeeded: run) {
      registers[index] = UInt8(truncatingIfNeeded: run)
    }
  }

  /// The number of distinct values so far.
  package var count: Int {
    if isExact { return exactCount }
    let size = Double(registers.count)
    var sum = 0.0
    var free = 0
    for run in registers {
      sum += 1 / Double(UInt64(1) << UInt64(min(run, 63)))
      if run == 0 { free += 1 }
    }
    let raw = 0.7213 / (1 + 1.079 / size) * size * size / sum
    // While registers are still free, counting those is more exact (the paper's section 4).
    let estimate = raw <= 2.5 * size && free > 0 ? size * log(size / Double(free)) : raw
    return min(max(Int(estimate.rounded()), Self.exactLimit + 1), added)
  }
}

/// A search for a number that is spelled in two ways, such as `5.1` and `5.10`, among the first
/// numbers of a column.
struct NumberSpellings: Sendable {
  private static let numberLimit = 10_000
  private static let distinctLimit = 256

  private var hashes: [UInt64: UInt64] = [:]
  private var examined = 0

  /// Whether a number has two spellings.
  private(set) var areTwo = false

  /// Adds a number with the hash of its spelling.
  mutating func add(_ number: Double, spelling hash: @autoclosure () -> UInt64) {
    guard examined < Self.numberLimit, !areTwo else { return }
    examined += 1
    let hash = hash()
    let known = hashes.updateValue(hash, forKey: number.bitPattern)
    areTwo = known != nil && known != hash
    if hashes.count > Self.distinctLimit { examined = Self.numberLimit }
  }
}
