import Crypto
import Foundation
import MBTiles
import Painting
import Scenes

/// All that decides a tile's bytes besides its scene and the program, as one hash: scenes that are
/// equal under equal keys have equal bytes, whatever else was drawn.
///
/// A scene holds colours, shapes and places, all resolved. What is left is the picture's size, the
/// palette and the codes that the style trained, and the files that glyphs come from.
struct PaintKey: Hashable, Sendable {
  /// 64 hexadecimal digits.
  let text: String

  /// - Parameters:
  ///   - fonts: the font files that may decide a pixel, in the order in which they are looked in.
  ///   - inputs: what hashes files.
  init(_ planned: PlannedTiles, fonts: [String], inputs: InputDigests) throws(PipelineError) {
    let sparse: SparseStyle?
    do {
      sparse = try planned.painters.sparseStyle()
    } catch {
      throw PipelineError(wrapping: error)
    }
    var hash = SHA256()
    func add(_ part: some DataProtocol) {
      hash.update(data: Data("\(part.count):".utf8))
      hash.update(data: part)
    }
    add(Data("\(planned.builder.tileSize) px at \(planned.builder.scale)".utf8))
    add(Data(sparse?.identity ?? []))
    for font in fonts {
      // Names tell the faces of the default font apart.
      add(Data((font.split(separator: "/").last.map(String.init) ?? font).utf8))
      add(Data(try inputs.sha256(of: font).utf8))
    }
    text = lowercaseHexadecimal(hash.finalize())
  }
}
