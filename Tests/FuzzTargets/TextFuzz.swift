import Raster
import SystemPackage

/// Texts of labels: two bytes of options, then UTF-8.
enum TextFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let (form, width) = (input.byte(), input.byte())
    let text = String(decoding: input.rest, as: UTF8.self)
    let fonts = try FontLibrary(searchPaths: [])
    return try TextReading.check(text, form, width: width, fonts: fonts)
  }
}

/// Fonts: a byte that chooses a table, then damage to it in a good font, whose text is then set.
enum FontFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    guard let path = try FontLibrary(searchPaths: []).files.first(where: isSample) else {
      return false
    }
    var font = try ScratchFile.content(of: path)
    let range = table(tables[Int(choice) % tables.count], in: font)
    let damaged = Damage.apply(&input, to: Array(font[range]), pageSize: 64)
    font.replaceSubrange(range, with: damaged)
    let file = try ScratchFile()
    try file.write(font)
    guard (try? FontFace(path: file.path.string)) != nil else { return false }
    let fonts = try FontLibrary(searchPaths: [file.path.string])
    for text in ["office AVA é", "\u{628}\u{644}\u{627} \u{639}\u{64F}", "\u{5D1}\u{5B8}"] {
      _ = try TextReading.check(text, choice, width: 4, fonts: fonts)
    }
    return true
  }

  private static func isSample(_ path: String) -> Bool { path.hasSuffix("/DejaVuSans.ttf") }

  /// The tables that decide on glyphs; the empty name is the list of tables itself.
  private static let tables = [
    "GSUB", "GPOS", "GDEF", "cmap", "hmtx", "head", "hhea", "maxp", "kern", "glyf", "loca", "",
  ]

  /// Returns the bytes of a table of a good font.
  private static func table(_ name: String, in font: [UInt8]) -> Range<Int> {
    func number(_ place: Int) -> Int {
      font[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let count = Int(font[4]) << 8 | Int(font[5])
    for record in 0..<count {
      let place = 12 + 16 * record
      guard font[place..<place + 4].elementsEqual(name.utf8) else { continue }
      let start = min(number(place + 8), font.count)
      return start..<min(start + number(place + 12), font.count)
    }
    return 0..<min(12 + 16 * count, font.count)
  }
}

/// A text set twice, and what must hold of it.
private enum TextReading {
  static func check(_ text: String, _ form: UInt8, width: UInt8, fonts: FontLibrary) throws -> Bool
  {
    let modes = [TextStyle.WritingMode.horizontal, .vertical, .stacked, .horizontal]
    let style = TextStyle(
      fontStack: [form.has(bit: 4) ? "DejaVu Serif" : "DejaVu Sans"], size: 12,
      letterSpacing: form.has(bit: 2) ? 0.1 : 0, maxWidth: Double(width % 32),
      writingMode: modes[Int(form & 3)])
    let cut = text.index(text.startIndex, offsetBy: text.count / 2)
    let sections =
      form.has(bit: 3)
      ? [TextSection(String(text[..<cut])), TextSection(String(text[cut...]), scale: 2)]
      : [TextSection(text)]
    let shaper = TextShaper(fonts: fonts)
    let layout = try shaper.layout(sections, style: style)
    let scalars = min(text.unicodeScalars.count, TextShaper.maxLength)
    try require(layout.middles.count <= scalars, "more clusters than characters")
    try require(layout.lineCount <= scalars + 1, "more lines than characters")
    try require(layout.width.isFinite && layout.height.isFinite, "no finite size")
    try require(layout.middles.allSatisfy(\.isFinite), "no finite place")
    let shaped = try shaper.shape(sections, style: style)
    try require(
      try TextShaper(fonts: fonts).shape(sections, style: style).path == shaped.path,
      "set again, it differs")
    let poses = layout.middles.map { GlyphPose(x: Float($0), y: 0) }
    try require(
      layout.shaped(along: poses).path.isEmpty == shaped.path.isEmpty, "bent, it draws nothing")
    return !shaped.path.isEmpty
  }
}
