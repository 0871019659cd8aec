import Definition
import Inputs
import Reuse
import Runs
import Sprites
import Styling

extension ResolvedPipeline {
  /// Decodes all sprites and images.
  ///
  /// - Complexity: O(bytes + pixels).
  func images(_ inputs: InputDigests) throws(PipelineError) -> StyleImages {
    var images = StyleImages()
    for sprite in sprites {
      for density in Set(sprite.parts.map(\.density)).sorted() {
        for image in try sprite.images(density: density, inputs) {
          images.add(image, density: density)
        }
      }
    }
    return images
  }
}

extension ResolvedSprite {
  /// Decodes the images for one pixel density.
  fileprivate func images(
    density: Int, _ inputs: InputDigests
  ) throws(PipelineError) -> [StyleImage] {
    let own = parts.filter { $0.density == density }
    switch definition.kind {
    case .image(let name):
      guard let part = own.first else { return [] }
      let bytes = try part.bytes(inputs)
      return try part.decoding {
        [try SpriteReader.image(bytes, name: name, pixelRatio: Double(density))]
      }
    case .sheet(let prefix):
      guard let index = own.first(where: \.isIndex), let picture = own.first(where: { !$0.isIndex })
      else { return [] }
      let (text, pixels) = (try index.bytes(inputs), try picture.bytes(inputs))
      let parsed = try index.decoding { try SpriteIndex(text, name: index.name) }
      return try picture.decoding {
        try SpriteReader.images(parsed, picture: pixels, prefix: prefix)
      }
    }
  }
}

extension ResolvedSprite.Part {
  /// Reads the file, whose digest the run then knows.
  fileprivate func bytes(_ inputs: InputDigests) throws(PipelineError) -> [UInt8] {
    guard let path else {
      throw PipelineError(.missingInput, "the sprite \(name) was not fetched.")
    }
    let limit = isIndex ? SpriteLimits.indexBytes : SpriteLimits.pictureBytes
    return try inputs.contents(of: path, limit: limit).bytes
  }

  /// Runs a decoder, and gives its error the name of the file.
  fileprivate func decoding<Value>(_ body: () throws -> Value) throws(PipelineError) -> Value {
    do {
      return try body()
    } catch {
      var failure = PipelineError(wrapping: error)
      if failure.place == nil { failure.place = DocumentPlace(file: name) }
      throw failure
    }
  }
}
