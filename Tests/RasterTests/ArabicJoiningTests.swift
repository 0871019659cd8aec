import Testing

@testable import Raster

@Suite("ArabicJoining")
struct ArabicJoiningTests {
  @Test(
    "Arabic letters take the form that fits their neighbours",
    arguments: [
      (
        "\u{645}\u{631}\u{62D}\u{628}\u{627} \u{628}\u{627}\u{644}\u{639}\u{627}\u{644}\u{645}",
        [
          0xFEE3, 0xFEAE, 0xFEA3, 0xFE92, 0xFE8E, 0x20, 0xFE91, 0xFE8E, 0xFEDF, 0xFECC, 0xFE8E,
          0xFEDF, 0xFEE2,
        ]
      ),
      ("\u{627}\u{644}\u{633}\u{644}\u{627}\u{645}", [0x627, 0xFEDF, 0xFEB4, 0xFEFC, 0x645]),
      ("\u{644}\u{627}", [0xFEFB]),
      ("\u{628}\u{644}\u{627}", [0xFE91, 0xFEFC]),
      (
        "\u{643}\u{650}\u{62A}\u{64E}\u{627}\u{628}", [0xFEDB, 0x650, 0xFE98, 0x64E, 0xFE8E, 0x628]
      ),
      (
        "\u{67E}\u{646}\u{62C}\u{200C}\u{634}\u{646}\u{628}\u{647}",
        [0xFB58, 0xFEE8, 0xFE9E, 0x200C, 0xFEB7, 0xFEE8, 0xFE92, 0xFEEA]
      ),
      ("\u{6AF}\u{686}", [0xFB94, 0xFB7B]),
      ("\u{639}\u{644}\u{649}", [0xFECB, 0xFEE0, 0xFEF0]),
      ("\u{628}\u{640}", [0xFE91, 0x640]),
      (
        "\u{646}\u{633}\u{62A}\u{639}\u{644}\u{6CC}\u{642}",
        [0xFEE7, 0xFEB4, 0xFE98, 0xFECC, 0xFEE0, 0xFBFF, 0xFED6]
      ),
      ("\u{649}\u{649} \u{649}\u{628}\u{649}", [0xFBE8, 0xFEF0, 0x20, 0xFBE8, 0xFE92, 0xFEF0]),
    ] as [(String, [UInt32])])
  func forms(text: String, forms: [UInt32]) {
    let scalars = Array(text.unicodeScalars)
    let drawn = ArabicJoining.joined(scalars, isOne: { _, _ in true }, hasForm: { _, _ in true })
    #expect(drawn.compactMap { $0?.value } == forms)
  }

  @Test("a missing presentation form leaves the letter, and lam and alef of two sections stay two")
  func missingForms() {
    let scalars = Array("\u{628}\u{644}\u{627}".unicodeScalars)
    let without = ArabicJoining.joined(
      scalars, isOne: { _, _ in true }, hasForm: { form, _ in form.value < 0xFEF5 })
    #expect(without.map { $0?.value } == [0xFE91, 0xFEE0, 0xFE8E])
    let none = ArabicJoining.joined(scalars, isOne: { _, _ in true }, hasForm: { _, _ in false })
    #expect(none.map { $0?.value } == [0x628, 0x644, 0x627])
    let apart = ArabicJoining.joined(scalars, isOne: { _, _ in false }, hasForm: { _, _ in true })
    #expect(apart.map { $0?.value } == [0xFE91, 0xFEE0, 0xFE8E])
  }

  @Test("Arabic labels are drawn in their presentation forms, from right to left")
  func labels() throws {
    let shaper = TextShaper(fonts: try FontLibrary(searchPaths: []))
    let style = TextStyle(size: 20, maxWidth: 0)
    // The forms in the order in which they stand from left to right, which an override would keep.
    let joined = try shaper.shape("\u{628}\u{644}\u{627}", style: style)
    let forms = try shaper.shape("\u{FE91}\u{FEFC}", style: style)
    let letters = try shaper.shape("\u{628}\u{200C}\u{644}\u{200C}\u{627}", style: style)
    #expect(joined.path == forms.path && joined.path != letters.path)
    #expect(joined.width < letters.width && joined.missingGlyphs == 0)
  }
}
