import Foundation
import PNG
import Raster
import TestSupport
import Testing

@Suite("docs/tutorial.md")
struct TutorialTests {
  @Test("can be followed to the letter: each command succeeds, and prints what the page shows")
  func steps() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: packageRoot.appendingPathComponent("docs/tutorial/cafes.csv"),
      to: folder.url.appendingPathComponent("cafes.csv"))
    var output = ""
    var commands = 0
    for block in try CodeBlock.blocks(of: "docs/tutorial.md") {
      switch block.language {
      case "sh":
        // The preview waits for a browser.
        guard !block.text.contains("quadrille preview") else { continue }
        let run = try Program.Run(
          [
            "-ec", "PATH=\"$1:$PATH\"; \(block.text)", "tutorial",
            Program.url.deletingLastPathComponent().path,
          ], in: folder, program: "/bin/sh"
        ).finish()
        #expect(run.status == 0, "line \(block.line): \(run.errors)")
        output = run.output
        commands += 1
      case "" where !block.text.contains("* * *"):
        for line in block.text.split(separator: "\n") {
          #expect(output.contains(line), "line \(block.line): \(line)\n\(output)")
        }
      case "yaml":
        let pipeline = String(decoding: try folder.bytes("cafes.yml"), as: UTF8.self)
        for line in block.text.split(separator: "\n") {
          #expect(pipeline.contains(line), "line \(block.line): \(line)")
        }
      default: break
      }
    }
    #expect(commands >= 6)
    let names = try folder.names()
    for name in ["cafes.mbtiles", "cafes@2x.mbtiles", "cafes.pmtiles", "cafes.legend.png", "tiles"]
    {
      #expect(names.contains(name), "\(names)")
    }
    try compare(folder)
  }

  /// Compares the picture of the page with the one that its command drew.
  private func compare(_ folder: TemporaryFolder) throws {
    let file = packageRoot.appendingPathComponent("docs/tutorial/cafes.png")
    let drawn = try folder.bytes("cafes.png")
    if ProcessInfo.processInfo.environment["QUADRILLE_BLESS"] == "1" {
      try Data(drawn).write(to: file)
      return
    }
    let picture = try PNGDecoder().decode(drawn)
    let shown = try PNGDecoder().decode([UInt8](Data(contentsOf: file)))
    #expect(picture.width == shown.width && picture.height == shown.height)
    #expect(picture.colors.count > 5 && picture.differing(from: shown) < 0.01)
  }
}
