import Foundation
import TestSupport
import Testing

@testable import Raster

@Suite("Fonts")
struct FontTests {
  let library: FontLibrary

  init() throws {
    library = try FontLibrary(searchPaths: [])
  }

  @Test(
    "a font's name gives family, weight, slant and width",
    arguments: [
      ("Noto Sans Regular", "noto sans", 400, false, false),
      ("Open Sans Semi Bold Italic", "open sans", 600, true, false),
      ("DejaVuSansCondensed-BoldOblique", "deja vu sans", 700, true, true),
      ("Arial Unicode MS Regular", "arial unicode ms", 400, false, false),
      ("Roboto ExtraLight", "roboto", 200, false, false), ("", "", 400, false, false),
    ])
  func traits(name: String, family: String, weight: Int, slanted: Bool, condensed: Bool) {
    let traits = FontTraits(name: name)
    #expect(traits.family == family && traits.weight == weight)
    #expect(traits.isSlanted == slanted && traits.isCondensed == condensed)
  }

  @Test(
    "the nearest face is the fallback for a stack",
    arguments: [
      (["DejaVu Sans Bold"], "DejaVuSans-Bold"), (["Open Sans Regular"], "OpenSans-Regular"),
      (["Open Sans Semibold", "Arial Unicode MS Bold"], "OpenSans-Semibold"),
      (["Roboto Medium"], "OpenSans-Regular"), (["Lato Black"], "OpenSans-ExtraBold"),
      (["Noto Serif Italic"], "DejaVuSerif-Italic"), (["Fira Mono Bold"], "DejaVuSansMono-Bold"),
      (["Nowhere Light", "DejaVu Serif Bold"], "DejaVuSerif-Bold"),
      (["Noto Sans Condensed"], "DejaVuSansCondensed"), ([], "OpenSans-Regular"),
    ] as [([String], String)])
  func standIns(stack: [String], file: String) throws {
    #expect(try library.face(forStack: stack).path.hasSuffix("/\(file).ttf"))
  }

  @Test("a font face is opened once")
  func opensOnce() throws {
    #expect(try library.face(forStack: ["A Bold"]) === library.face(forStack: ["B Bold"]))
  }

  @Test("a wrong slant weighs more than any weight, and lighter is nearer up to 500")
  func distances() {
    let wanted = FontTraits(name: "X Bold")
    #expect(
      FontTraits(name: "X Thin").distance(to: wanted)
        < FontTraits(name: "X Bold Italic").distance(to: wanted))
    let regular = FontTraits(name: "X")
    #expect(
      FontTraits(name: "X Light").distance(to: regular)
        < FontTraits(name: "X Medium").distance(to: regular))
    #expect(wanted.distance(to: wanted) == 0)
  }

  @Test(
    "a file that is not a font is an error that names it",
    arguments: [#filePath, "/nowhere/font.ttf"])
  func unreadable(path: String) {
    let error = #expect(throws: FontError.self) { try FontFace(path: path) }
    #expect(error?.code == .unreadable && error?.path == path)
    #expect(error?.message.contains(path) == true)
  }

  @Test(
    "the default fonts are the fallback for missing families, whatever fonts are searched first")
  func standInBesideOthers() throws {
    let own = try library.face(forStack: ["DejaVu Sans"]).path
    let folder = try TemporaryFolder()
    // The same font under a name as long as its own, in both encodings of a name table.
    var bytes = Array(try Data(contentsOf: URL(filePath: own)))
    for pad in [[], [UInt8(0)]] {
      let (old, new) = (Array("DejaVu Sans".utf8), Array("Kufi Arabic".utf8))
      let (from, to) = (old.flatMap { pad + [$0] }, new.flatMap { pad + [$0] })
      while let range = bytes.firstRange(of: from) { bytes.replaceSubrange(range, with: to) }
    }
    try Data(bytes).write(to: URL(filePath: folder.path("A.ttf")))
    let library = try FontLibrary(searchPaths: [folder.path("")])
    #expect(try library.face(forStack: ["Kufi Arabic"]).path == folder.path("A.ttf"))
    for stack in [[], ["Open Sans Regular"], ["Noto Sans Bold"], ["Fira Mono"]] {
      let face = try library.face(forStack: stack)
      #expect(face.path != folder.path("A.ttf"), "\(stack)")
    }
    #expect(try library.standIn(forStack: ["Nowhere Bold"]) == "Open Sans Bold")
    #expect(try library.standIn(forStack: ["Nowhere Mono"]) == "DejaVu Sans Mono Book")
    // Whoever names a common font of the web expects any clear one.
    for name in ["Open Sans Regular", "Noto Sans Bold", "Arial", "Helvetica Neue Light"] {
      #expect(try library.standIn(forStack: [name]) == nil)
    }
  }

  @Test("files that are not fonts are skipped in the search")
  func searchPaths() throws {
    let library = try FontLibrary(searchPaths: [#filePath, "/nowhere"])
    #expect(try library.face(forStack: []).path.hasSuffix("/OpenSans-Regular.ttf"))
  }

  @Test("many threads may use one font library and one face concurrently")
  func threads() async throws {
    let library = library
    let widths = try await withThrowingTaskGroup(of: Double.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try TextShaper(fonts: library).advanceWidth(
            of: "The quick brown fox 0123456789", style: TextStyle(maxWidth: 0))
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(widths.count == 1)
  }
}
