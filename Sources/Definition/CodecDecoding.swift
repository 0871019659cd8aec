import Raster
package import Runs
import TileCodecs

// The keys of the tiles' format.
extension OutputDecoder {
  /// The quality of JPEG tiles where none is given.
  private static let jpegQuality = 80

  /// - Parameter keyed: the keys of `tiles`.
  func codec(_ keyed: KeyedNode) throws(PipelineError) -> TileCodec {
    let name: TileFormatName = try keyed.value("format")
    let quality = keyed.integer("quality")
    if name != .jpeg, keyed.node["background"] != nil {
      throw keyed.fault(
        "background",
        "'background' is for tiles in JPEG, which have no transparency. Set 'format: jpeg', or draw "
          + "a layer of type background.")
    }
    switch name {
    case .png:
      guard quality == nil else {
        throw keyed.fault(
          "quality", "PNG is lossless and has no 'quality'. Remove it, or set 'format: webp'.")
      }
      return .png
    case .webp: return .webP(quality: quality)
    case .jpeg:
      return .jpeg(quality: quality ?? Self.jpegQuality, background: try background(keyed))
    }
  }

  private func background(_ keyed: KeyedNode) throws(PipelineError) -> PremultipliedColor {
    guard let node = keyed.node["background"] else {
      throw keyed.fault(
        "format",
        "JPEG has no transparency. Set 'background' of 'tiles', the colour that shows where nothing "
          + "opaque is drawn, such as '#fff', or 'format: webp'.")
    }
    let color = PremultipliedColor(try SourceDecoder.color(node, of: "background"))
    guard color.alpha == 255 else {
      throw keyed.fault(
        "background",
        "'background' is not opaque, and JPEG has no transparency. Set a colour without alpha.")
    }
    return color
  }
}

extension PipelineDefinition {
  /// Refuses a format of tiles whose library is not installed, and what the container of the
  /// archive cannot hold.
  package func requireCodec() throws(PipelineError) {
    try requireContainer()
    do throws(TileCodecError) {
      for codec in tiles.budget?.codecs ?? [tiles.codec] { try codec.requireLibrary() }
    } catch {
      throw PipelineError(
        error.failureCode, error.sentence, at: file.isEmpty ? nil : DocumentPlace(file: file))
    }
  }
}
