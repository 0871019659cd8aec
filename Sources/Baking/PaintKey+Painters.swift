import Files
import Foundation
import Hashing
package import Painting
import Raster
package import Reuse
package import Runs
import Scenes
import TileCodecs

extension PaintKey {
  /// Creates the key of the tiles of a pixel density.
  ///
  /// A scene holds colours, shapes and places, all resolved. The remaining parts are the size of the
  /// picture, its format, the palette and the codes that the style trained, the files of the glyphs, and the
  /// libraries that choose, place and outline them.
  ///
  /// - Parameters:
  ///   - fonts: the font files that may decide a pixel, in the order of lookup.
  ///   - inputs: the digests of files.
  package init(
    _ painters: PainterFactory, tileSize: Int, scale: Int, fonts: [String], inputs: InputDigests
  ) throws(PipelineError) {
    let sparse = try PipelineError.wrapping { try painters.sparseStyle() }
    var hash = SHA256()
    func add(_ part: some DataProtocol) {
      hash.update(data: Data("\(part.count):".utf8))
      hash.update(data: part)
    }
    add(Data("\(tileSize) px at \(scale)".utf8))
    add(Data(sparse?.identity ?? []))
    add(Data((painters.codec.identity ?? "").utf8))
    for font in fonts {
      // Names tell the faces of the default font apart.
      add(Data((font.split(separator: "/").last.map(String.init) ?? font).utf8))
      add(Data(try inputs.sha256(of: font).utf8))
    }
    if !fonts.isEmpty {
      for library in TextLibraries.versions { add(Data(library.utf8)) }
    }
    self.init(text: Hexadecimal.text(hash.finalize()))
  }
}
