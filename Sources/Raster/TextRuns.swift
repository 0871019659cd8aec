import TextAnalysis

/// A text divided into runs, each of one face, size, direction and script.
struct TextRuns {
  /// The scalars of the text.
  let scalars: [Unicode.Scalar]

  /// The sections of the scalars.
  let sections: [Int]

  /// The runs in the order in which they are read; newlines belong to none.
  private(set) var runs: [TextRun] = []

  /// - Parameters:
  ///   - sources: the faces of each section.
  ///   - images: the image of each section; `nil` for text.
  ///   - scales: a factor on the style's size, for each section.
  ///   - mode: the direction of the lines.
  /// - Throws: ``FontError`` if a font's file became unreadable; ``TextAnalysisError``.
  /// - Complexity: O(scalars), and the search for faces of characters that were not seen before.
  init(
    _ text: DrawableText, sources: [GlyphSource], images: [InlineImage?] = [], scales: [Double],
    mode: TextStyle.WritingMode, analyzer: TextAnalyzer
  ) throws {
    scalars = text.scalars
    sections = text.sections
    let levels = TextDirections.levels(of: scalars)
    let scripts = analyzer.scripts(of: scalars)
    for cluster in text.clusters {
      let first = cluster.lowerBound
      guard scalars[first] != "\n" else { continue }
      let section = sections[first]
      let level = levels.isEmpty ? 0 : levels[first]
      if !images.isEmpty, let image = images[section] {
        runs.append(
          TextRun(
            range: cluster, scale: scales[section], face: sources[section].primary, level: level,
            script: scripts[first], isUpright: mode != .horizontal, image: image))
        continue
      }
      let face = try face(of: cluster, sources[section])
      let run = TextRun(
        range: cluster, scale: scales[section], face: face, level: level, script: scripts[first],
        isUpright: Self.isUpright(
          scalars[first], scripts[first], level: level, face: face.face, mode: mode))
      append(run)
    }
  }

  private mutating func append(_ run: TextRun) {
    if let last = runs.last, last.image == nil, last.range.upperBound == run.range.lowerBound,
      last.scale == run.scale, last.face === run.face, last.level == run.level,
      last.script == run.script, last.isUpright == run.isUpright
    {
      runs[runs.count - 1].range = last.range.lowerBound..<run.range.upperBound
    } else {
      runs.append(run)
    }
  }

  /// Returns the face of a cluster; one without glyphs continues the run before it.
  private func face(of cluster: Range<Int>, _ source: GlyphSource) throws -> ShapingFace {
    if let last = runs.last, last.range.upperBound == cluster.lowerBound,
      sections[cluster.lowerBound - 1] == sections[cluster.lowerBound],
      !scalars[cluster].contains(where: TextShaper.needsGlyph)
    {
      return last.face
    }
    return try source.face(of: scalars[cluster])
  }

  /// Whether a character stands upright in the lines of a mode.
  private static func isUpright(
    _ scalar: Unicode.Scalar, _ script: Script, level: UInt8, face: FontFace,
    mode: TextStyle.WritingMode
  ) -> Bool {
    switch mode {
    case .horizontal: false
    case .vertical:
      TextAnalyzer.isUpright(scalar)
        || TextAnalyzer.isTransformed(scalar) && face.hasVerticalForms
    case .stacked:
      if TextAnalyzer.isTransformed(scalar) {
        face.hasVerticalForms
      } else {
        level % 2 == 0 && script.isStackable && !LineBreaker.isSpace(scalar)
      }
    }
  }

  /// Returns the runs, clipped to a line of the text.
  func clipped(to line: Range<Int>) -> [(number: Int, run: TextRun)] {
    var clipped: [(Int, TextRun)] = []
    for (number, run) in runs.enumerated() where run.range.overlaps(line) {
      var part = run
      part.range = run.range.clamped(to: line)
      clipped.append((number, part))
    }
    return clipped
  }
}
