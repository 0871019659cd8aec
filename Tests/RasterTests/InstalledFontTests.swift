import TestSupport
import Testing

@testable import Raster

@Suite("Fonts of the system that a style names")
struct InstalledFontTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in [
      "truetype/noto/NotoSans-Bold.ttf", "truetype/noto/NotoSans-Regular.ttf",
      "truetype/noto/NotoSansThai-Regular.ttf", "opentype/PTSans-Italic.otf", "Roboto.txt",
    ] {
      try folder.write("no font", to: name)
    }
  }

  private func names(_ fonts: String...) -> [String] {
    InstalledFonts.files(ofFamilies: fonts, in: [folder.path("")]).map {
      $0.split(separator: "/").last.map(String.init) ?? ""
    }
  }

  @Test("files of a family are found by their names in any style, and no others")
  func families() {
    #expect(names("Noto Sans Semibold Italic") == ["NotoSans-Bold.ttf", "NotoSans-Regular.ttf"])
    #expect(
      names("PT Sans Regular", "Noto Sans Thai") == [
        "PTSans-Italic.otf", "NotoSansThai-Regular.ttf",
      ])
    #expect(names("Roboto", "Bold").isEmpty)
  }

  @Test("fonts of scripts are upright, and regular or bold")
  func scripts() throws {
    for name in ["NotoSansThai-Italic.ttf", "NotoSansThai-Thin.ttf", "NotoSerifThai-Regular.ttf"] {
      try folder.write("no font", to: "more/\(name)")
    }
    try folder.write("no font", to: "more/NotoSansCJK-Bold.ttc")
    let files = InstalledFonts.files(ofScriptsIn: [folder.path("")])
    #expect(
      files.map { $0.split(separator: "/").last ?? "" } == [
        "NotoSansCJK-Bold.ttc", "NotoSans-Bold.ttf", "NotoSans-Regular.ttf",
        "NotoSansThai-Regular.ttf",
      ])
  }

  @Test("a common font of the web that is not installed is worth a note where it is searched for")
  func note() throws {
    let stack = ["Noto Sans Regular"]
    #expect(try FontLibrary(searchPaths: []).standIn(forStack: stack) == nil)
    let library = try FontLibrary(searchPaths: [], named: stack, in: [folder.path("")])
    #expect(try library.standIn(forStack: stack) != nil)
  }

  @Test("a file that is no font is skipped")
  func damaged() throws {
    let library = try FontLibrary(
      searchPaths: [], named: ["Noto Sans Bold"], in: [folder.path("")])
    #expect(library.files == (try FontLibrary(searchPaths: [])).files)
  }
}
