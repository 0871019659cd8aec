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

  @Test("a file that is no font is skipped")
  func damaged() throws {
    let library = try FontLibrary(
      searchPaths: [], named: ["Noto Sans Bold"], in: [folder.path("")])
    #expect(library.files == (try FontLibrary(searchPaths: [])).files)
  }
}
