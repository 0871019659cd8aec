/// Brackets and other characters that are mirrored in right-to-left text.
///
/// The brackets in use today of https://www.unicode.org/Public/UNIDATA/BidiBrackets.txt.
enum BracketPairs {
  private static let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
    ("(", ")"), ("[", "]"), ("{", "}"), ("\u{2045}", "\u{2046}"), ("\u{207D}", "\u{207E}"),
    ("\u{208D}", "\u{208E}"), ("\u{2308}", "\u{2309}"), ("\u{230A}", "\u{230B}"),
    ("\u{2329}", "\u{232A}"), ("\u{2768}", "\u{2769}"), ("\u{27E6}", "\u{27E7}"),
    ("\u{27E8}", "\u{27E9}"), ("\u{27EA}", "\u{27EB}"), ("\u{2E28}", "\u{2E29}"),
    ("\u{3008}", "\u{3009}"), ("\u{300A}", "\u{300B}"), ("\u{300C}", "\u{300D}"),
    ("\u{300E}", "\u{300F}"), ("\u{3010}", "\u{3011}"), ("\u{3014}", "\u{3015}"),
    ("\u{3016}", "\u{3017}"), ("\u{3018}", "\u{3019}"), ("\u{301A}", "\u{301B}"),
    ("\u{FE59}", "\u{FE5A}"), ("\u{FE5B}", "\u{FE5C}"), ("\u{FE5D}", "\u{FE5E}"),
    ("\u{FF08}", "\u{FF09}"), ("\u{FF3B}", "\u{FF3D}"), ("\u{FF5B}", "\u{FF5D}"),
    ("\u{FF5F}", "\u{FF60}"), ("\u{FF62}", "\u{FF63}"),
  ]

  /// Mirrored characters other than brackets, from BidiMirroring.txt.
  private static let turned: [(Unicode.Scalar, Unicode.Scalar)] = [
    ("<", ">"), ("\u{AB}", "\u{BB}"), ("\u{2039}", "\u{203A}"), ("\u{2264}", "\u{2265}"),
  ]

  private static let closings = Dictionary(uniqueKeysWithValues: pairs)
  private static let openings = Dictionary(uniqueKeysWithValues: pairs.map { ($1, $0) })
  private static let mirrors = Dictionary(
    uniqueKeysWithValues: (pairs + turned).flatMap { [($0, $1), ($1, $0)] })

  /// Returns the bracket that closes an opening one, `nil` for anything else; canonically
  /// equivalent brackets are unified.
  static func closing(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    closings[scalar].map(canonical)
  }

  /// Returns a closing bracket, in the form that ``closing(_:)`` returns; `nil` for anything else.
  static func closed(by scalar: Unicode.Scalar) -> Unicode.Scalar? {
    openings[scalar] == nil ? nil : canonical(scalar)
  }

  /// Returns the mirrored form of a scalar in right-to-left text.
  static func mirrored(_ scalar: Unicode.Scalar) -> Unicode.Scalar { mirrors[scalar] ?? scalar }

  private static func canonical(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar == "\u{232A}" ? "\u{3009}" : scalar
  }
}
