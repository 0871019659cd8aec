import Styling
import Tiling

extension PixelGrid {
  /// See ``StyleZoom/magnification``.
  var magnification: Double { StyleZoom(styleZoom).magnification }
}
