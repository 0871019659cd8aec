import Foundation
import TestSupport
import Testing
import TextAnalysis

@testable import Raster

/// The glyphs of texts in the fonts of Noto, beside those of `uharfbuzz` of PyPI, which brings a
/// HarfBuzz of its own.
@Suite("Glyphs beside uharfbuzz", .enabled(if: Reference.isAvailable, "no uharfbuzz or no Noto"))
struct HarfBuzzReferenceTests {
  @Test("glyphs and positions are those of uharfbuzz", arguments: Reference.Sample.all)
  func glyphs(sample: Reference.Sample) throws {
    // Random letters make no words: versions of HarfBuzz differ on where broken clusters end.
    let isSameVersion = TextLibraries.versions.contains("HarfBuzz \(Reference.version)")
    let texts = sample.texts + (isSameVersion ? sample.random(count: 2000) : [])
    let wanted = try Reference.lines(sample, texts)
    #expect(wanted.count == texts.count)
    let fonts = try FontLibrary(searchPaths: [sample.file])
    let face = ShapingFaces(fonts: fonts).face(try FontFace(path: sample.file))
    let shaper = RunShaper()
    var failures: [String] = []
    for (text, line) in zip(texts, wanted) {
      let scalars = text.unicodeScalars.map(\.value)
      let run = TextRun(
        range: scalars.indices, scale: 1, face: face, level: sample.isLeftward ? 1 : 0,
        script: Script(sample.script), isUpright: sample.isVertical)
      let glyphs = shaper.glyphs(of: run, in: scalars, line: scalars.indices, isSpaced: false)
      let own = glyphs.map { "\($0.index),\($0.cluster),\($0.advance),\($0.offsetX),\($0.offsetY)" }
        .joined(separator: " ")
      if own != line { failures.append("\(text): \(own) instead of \(line)") }
    }
    #expect(
      failures.isEmpty, "\(failures.count) of \(texts.count): \(failures.prefix(3))")
  }
}

enum Reference {
  /// The version of HarfBuzz within uharfbuzz; empty if it is not installed.
  static let version =
    (try? run(["-c", "import uharfbuzz as hb; print(hb.version_string())"], input: ""))?
    .split(separator: "\n").first.map(String.init) ?? ""

  static let isAvailable =
    FileManager.default.fileExists(atPath: Sample.folder + "NotoSansDevanagari-Regular.ttf")
    && !version.isEmpty

  struct Sample: CustomTestStringConvertible, Sendable {
    static let folder = "/usr/share/fonts/truetype/noto/"

    let font: String
    let script: String
    var isLeftward = false
    var isVertical = false
    let block: ClosedRange<UInt32>
    let texts: [String]

    var file: String {
      font.hasPrefix("/") ? font : Sample.folder + font
    }

    var testDescription: String { "\(font) \(script)\(isVertical ? " vertical" : "")" }

    static let all = [
      Sample(
        font: "NotoSans-Regular.ttf", script: "Latn", block: 0x20...0x17F,
        texts: ["AVAToTe", "office", "Ångström", "e\u{301}a\u{308}", "Việt Nam"]),
      Sample(
        font: "NotoSansArabic-Regular.ttf", script: "Arab", isLeftward: true, block: 0x620...0x6D3,
        texts: ["السلام", "مُحَمَّد", "القاهرة", "لا إله", "تهران", "۱۲۳"]),
      Sample(
        font: "NotoNastaliqUrdu-Regular.ttf", script: "Arab", isLeftward: true,
        block: 0x627...0x64A, texts: ["پاکستان", "اسلام آباد", "کراچی", "لاہور"]),
      Sample(
        font: "NotoSansHebrew-Regular.ttf", script: "Hebr", isLeftward: true, block: 0x5B0...0x5EA,
        texts: ["שָׁלוֹם", "ירושלים", "תל אביב"]),
      Sample(
        font: "NotoSansDevanagari-Regular.ttf", script: "Deva", block: 0x905...0x94D,
        texts: ["हिन्दी", "क्षत्रिय", "दिल्ली", "श्री", "र्क", "मुंबई", "कर्नाटक"]),
      Sample(
        font: "NotoSansBengali-Regular.ttf", script: "Beng", block: 0x995...0x9CD,
        texts: ["বাংলাদেশ", "কলকাতা", "শ্রী", "ক্ষ", "ঢাকা", "র্ক"]),
      Sample(
        font: "NotoSansTamil-Regular.ttf", script: "Taml", block: 0xB95...0xBCD,
        texts: ["தமிழ்நாடு", "சென்னை", "கோயம்புத்தூர்", "ஸ்ரீ"]),
      Sample(
        font: "NotoSansKhmer-Regular.ttf", script: "Khmr", block: 0x1780...0x17D2,
        texts: ["ភ្នំពេញ", "កម្ពុជា", "សៀមរាប", "ស្ត្រី"]),
      Sample(
        font: "NotoSansThai-Regular.ttf", script: "Thai", block: 0xE01...0xE4D,
        texts: ["กรุงเทพ", "น้ำ", "ที่นี่", "ปู่", "ญู"]),
      Sample(
        font: "NotoSansLao-Regular.ttf", script: "Laoo", block: 0xE81...0xECD,
        texts: ["ວຽງຈັນ", "ນ້ຳ", "ລາວ"]),
      Sample(
        font: "NotoSansMyanmar-Regular.ttf", script: "Mymr", block: 0x1000...0x104F,
        texts: ["မြန်မာ", "ရန်ကုန်", "နေပြည်တော်", "ကြွ"]),
      Sample(
        font: "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", script: "Hani",
        block: 0x3001...0x30FF, texts: ["東京都", "「北京」。", "ラーメン、(1)"]),
      Sample(
        font: "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", script: "Hani",
        isVertical: true, block: 0x3001...0x30FF, texts: ["東京都", "「北京」。", "ラーメン、"]),
    ]

    /// Returns random texts of the block's characters, the same in every run.
    func random(count: Int) -> [String] {
      var random = SplitMix64(seed: UInt64(block.lowerBound))
      return (0..<count).map { _ in
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let scalar = Unicode.Scalar(UInt32.random(in: block, using: &random)) ?? " "
          // Old versions of uharfbuzz know no flags: a mark that begins the text, and characters
          // that are removed.
          if text.isEmpty, !scalar.properties.isAlphabetic || scalar.isMark { continue }
          if !TextShaper.needsGlyph(scalar) { continue }
          text.append(scalar)
        }
        return String(text)
      }
    }
  }

  private static let script = """
    import sys, uharfbuzz as hb
    path, script, direction = sys.argv[1:4]
    font = hb.Font(hb.Face(hb.Blob.from_file_path(path), 0))
    for line in sys.stdin.read().split('\\n'):
        buf = hb.Buffer()
        buf.add_codepoints([int(x, 16) for x in line.split()])
        buf.script, buf.direction = script, direction
        if hasattr(hb, 'BufferFlags'):
            flags = hb.BufferFlags
            buf.flags = flags.BOT | flags.EOT | flags.REMOVE_DEFAULT_IGNORABLES
        hb.shape(font, buf)
        print(' '.join('%d,%d,%d,%d,%d' % (i.codepoint, i.cluster,
          -p.y_advance if direction == 'ttb' else p.x_advance, p.x_offset, p.y_offset)
          for i, p in zip(buf.glyph_infos or [], buf.glyph_positions or [])))
    """

  /// Returns a line for each text: glyph, cluster, advance and offsets of each.
  static func lines(_ sample: Sample, _ texts: [String]) throws -> [String] {
    let input = texts.map { text in
      text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
    }
    let direction = sample.isVertical ? "ttb" : sample.isLeftward ? "rtl" : "ltr"
    let output = try run(
      ["-c", script, sample.file, sample.script, direction], input: input.joined(separator: "\n"))
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
  }

  private struct Failed: Error {}

  private static func run(_ arguments: [String], input: String) throws -> String {
    let python = ProcessInfo.processInfo.environment["QUADRILLE_PYTHON"] ?? "python3"
    let told = try Program.runInstalled([python] + arguments, input: input)
    guard told.status == 0 else { throw Failed() }
    return told.output
  }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
  }
}
