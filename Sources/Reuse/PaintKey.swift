import Crypto
import Foundation
import MBTiles
package import Rendering
package import Runs

/// A hash of everything but the scene and the program that determines a tile's bytes: equal scenes
/// under equal keys have equal bytes, regardless of the other tiles.
///
/// A scene holds colours, shapes and positions, all resolved. The key covers the rest: the
/// picture's size, the palette and the codes that the style trained, and the files that glyphs come
/// from.
package struct PaintKey: Hashable, Sendable {
  /// The hash, 64 hexadecimal digits.
  let text: String

  /// - Parameters:
  ///   - fonts: the font files that may affect a pixel, in search order.
  ///   - inputs: the digests of files.
  package init(_ builder: SceneBuilder, fonts: [String], inputs: InputDigests) throws(PipelineError)
  {
    var hash = SHA256()
    func add(_ part: some DataProtocol) {
      hash.update(data: Data("\(part.count):".utf8))
      hash.update(data: part)
    }
    add(Data("\(builder.tileSize) px at \(builder.scale)".utf8))
    add(Data(builder.sparse?.identity ?? []))
    for font in fonts {
      // Names distinguish the faces of the default font.
      add(Data((font.split(separator: "/").last.map(String.init) ?? font).utf8))
      add(Data(try inputs.sha256(of: font).utf8))
    }
    text = lowercaseHexadecimal(hash.finalize())
  }
}
