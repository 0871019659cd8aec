import Foundation
import Testing

@testable import sample_data

@Suite struct GallerySampleTests {
  private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs")

  @Test func `the data of the gallery in docs is what the generator makes`() throws {
    for (name, bytes) in GallerySample.files() {
      let file = try Data(contentsOf: Self.docs.appendingPathComponent("gallery/\(name)"))
      #expect(file == Data(bytes), "\(name): make it anew with 'sample-data gallery docs/gallery'")
    }
  }

  @Test func `the file of the tutorial in docs is what the generator makes, in Windows-1252`()
    throws
  {
    let bytes = TutorialSample.bytes()
    #expect(
      try Data(contentsOf: Self.docs.appendingPathComponent("tutorial/cafes.csv")) == Data(bytes))
    #expect(String(validating: bytes, as: UTF8.self) == nil)
  }

  @Test func `the sprite has an icon or a pattern in each of its squares, and patterns repeat`() {
    let image = SpriteSample(density: 1).image()
    for (number, name) in SpriteSample.names.enumerated() {
      var drawn = 0
      for y in 0..<20 {
        for x in 0..<20 where image.indices[y * image.width + number * 20 + x] > 0 { drawn += 1 }
      }
      #expect((30...380).contains(drawn), "\(name): \(drawn)")
    }
  }
}
