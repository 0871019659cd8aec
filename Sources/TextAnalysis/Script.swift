/// A script by its code of ISO 15924, such as "Latn".
package struct Script: Hashable, Sendable {
  /// The four letters as bytes, the first one highest, as OpenType's tags are.
  package let tag: UInt32

  package init(_ name: String) {
    tag = name.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  package static let latin = Script("Latn")

  /// The script of characters that all scripts use: digits, spaces, punctuation.
  package static let common = Script("Zyyy")

  /// The script of marks, which take the script of their letter.
  package static let inherited = Script("Zinh")

  private static let eastAsian: Set<Script> = [
    Script("Hani"), Script("Hira"), Script("Kana"), Script("Hang"), Script("Bopo"), Script("Yiii"),
  ]

  private static let alphabets: Set<Script> = [
    latin, common, inherited, Script("Grek"), Script("Cyrl"), Script("Armn"), Script("Geor"),
  ]

  /// Whether the script is one of those that are also written downward.
  var isEastAsian: Bool { Self.eastAsian.contains(self) }

  /// Whether letters of the script can stand below each other, since they neither join nor form
  /// clusters.
  package var isStackable: Bool { isEastAsian || Self.alphabets.contains(self) }

  /// Whether scalars of the script take the script of their neighbours.
  var isShared: Bool { self == .common || self == .inherited }
}
