import Expressions
import Features
package import Overlays
package import Styling
package import Tiling

/// A raster layer at one zoom: how the pixels of its image become pixels of tiles.
package struct RasterLayer: Hashable, Sendable {
  /// The layer's index in the style.
  package let index: Int

  /// The kernel of `resampling`, or of its older name `raster-resampling`.
  let kernel: ResamplingKernel

  package let paint: RasterPaint

  /// Creates a raster layer at a zoom.
  ///
  /// - Parameter layer: a layer of the kind ``StyleLayer/Kind/raster``.
  init(_ layer: StyleLayer, index: Int, zoom: Double) {
    self.index = index
    let context = EvaluationContext(zoom: zoom)
    func number(_ property: StyleProperty, _ fallback: Double) -> Double {
      layer.properties[property]?.number(context) ?? fallback
    }
    let word = (layer.properties[.resampling] ?? layer.properties[.rasterResampling])?
      .string(context)
    kernel = word.flatMap { ResamplingKernel(rasterResampling: $0) } ?? .bilinear
    var paint = RasterPaint()
    paint.opacity = number(.rasterOpacity, 1)
    paint.hueRotate = number(.rasterHueRotate, 0)
    paint.brightnessMin = number(.rasterBrightnessMin, 0)
    paint.brightnessMax = number(.rasterBrightnessMax, 1)
    paint.saturation = number(.rasterSaturation, 0)
    paint.contrast = number(.rasterContrast, 0)
    self.paint = paint
  }

  /// Whether the layer shows nothing of any image.
  var isInvisible: Bool { paint.opacity <= 0 }

  /// Returns the hash of everything shared by the tiles that show an image in this layer.
  func hash(of source: RasterSource, grid: PixelGrid) -> StableHash {
    var hash = StableHash()
    hash.combine(source.hash)
    hash.combine((source.kernel ?? kernel).rawValue)
    for number in [
      paint.opacity, paint.hueRotate, paint.brightnessMin, paint.brightnessMax, paint.saturation,
      paint.contrast,
    ] {
      hash.combine(number)
    }
    for number in [index, grid.tilePixels, grid.shiftX, grid.shiftY] { hash.combine(number) }
    return hash
  }
}

extension Style {
  /// Returns the number of tiles of a range that the boxes of images reach, for the raster layer
  /// that reaches the most.
  ///
  /// - Parameter boxes: the box of the image of each source.
  package func tilesOfImages(in range: TileRange, boxes: [String: ImageExtent]) -> Int {
    let zoom = Double(range.zoom)
    let counts = layers.enumerated().map { index, layer in
      guard layer.kind == .raster, layer.shows(at: zoom),
        let box = boxes[layer.source ?? ""],
        !RasterLayer(layer, index: index, zoom: zoom).isInvisible
      else { return 0 }
      return box.tileCount(in: range)
    }
    return counts.max() ?? 0
  }
}
