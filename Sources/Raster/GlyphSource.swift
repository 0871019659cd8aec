/// A face with the outlines that one worker has drawn of it.
final class ShapingFace {
  let face: FontFace
  private var outlines: [UInt32: GlyphOutline] = [:]

  /// Maximum number of cached outlines; beyond it all are dropped.
  private static let cacheLimit = 4096

  init(_ face: FontFace) {
    self.face = face
  }

  func outline(of glyph: UInt32) -> GlyphOutline {
    if let known = outlines[glyph] { return known }
    let outline = face.outline(of: glyph)
    if outlines.count >= Self.cacheLimit { outlines.removeAll() }
    outlines[glyph] = outline
    return outline
  }
}

/// The faces that one worker has used.
final class ShapingFaces {
  let fonts: FontLibrary
  private var faces: [ObjectIdentifier: ShapingFace] = [:]

  init(fonts: FontLibrary) {
    self.fonts = fonts
  }

  func face(_ face: FontFace) -> ShapingFace {
    if let known = faces[ObjectIdentifier(face)] { return known }
    let new = ShapingFace(face)
    faces[ObjectIdentifier(face)] = new
    return new
  }
}

/// The faces of one font stack: each cluster of characters is taken from the first one that has all
/// of it; owned by one shaper.
final class GlyphSource {
  /// The face that determines the height of lines.
  let primary: ShapingFace

  private let faces: ShapingFaces
  private let candidates: [FontCatalogue.Entry]
  private var ofASCII = [ShapingFace?](repeating: nil, count: 128)
  private var ofScalars: [Unicode.Scalar: ShapingFace] = [:]
  private var ofClusters: [[Unicode.Scalar]: ShapingFace] = [:]

  /// Maximum number of remembered clusters; beyond it all are dropped.
  private static let cacheLimit = 4096

  init(stack: [String], faces: ShapingFaces) throws {
    self.faces = faces
    primary = faces.face(try faces.fonts.face(forStack: stack))
    candidates = faces.fonts.candidates(forStack: stack)
  }

  /// Returns the face for a cluster of characters: the first one that has all of them, otherwise the
  /// first one that has the letter, otherwise the primary one.
  ///
  /// - Throws: ``FontError`` if a font's file became unreadable.
  /// - Complexity: O(faces · characters) for a cluster that was not seen before.
  func face(of cluster: ArraySlice<Unicode.Scalar>) throws -> ShapingFace {
    guard let letter = cluster.first else { return primary }
    if cluster.count == 1, letter.isASCII {
      if let known = ofASCII[Int(letter.value)] { return known }
      let found = try search(cluster)
      ofASCII[Int(letter.value)] = found
      return found
    }
    if cluster.count == 1 {
      if let known = ofScalars[letter] { return known }
      let found = try search(cluster)
      if ofScalars.count >= Self.cacheLimit { ofScalars.removeAll() }
      ofScalars[letter] = found
      return found
    }
    let key = Array(cluster)
    if let known = ofClusters[key] { return known }
    let found = try search(cluster)
    if ofClusters.count >= Self.cacheLimit { ofClusters.removeAll() }
    ofClusters[key] = found
    return found
  }

  private func search(_ cluster: ArraySlice<Unicode.Scalar>) throws -> ShapingFace {
    let drawn = cluster.filter(TextShaper.needsGlyph)
    guard let letter = drawn.first else { return primary }
    var withLetter: FontFace?
    for entry in candidates {
      let face = try faces.fonts.face(entry)
      let coverage = GlyphCoverage(face: face)
      if coverage.has(drawn) { return faces.face(face) }
      if withLetter == nil, coverage.has(letter) { withLetter = face }
    }
    return withLetter.map(faces.face) ?? primary
  }
}
