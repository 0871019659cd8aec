import Raster

@testable import Styling

extension TextLook {
  init(
    text: String, style: TextStyle, color: Color, haloColor: Color = .transparent,
    haloWidth: Double = 0, haloBlur: Double = 0, translateX: Double = 0, translateY: Double = 0
  ) {
    self.init(
      sections: [TextSection(text)], style: style, color: color, haloColor: haloColor,
      haloWidth: haloWidth, haloBlur: haloBlur, translateX: translateX, translateY: translateY)
  }
}
