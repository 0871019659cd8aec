/// A number as ECMAScript writes it (Number::toString, ECMA-262 6.1.6.1.20): the fewest digits that
/// read back as the same Double, plain from 1e-6 up to below 1e21, with an exponent otherwise.
struct JSONNumberText {
  private let number: Double

  init(_ number: Double) { self.number = number }

  /// Appends the text; `null` for infinity and NaN, `0` for minus zero.
  func append(to bytes: inout [UInt8]) {
    guard number.isFinite else {
      bytes.append(contentsOf: "null".utf8)
      return
    }
    if let integer = Int64(exactly: number), integer.magnitude <= 1 << 53 {
      bytes.append(contentsOf: String(integer).utf8)
      return
    }
    if number < 0 { bytes.append(JSONByte.minus) }
    let (digits, pointAt) = shortestDigits()
    switch pointAt {
    case 1...21: appendPlain(digits, pointAt, to: &bytes)
    case -5...0:
      bytes.append(contentsOf: "0.".utf8)
      bytes.append(contentsOf: repeatElement(JSONByte.zero, count: -pointAt))
      bytes.append(contentsOf: digits)
    default: appendScientific(digits, pointAt - 1, to: &bytes)
    }
  }

  /// The digits without zeros at either end, and where the point stands: 0.DIGITS × 10^pointAt.
  ///
  /// Swift's description has the shortest digits too, in another notation.
  private func shortestDigits() -> (digits: [UInt8], pointAt: Int) {
    var digits: [UInt8] = []
    var pointAt = 0
    var seenPoint = false
    var description = number.magnitude.description.utf8[...]
    while let byte = description.popFirst() {
      switch byte {
      case JSONByte.point: seenPoint = true
      case UInt8(ascii: "e"):
        let exponent = Int(Substring(description)) ?? 0
        description = description.suffix(0)
        pointAt += exponent
      case JSONByte.zero where digits.isEmpty:
        if seenPoint { pointAt -= 1 }
      default:
        digits.append(byte)
        if !seenPoint { pointAt += 1 }
      }
    }
    while digits.last == JSONByte.zero { digits.removeLast() }
    return (digits, pointAt)
  }

  private func appendPlain(_ digits: [UInt8], _ pointAt: Int, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: digits.prefix(pointAt))
    if digits.count <= pointAt {
      bytes.append(contentsOf: repeatElement(JSONByte.zero, count: pointAt - digits.count))
    } else {
      bytes.append(JSONByte.point)
      bytes.append(contentsOf: digits[pointAt...])
    }
  }

  private func appendScientific(_ digits: [UInt8], _ exponent: Int, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: digits.prefix(1))
    if digits.count > 1 {
      bytes.append(JSONByte.point)
      bytes.append(contentsOf: digits[1...])
    }
    bytes.append(UInt8(ascii: "e"))
    bytes.append(exponent < 0 ? JSONByte.minus : JSONByte.plus)
    bytes.append(contentsOf: String(exponent.magnitude).utf8)
  }
}
