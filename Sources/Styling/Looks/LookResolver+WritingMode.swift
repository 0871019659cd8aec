package import Raster

extension LookResolver {
  /// The directions that the lines of the layer's labels at points may take, the most wanted first:
  /// `text-writing-mode`.
  var writingModes: [TextStyle.WritingMode] {
    guard layer.kind == .symbol, placement == .point else { return [.horizontal] }
    var modes: [TextStyle.WritingMode] = []
    for word in values.words(.textWritingMode) {
      let mode: TextStyle.WritingMode = word == "vertical" ? .stacked : .horizontal
      if !modes.contains(mode) { modes.append(mode) }
    }
    return modes.isEmpty ? [.horizontal] : modes
  }

  /// Returns the directions that a label may take; a label without East Asian characters is
  /// horizontal.
  func writingModes(of sections: [TextSection]) -> [TextStyle.WritingMode] {
    let modes = writingModes
    guard modes != [.horizontal], TextShaper.allowsVertical(sections) else { return [.horizontal] }
    return modes
  }

  /// Whether a label along a line may be set downward where the line is steep: MapLibre does so
  /// with East Asian text, whatever `text-writing-mode` says.
  package func mayRunDownward(_ sections: [TextSection]) -> Bool {
    followsLine && !keepsGlyphsUpright && values.constantFlag(.textKeepUpright, true)
      && TextShaper.allowsVertical(sections)
  }
}
