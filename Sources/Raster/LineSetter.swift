import TextAnalysis

/// A glyph in its line, in pixels.
struct LineGlyph {
  let outline: GlyphOutline
  let isMissing: Bool
  let section: Int

  /// Pixels per font unit.
  let scale: Double

  /// Pixels per em.
  let size: Double

  /// The position of the glyph's origin along the line.
  let x: Double

  /// The height of the glyph's origin over the baseline; for upright glyphs, its distance to the
  /// right of the middle of the column.
  let rise: Double
  let advance: Double
  let isUpright: Bool

  /// The index of its cluster among the clusters of the line.
  let cluster: Int

  /// The image that stands instead of a glyph.
  var image: InlineImage?
}

/// A line of a text, set.
struct TextLine {
  var glyphs: [LineGlyph] = []

  /// The middle of each cluster, in pixels from the start of the line.
  var middles: [Double] = []
  /// The distance from the start of the first glyph to the end of the last, in pixels; negative if
  /// letter spacing moves glyphs back past the start.
  var width = 0.0

  /// The scale of the largest section; 1 for a line without characters.
  var scale = 1.0

  /// The height by which the largest image exceeds an em of the largest section, in pixels.
  var imageExcess = 0.0
}

/// The glyphs of a text, shaped once, and cut into lines.
struct LineSetter {
  private let runs: TextRuns
  private let text: [UInt32]
  private let shaper: RunShaper

  /// Pixels per em, and the factor on it of each section.
  private let size: Double
  private let scales: [Double]

  /// The indexes of the scalars with which sections begin.
  private let cuts: [Int]

  /// Pixels between clusters.
  private let spacing: Double

  /// The glyphs of each run.
  private let shaped: [[RunGlyph]]

  init(_ runs: TextRuns, size: Double, scales: [Double], spacing: Double, shaper: RunShaper) {
    self.runs = runs
    self.size = size
    self.scales = scales
    self.spacing = spacing
    self.shaper = shaper
    let text = runs.scalars.map(\.value)
    self.text = text
    let cuts =
      scales.count < 2
      ? []
      : text.indices.dropFirst().filter {
        runs.sections[$0] != runs.sections[$0 - 1]
      }
    self.cuts = cuts
    shaped = runs.runs.map { run in
      run.image == nil
        ? shaper.glyphs(of: run, in: text, line: text.indices, cuts: cuts, isSpaced: spacing != 0)
        : [
          RunGlyph(
            index: 0, cluster: run.range.lowerBound, advance: 0, offsetX: 0, offsetY: 0,
            isUnsafeToBreak: false)
        ]
    }
  }

  /// Returns the advance of each scalar in pixels; the advance of a cluster counts for its first
  /// scalar.
  var advances: [Double] {
    var advances = [Double](repeating: 0, count: text.count)
    for (run, glyphs) in zip(runs.runs, shaped) {
      let scale = size * run.scale / Double(run.face.face.unitsPerEm)
      var last = -1
      for glyph in glyphs where advances.indices.contains(glyph.cluster) {
        let gap = glyph.cluster == last ? 0 : spacing
        let image = run.image.map { $0.length(isUpright: run.isUpright) * size * run.scale }
        advances[glyph.cluster] += (image ?? Double(glyph.advance) * scale) + gap
        last = glyph.cluster
      }
    }
    return advances
  }

  /// Lets a line end after an image, as in MapLibre, but before an image only after white space,
  /// an ideograph or another image.
  func keepImagesBehindLetters(_ breaks: inout [Bool]) {
    for run in runs.runs where run.image != nil {
      let index = run.range.lowerBound
      if breaks.indices.contains(index) { breaks[index] = true }
      guard index > 0, breaks.indices.contains(index - 1) else { continue }
      let before = runs.scalars[index - 1]
      let isImage = runs.runs.contains { $0.image != nil && $0.range.lowerBound == index - 1 }
      if !isImage, !LineBreaker.isSpace(before), !LineBreaker.isIdeographic(before) {
        breaks[index - 1] = false
      }
    }
  }

  /// Returns a line of the text.
  ///
  /// - Parameter range: its scalars, without white space at the ends.
  /// - Complexity: O(runs of the text + length of the line).
  func line(_ range: Range<Int>) -> TextLine {
    let parts = runs.clipped(to: range)
    var line = TextLine()
    if !range.isEmpty { line.scale = runs.sections[range].reduce(0) { max($0, scales[$1]) } }
    line.imageExcess = parts.reduce(0) { most, part in
      guard let image = part.run.image else { return most }
      return max(most, (image.depth(isUpright: part.run.isUpright) - line.scale) * size)
    }
    var pen = Pen(spacing: spacing)
    for index in TextDirections.visualOrder(of: parts.map(\.run.level)) {
      let part = parts[index]
      pen.set(
        glyphs(of: part.run, number: part.number, in: range), of: part.run,
        size: size * part.run.scale, sections: runs.sections, into: &line)
    }
    pen.finish(&line)
    return line
  }

  /// Returns the glyphs of a part of a run: those of the whole run, unless a cut changes them.
  private func glyphs(of part: TextRun, number: Int, in line: Range<Int>) -> [RunGlyph] {
    let whole = runs.runs[number].range
    let glyphs = shaped[number]
    if part.range == whole { return glyphs }
    let isClean = [part.range.lowerBound, part.range.upperBound].allSatisfy { cut in
      cut == whole.lowerBound || cut == whole.upperBound
        || glyphs.first { $0.cluster == cut }.map { !$0.isUnsafeToBreak } ?? false
    }
    if isClean { return glyphs.filter { part.range.contains($0.cluster) } }
    return shaper.glyphs(
      of: part, in: text, line: line, cuts: cuts, isSpaced: spacing != 0)
  }
}

/// The pen that sets the glyphs of a line.
private struct Pen {
  let spacing: Double
  private var x = 0.0

  /// The start of the last cluster, and its first scalar.
  private var start = 0.0
  private var cluster = -1

  init(spacing: Double) {
    self.spacing = spacing
  }

  mutating func set(
    _ glyphs: [RunGlyph], of run: TextRun, size: Double, sections: [Int],
    into line: inout TextLine
  ) {
    let scale = size / Double(run.face.face.unitsPerEm)
    for glyph in glyphs {
      if glyph.cluster != cluster {
        if cluster >= 0 {
          line.middles.append((start + x) / 2)
          x += spacing
        }
        cluster = glyph.cluster
        start = x
      }
      let advance =
        run.image.map { $0.length(isUpright: run.isUpright) * size } ?? Double(glyph.advance)
        * scale
      let right = Double(glyph.offsetX) * scale
      let up = Double(glyph.offsetY) * scale
      line.glyphs.append(
        LineGlyph(
          outline: run.image == nil ? run.face.outline(of: glyph.index) : GlyphOutline(),
          isMissing: run.image == nil && glyph.index == 0,
          section: sections[glyph.cluster], scale: scale, size: size,
          x: run.isUpright ? x - up : x + right,
          rise: run.isUpright ? right : up, advance: advance, isUpright: run.isUpright,
          cluster: line.middles.count, image: run.image))
      x += advance
    }
  }

  mutating func finish(_ line: inout TextLine) {
    if cluster >= 0 { line.middles.append((start + x) / 2) }
    line.width = x
  }
}
