/// The bidirectional class of a character (UAX 9), which determines its effect on the order of
/// text.
///
/// Classes come from general categories and blocks, with explicit lists of the numbers, symbols and
/// punctuation that have a class of their own. Against Unicode 14's DerivedBidiClass.txt some rare
/// characters differ: modifier letters such as U+02B9, enclosed letters from U+24B6 and a few vowel
/// signs count as neutral or as marks.
enum BidiClass: UInt8 {
  case left, right, arabicLetter
  case europeanNumber, europeanSeparator, europeanTerminator, arabicNumber, commonSeparator
  case mark
  /// Ignored, such as a soft hyphen.
  case ignored
  /// White space and everything else without a direction.
  case neutral

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x61...0x7A, 0x41...0x5A, 0x200E: self = .left
    case 0x200F: self = .right
    case 0x61C: self = .arabicLetter
    case 0xAD, 0x200B...0x200D: self = .ignored
    default: self = Self.number(scalar.value) ?? Self.byCategory(scalar)
    }
  }

  /// Whether a scalar may make text run leftward: without such scalars all text runs rightward.
  static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// Returns the class of digits and of characters that belong to numbers.
  private static func number(_ value: UInt32) -> BidiClass? {
    switch value {
    case 0x30...0x39, 0xB2...0xB3, 0xB9, 0x6F0...0x6F9, 0x2070, 0x2074...0x2079, 0x2080...0x2089,
      0x2488...0x249B, 0xFF10...0xFF19, 0x1D7CE...0x1D7FF:
      .europeanNumber
    case 0x2B, 0x2D, 0x207A...0x207B, 0x208A...0x208B, 0x2212, 0xFB29, 0xFE62...0xFE63, 0xFF0B,
      0xFF0D:
      .europeanSeparator
    case 0x23...0x25, 0xA2...0xA5, 0xB0...0xB1, 0x609...0x60A, 0x66A, 0x2030...0x2034, 0x212E,
      0x2213, 0xFE5F, 0xFE6A, 0xFF03...0xFF05:
      .europeanTerminator
    case 0x2C, 0x2E...0x2F, 0x3A, 0xA0, 0x60C, 0x202F, 0x2044, 0xFE50, 0xFE52, 0xFE55, 0xFF0C,
      0xFF0E...0xFF0F, 0xFF1A:
      .commonSeparator
    case 0x600...0x605, 0x660...0x669, 0x66B...0x66C, 0x6DD, 0x890...0x891, 0x8E2,
      0x10D30...0x10D39, 0x10E60...0x10E7E:
      .arabicNumber
    default: nil
    }
  }

  private static func byCategory(_ scalar: Unicode.Scalar) -> BidiClass {
    let category = scalar.properties.generalCategory
    if category == .nonspacingMark || category == .enclosingMark { return .mark }
    if let rightward = rightToLeft(scalar.value) { return rightward }
    switch category {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .spacingMark, .decimalNumber, .letterNumber, .privateUse:
      return .left
    case .currencySymbol: return .europeanTerminator
    default: break
    }
    switch scalar.value {
    // Vowel signs of the scripts of India and Southeast Asia, enclosed ideographs, signs of old
    // scripts.
    case 0x900...0x1CFF, 0x3200...0x33FF, 0xA000...0xABFF, 0x10000...0x1D1FF: return .left
    default: return .neutral
    }
  }

  /// Returns the class in the blocks of right-to-left scripts; `nil` in others.
  private static func rightToLeft(_ value: UInt32) -> BidiClass? {
    switch value {
    case 0x606...0x607, 0x60E...0x60F, 0x6DE, 0x6E9, 0x7F6...0x7F9, 0xFD3E...0xFD4F, 0xFDCF,
      0xFDFD...0xFDFF:
      .neutral
    case 0x600...0x7BF, 0x860...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC, 0x10D00...0x10D3F,
      0x10EC0...0x10EFF, 0x10F30...0x10F6F, 0x1EC70...0x1ECBF, 0x1ED00...0x1ED4F, 0x1EE00...0x1EEFF:
      .arabicLetter
    case 0x590...0x8FF, 0xFB1D...0xFB4F, 0x10800...0x10FFF, 0x1E800...0x1EFFF: .right
    default: nil
    }
  }
}
