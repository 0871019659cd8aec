/// The shortest decimal digits that read back as the same number: 0.d₁d₂d₃… × 10^`point`.
///
/// Swift prints these digits (SwiftDtoa, after Ulf Adams' Ryū); here they are only parsed.
struct DecimalDigits: Hashable {
  var isNegative: Bool
  /// The digits, 0 … 9 each, without leading or trailing zeros; empty for 0.
  var digits: [UInt8]
  /// The number of digits before the decimal point.
  var point: Int

  /// - Precondition: `value` is finite.
  init(_ value: Double) {
    isNegative = value.sign == .minus
    digits = []
    point = 0
    var exponent = 0
    var exponentIsNegative = false
    var inExponent = false
    var sawPoint = false
    for byte in value.magnitude.description.utf8 {
      switch byte {
      case UInt8(ascii: "."): sawPoint = true
      case UInt8(ascii: "e"): inExponent = true
      case UInt8(ascii: "-"): exponentIsNegative = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = byte - UInt8(ascii: "0")
        if inExponent {
          exponent = exponent * 10 + Int(digit)
        } else {
          digits.append(digit)
          if !sawPoint { point += 1 }
        }
      default: break
      }
    }
    point += exponentIsNegative ? -exponent : exponent
    let leadingZeros = digits.prefix { $0 == 0 }.count
    digits.removeFirst(leadingZeros)
    point -= leadingZeros
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { point = 0 }
  }
}
