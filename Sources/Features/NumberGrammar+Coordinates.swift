package import JSON

extension NumberGrammar {
  /// Maximum bytes of a coordinate: more digits are not meaningful.
  private static let coordinateLimit = 64

  /// Parses a coordinate as people write it: the grammar's numbers, and also `+1.5`, `.5`, `5.` and
  /// `007.5`.
  ///
  /// A column of coordinates is never text, so these spellings cannot be meant as anything else,
  /// and every other tool reads them; nan, inf and hex are not accepted.
  ///
  /// - Complexity: as for ``parse(_:)``; the other spellings are normalized first.
  package static func parseCoordinate(_ bytes: UnsafeRawBufferPointer) -> Double? {
    if let number = parse(bytes) { return number }
    guard !bytes.isEmpty, bytes.count <= coordinateLimit else { return nil }
    var rest = bytes[...]
    var spelling: [UInt8] = []
    if rest.first == UInt8(ascii: "-") { spelling.append(UInt8(ascii: "-")) }
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let whole = rest.prefix { isDigit($0) }
    rest = rest[whole.endIndex...]
    let hasPoint = rest.first == UInt8(ascii: ".")
    let fraction =
      hasPoint ? rest.dropFirst().prefix { isDigit($0) } : rest[rest.startIndex..<rest.startIndex]
    guard whole.count + fraction.count > 0 else { return nil }
    let significant = whole.drop { $0 == UInt8(ascii: "0") }
    spelling += significant.isEmpty ? [UInt8(ascii: "0")] : Array(significant)
    if !fraction.isEmpty { spelling += [UInt8(ascii: ".")] + fraction }
    spelling += hasPoint ? rest.dropFirst(1 + fraction.count) : rest
    return spelling.withUnsafeBytes { parse($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
