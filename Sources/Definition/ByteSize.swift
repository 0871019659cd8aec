/// A parser of sizes in bytes, as options and keys take them.
enum ByteSize {
  /// Parses a whole number of bytes, or a number of KiB, MiB, GiB or TiB with the suffix K, M, G or
  /// T, which may have three decimals (`512M`, `1.5g`); `nil` for anything else.
  static func bytes(of text: String) -> Int? {
    var number = text[...]
    var shift = 0
    if let letter = text.last, let place = ["k", "m", "g", "t"].firstIndex(of: letter.lowercased())
    {
      number.removeLast()
      shift = 10 * (place + 1)
    }
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let whole = Int(parts[0]), whole <= Int.max >> shift
    else { return nil }
    guard parts.count == 2 else { return whole << shift }
    guard shift > 0, parts[1].count <= 3, let fraction = Int(parts[1]) else { return nil }
    // A unit has at most 41 bits, and a fraction ten.
    let part = (fraction << shift) / [10, 100, 1000][parts[1].count - 1]
    let (sum, overflow) = (whole << shift).addingReportingOverflow(part)
    return overflow ? nil : sum
  }
}
