import PNG
import Raster
import Sprites
import Styling
import TestSupport
import Testing

@Suite("The index of a sprite")
struct SpriteIndexTests {
  private func index(_ text: String) throws -> SpriteIndex {
    try SpriteIndex(Array(text.utf8), name: "sprite.json")
  }

  /// An index of one image with some members.
  private func one(_ members: String) -> String {
    #"{"a": {"x": 0, "y": 0, "width": 4, "height": 4\#(members.isEmpty ? "" : ", " + members)}}"#
  }

  @Test("an index has the places and the meaning of its images, and leaves empty ones out")
  func entries() throws {
    let entries = try index(
      """
      {"pin": {"x": 3, "y": 2, "width": 4, "height": 5, "pixelRatio": 2, "sdf": true, "other": []},
       "box": {"x": 0, "y": 0, "width": 9, "height": 8, "stretchX": [[1, 3], [4, 6.5]],
               "stretchY": [[0, 8]], "content": [1, 0, 9, 8],
               "textFitWidth": "stretchOnly", "textFitHeight": "proportional"},
       "none": {"x": 0, "y": 0, "width": 0, "height": 8}}
      """
    ).entries
    #expect(entries.map(\.name) == ["pin", "box"])
    #expect(entries[0].x == 3 && entries[0].y == 2 && entries[0].height == 5)
    #expect(entries[0].geometry == StyleImageGeometry(pixelRatio: 2, isSDF: true))
    #expect(entries[1].geometry.stretchX == [1...3, 4...6.5])
    #expect(entries[1].geometry.content?.right == 9)
    #expect(entries[1].geometry.textFitWidth == .stretchOnly)
    #expect(entries[1].geometry.textFitHeight == .proportional)
    #expect(entries[0].geometry.textFitHeight == .stretchOrShrink)
  }

  @Test(
    "an index that is wrong is refused with the image and the key",
    arguments: [
      ("[]", "a JSON object"), (#"{"a": 1}"#, "image 'a' of the sprite is not an object"),
      (#"{"a": {"x": 0, "y": 0, "width": 4}}"#, "'height'"),
      (#"{"a": {"x": -1, "y": 0, "width": 4, "height": 4}}"#, "'x'"),
      (#"{"a": {"x": 0, "y": 1.5, "width": 4, "height": 4}}"#, "'y'"),
      (#"{"a": {"x": 0, "y": 0, "width": 1e300, "height": 4}}"#, "'width'"),
      (#"{"a": {"x": 0, "y": 0, "width": 4, "height": 99999}}"#, "'height'"),
      (#"{"a": {"x": 0, "y": 0, "width": 4, "height": 4, "pixelRatio": 0}}"#, "'pixelRatio'"),
      (#"{"a": {"x": 0, "y": 0, "width": 4, "height": 4, "stretchX": [[2, 1]]}}"#, "'stretchX'"),
      (#"{"a": {"x": 0, "y": 0, "width": 4, "height": 4, "stretchY": [[0, 5]]}}"#, "'stretchY'"),
      (
        #"{"a": {"x": 0, "y": 0, "width": 4, "height": 4, "stretchX": [[0, 2], [1, 3]]}}"#,
        "'stretchX'"
      ),
      (#"{"a": {"x": 0, "y": 0, "width": 4, "height": 4, "content": [0, 0, 4]}}"#, "'content'"),
      (#"{"a": {"x": 0, "y": 0, "width": 4, "height": 4, "content": [3, 0, 2, 4]}}"#, "'content'"),
      (#"{"a": {"x": 0, "y": 0, "width": 4, "height": 4, "textFitWidth": 1}}"#, "'textFitWidth'"),
      (
        #"{"a": {"x": 0, "y": 0, "width": 4, "height": 4, "textFitHeight": "shrink"}}"#,
        "'textFitHeight', which is stretchOrShrink, stretchOnly or proportional"
      ),
    ])
  func refusals(text: String, words: String) throws {
    do {
      _ = try index(text)
      Issue.record("accepted: \(text)")
    } catch let error as SpriteError {
      #expect(error.message.contains(words), "\(error.message)")
    }
  }

  @Test("an index with an image too many is refused")
  func count() throws {
    let many = (0...20_000).map {
      #""\#($0)": {"x": 0, "y": 0, "width": 1, "height": 1}"#
    }
    #expect(throws: SpriteError.self) { try index("{\(many.joined(separator: ","))}") }
  }

  @Test("images are cut from the PNG; one beyond its edge is refused")
  func cut() throws {
    let sheet = Pixmap(width: 4, height: 2)
    for index in 0..<8 { sheet.pixels[index] = 0xFF00_0000 | UInt32(index) }
    let picture = PNGEncoder().encode(sheet)
    let images = try SpriteReader.images(
      index(#"{"a": {"x": 1, "y": 0, "width": 2, "height": 2}}"#), picture: picture, prefix: "x:")
    #expect(images.map(\.name) == ["x:a"])
    #expect(Array(images[0].pixels) == [1, 2, 5, 6].map { 0xFF00_0000 | $0 })
    do {
      _ = try SpriteReader.images(
        index(#"{"a": {"x": 3, "y": 0, "width": 2, "height": 2}}"#), picture: picture, prefix: "")
      Issue.record("accepted")
    } catch let error as SpriteError {
      #expect(error.message.contains("outside of its picture, which is 4 × 2 pixels"))
    }
  }

  @Test("tiles of a density use the images made for it, and others where there are none")
  func densities() {
    var images = StyleImages()
    images.add(SampleImages.arrow(), density: 1)
    images.add(SampleImages.arrow(pixelRatio: 2), density: 2)
    images.add(SampleImages.disc, density: 1)
    #expect(images.images(scale: 1)["arrow"]?.geometry.pixelRatio == 1)
    #expect(images.images(scale: 2)["arrow"]?.geometry.pixelRatio == 2)
    #expect(images.images(scale: 2)["disc"]?.geometry.pixelRatio == 1)
    #expect(images.images(scale: 4)["arrow"]?.geometry.pixelRatio == 2)
    #expect(images.images(scale: 1)["other"] == nil)
  }
}
