/// Joining of the letters of Arabic script: each becomes the presentation form that fits its
/// neighbours.
///
/// Covers the letters of Arabic, Persian, Urdu and related languages that have such forms
/// (U+FB50–FBFF, U+FE70–FEFC), and the ligatures of lam and alef. Joining types are those of
/// Unicode's ArabicShaping.txt; letters without forms do not join.
enum ArabicJoining {
  /// The neighbours that a character joins.
  private enum Kind {
    /// No neighbour.
    case none
    /// The one before, like alef.
    case before
    /// Both, like beh.
    case both
    /// Both, without changing its own form, like the tatweel and the joiner U+200D.
    case joiner
    /// Ignored by others, like vowel marks.
    case transparent
  }

  /// The isolated forms; after each come the final one and, for letters that join on both sides,
  /// the initial and the medial one.
  private static let isolatedForms: [UInt32: UInt32] = [
    0x622: 0xFE81, 0x623: 0xFE83, 0x624: 0xFE85, 0x625: 0xFE87, 0x626: 0xFE89, 0x627: 0xFE8D,
    0x628: 0xFE8F, 0x629: 0xFE93, 0x62A: 0xFE95, 0x62B: 0xFE99, 0x62C: 0xFE9D, 0x62D: 0xFEA1,
    0x62E: 0xFEA5, 0x62F: 0xFEA9, 0x630: 0xFEAB, 0x631: 0xFEAD, 0x632: 0xFEAF, 0x633: 0xFEB1,
    0x634: 0xFEB5, 0x635: 0xFEB9, 0x636: 0xFEBD, 0x637: 0xFEC1, 0x638: 0xFEC5, 0x639: 0xFEC9,
    0x63A: 0xFECD, 0x641: 0xFED1, 0x642: 0xFED5, 0x643: 0xFED9, 0x644: 0xFEDD, 0x645: 0xFEE1,
    0x646: 0xFEE5, 0x647: 0xFEE9, 0x648: 0xFEED, 0x649: 0xFEEF, 0x64A: 0xFEF1, 0x671: 0xFB50,
    0x679: 0xFB66, 0x67A: 0xFB5E, 0x67B: 0xFB52, 0x67E: 0xFB56, 0x67F: 0xFB62, 0x680: 0xFB5A,
    0x683: 0xFB76, 0x684: 0xFB72, 0x686: 0xFB7A, 0x687: 0xFB7E, 0x688: 0xFB88, 0x68C: 0xFB84,
    0x68D: 0xFB82, 0x68E: 0xFB86, 0x691: 0xFB8C, 0x698: 0xFB8A, 0x6A4: 0xFB6A, 0x6A6: 0xFB6E,
    0x6A9: 0xFB8E, 0x6AD: 0xFBD3, 0x6AF: 0xFB92, 0x6B1: 0xFB9A, 0x6B3: 0xFB96, 0x6BA: 0xFB9E,
    0x6BB: 0xFBA0, 0x6BE: 0xFBAA, 0x6C0: 0xFBA4, 0x6C1: 0xFBA6, 0x6C5: 0xFBE0, 0x6C6: 0xFBD9,
    0x6C7: 0xFBD7, 0x6C8: 0xFBDB, 0x6C9: 0xFBE2, 0x6CB: 0xFBDE, 0x6CC: 0xFBFC, 0x6D0: 0xFBE4,
    0x6D2: 0xFBAE, 0x6D3: 0xFBB0,
  ]

  /// The letters among them that only join the one before; U+06BA has no other forms.
  private static let joinsBefore: Set<UInt32> = [
    0x622, 0x623, 0x624, 0x625, 0x627, 0x629, 0x62F, 0x630, 0x631, 0x632, 0x648, 0x671, 0x688,
    0x68C, 0x68D, 0x68E, 0x691, 0x698, 0x6BA, 0x6C0, 0x6C5, 0x6C6, 0x6C7, 0x6C8, 0x6C9, 0x6CB,
    0x6D2, 0x6D3,
  ]

  private static let lam: UInt32 = 0x644

  /// The isolated ligature of lam with each of these letters; the final one follows it.
  private static let lamLigatures: [UInt32: UInt32] = [
    0x622: 0xFEF5, 0x623: 0xFEF7, 0x625: 0xFEF9, 0x627: 0xFEFB,
  ]

  /// Whether any letter may need joining.
  static func concerns(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    scalars.contains { (0x620...0x6FF).contains($0.value) }
  }

  /// Returns the scalar to draw in place of each scalar; `nil` where it is part of the ligature
  /// before.
  ///
  /// - Parameters:
  ///   - scalars: in reading order.
  ///   - isOne: whether a ligature may stand for the scalars at two indices.
  ///   - hasForm: whether a form can be drawn in place of the scalar at an index; otherwise the
  ///     letter is unchanged.
  /// - Complexity: O(scalars).
  static func joined(
    _ scalars: [Unicode.Scalar], isOne: (Int, Int) -> Bool,
    hasForm: (Unicode.Scalar, Int) throws -> Bool
  ) rethrows -> [Unicode.Scalar?] {
    var drawn: [Unicode.Scalar?] = scalars
    let kinds = scalars.map(kind)
    let solid = scalars.indices.filter { kinds[$0] != .transparent }
    func form(_ value: UInt32, _ index: Int) throws -> Unicode.Scalar? {
      guard let form = Unicode.Scalar(value), try hasForm(form, index) else { return nil }
      return form
    }
    for (place, index) in solid.enumerated() {
      guard drawn[index] != nil, let isolated = isolatedForms[scalars[index].value] else {
        continue
      }
      let next = place + 1 < solid.count ? solid[place + 1] : nil
      let joinsBefore = place > 0 && reachesForward(kinds[solid[place - 1]])
      let joinsAfter = kinds[index] == .both && next.map { kinds[$0] != .none } ?? false
      if scalars[index].value == lam, let next, isOne(index, next),
        let ligature = lamLigatures[scalars[next].value],
        let drawnAsOne = try form(ligature + (joinsBefore ? 1 : 0), index)
      {
        drawn[index] = drawnAsOne
        drawn[next] = nil
        continue
      }
      guard joinsBefore || joinsAfter else { continue }
      let offset: UInt32 = joinsAfter ? (joinsBefore ? 3 : 2) : 1
      // The forms of alef maksura are in another place.
      let value =
        scalars[index].value == 0x649 && joinsAfter ? 0xFBE6 + offset : isolated + offset
      if let found = try form(value, index) { drawn[index] = found }
    }
    return drawn
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x640, 0x200D: return .joiner
    case 0xAD, 0x200E...0x200F, 0x61C: return .transparent
    case 0x610...0x61A, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7...0x6E8,
      0x6EA...0x6ED, 0x300...0x36F, 0x8CA...0x8E1, 0x8E3...0x8FF:
      return .transparent
    default:
      guard isolatedForms[scalar.value] != nil else { return .none }
      return joinsBefore.contains(scalar.value) ? .before : .both
    }
  }

  private static func reachesForward(_ kind: Kind) -> Bool { kind == .both || kind == .joiner }
}
