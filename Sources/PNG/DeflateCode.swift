/// A canonical Huffman code of limited length, which deflate transmits by its lengths alone.
struct DeflateCode: Hashable, Sendable {
  /// The code length of each symbol in bits, 0 for a symbol without a code.
  let lengths: [UInt8]

  /// Each symbol's code as it is appended, its first bit lowest.
  let codes: [CodedBits]

  /// Creates the optimal code for these frequencies with at most `limit` bits.
  ///
  /// Equal frequencies are ordered by symbol, so that the code depends on nothing else. A single
  /// symbol gets one bit. Source: Larmore and Hirschberg, A fast algorithm for optimal
  /// length-limited Huffman codes (package-merge), 1990.
  ///
  /// - Parameters:
  ///   - frequencies: the frequencies of the symbols from 0 on; those with zero get no code.
  ///   - limit: 1 … 15 bits, enough for the symbols used.
  /// - Complexity: O(limit × symbols).
  init(frequencies: [UInt64], limit: Int) {
    let used = frequencies.indices.filter { frequencies[$0] > 0 }.sorted {
      (frequencies[$0], $0) < (frequencies[$1], $1)
    }
    precondition((1...15).contains(limit) && used.count <= 1 << limit)
    var lengths = [UInt8](repeating: 0, count: frequencies.count)
    if used.count == 1 {
      lengths[used[0]] = 1
    } else if used.count > 1 {
      // The first 2n − 2 items of the last list are bought; each package among them buys two of the
      // previous list. A leaf's code length is the number of times it is bought.
      var bought = 2 * used.count - 2
      for level in Self.packageMerge(used.map { frequencies[$0] }, levels: limit).reversed() {
        let leaves = level[0..<bought].count { $0 }
        for leaf in 0..<leaves { lengths[used[leaf]] += 1 }
        bought = 2 * (bought - leaves)
      }
    }
    self.lengths = lengths
    codes = Self.canonical(lengths)
  }

  /// Returns for each level, from the deepest, whether each item in order of weight is a leaf.
  private static func packageMerge(_ weights: [UInt64], levels: Int) -> [[Bool]] {
    var items = weights
    var lists = [[Bool](repeating: true, count: weights.count)]
    for _ in 1..<levels {
      var packages: [UInt64] = []
      for pair in stride(from: 0, to: items.count - 1, by: 2) {
        let (sum, overflow) = items[pair].addingReportingOverflow(items[pair + 1])
        packages.append(overflow ? .max : sum)
      }
      var merged: [UInt64] = []
      var isLeaf: [Bool] = []
      var (leaf, package) = (0, 0)
      while leaf < weights.count || package < packages.count {
        let takesLeaf =
          package == packages.count
          || leaf < weights.count && weights[leaf] <= packages[package]
        merged.append(takesLeaf ? weights[leaf] : packages[package])
        isLeaf.append(takesLeaf)
        if takesLeaf { leaf += 1 } else { package += 1 }
      }
      items = merged
      lists.append(isLeaf)
    }
    return lists
  }

  /// Returns codes counted up by length, then by symbol (RFC 1951, 3.2.2), with their bits
  /// reversed.
  private static func canonical(_ lengths: [UInt8]) -> [CodedBits] {
    var codes = [CodedBits](repeating: CodedBits(), count: lengths.count)
    var next: UInt32 = 0
    for length in UInt8(1)...15 {
      next <<= 1
      for symbol in lengths.indices where lengths[symbol] == length {
        var reversed: UInt32 = 0
        for bit in 0..<UInt32(length) { reversed = reversed << 1 | next >> bit & 1 }
        codes[symbol] = CodedBits(bits: reversed, count: UInt32(length))
        next += 1
      }
    }
    return codes
  }
}
