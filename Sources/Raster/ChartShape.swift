import Platform

/// The shape of a chart: a pie, a donut or a bar, divided into slices, with a stroke around it.
///
/// Its bands are the hole, the slices and the stroke. They are the differences of outlines that grow
/// from band to band, each with exact area coverage. So the coverages of all bands add up to that of
/// the whole, and no seam shows between neighbours.
package struct ChartShape: Hashable, Sendable {
  /// Lengths are pixels.
  package enum Outline: Hashable, Sendable {
    /// A disc with a hole of its own colour; the first slice starts a part of a full turn clockwise
    /// from the top.
    case round(radius: Double, hole: Double, start: Double)

    /// A bar around the centre, from left to right or, if it is upright, from bottom to top.
    case bar(length: Double, thickness: Double, isUpright: Bool)
  }

  package let outline: Outline

  /// The share of each slice and all before it, ascending to 1.
  package let ends: [Double]

  /// The width of the stroke outside the outline, in pixels.
  package let strokeWidth: Double

  package init(_ outline: Outline, ends: [Double], strokeWidth: Double) {
    self.outline = outline
    self.ends = ends
    self.strokeWidth = strokeWidth
  }

  /// The distances of the chart's sides from its centre, stroke included, in pixels.
  package var reach: (x: Double, y: Double) {
    switch outline {
    case .round(let radius, _, _): (radius + strokeWidth, radius + strokeWidth)
    case .bar(let length, let thickness, let isUpright):
      isUpright
        ? (thickness / 2 + strokeWidth, length / 2 + strokeWidth)
        : (length / 2 + strokeWidth, thickness / 2 + strokeWidth)
    }
  }

  /// Calls `body` with the coverage of each band that covers anything: 0 for the hole, then the slices,
  /// then the stroke; the centre of the chart is `phaseX` / 256 and `phaseY` / 256 px from the corner of
  /// the anchor pixel.
  ///
  /// - Parameter body: receives the band, and the coverage of the pixels of ``box(phaseX:phaseY:within:)``,
  ///   row by row.
  /// - Complexity: O(bands · pixels of the chart within the window).
  package func forEachBand(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
    using rasterizer: CoverageRasterizer, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    let box = box(phaseX: phaseX, phaseY: phaseY, within: window)
    guard !box.isEmpty else { return }
    var covered = ContiguousArray<UInt8>(repeating: 0, count: box.width * box.height)
    var outline = Outline.Corners(phaseX: phaseX, phaseY: phaseY)
    for band in 0..<(ends.count + 2) {
      func drawn() -> UnsafeMutableBufferPointer<UInt8> {
        outline.points.removeAll(keepingCapacity: true)
        add(band, to: &outline, &rasterizer.turns)
        return outline.points.withUnsafeBufferPointer {
          rasterizer.coverage(ofClosed: $0, in: box)
        }
      }
      let disc = disc(band).map {
        DiscCoverage.Disc(radius: $0, phaseX: phaseX, phaseY: phaseY, box: box)
      }
      let bytes = disc.map { rasterizer.coverage(of: $0, orDrawn: drawn) } ?? drawn()
      covered.withUnsafeMutableBufferPointer { covered in
        // What the outline covers more than the one before.
        for index in covered.indices {
          let coverage = max(bytes[index], covered[index])
          bytes[index] = coverage &- covered[index]
          covered[index] = coverage
        }
      }
      body(band, UnsafeBufferPointer(bytes))
    }
  }

  /// Returns the pixels within a window that the chart may cover.
  package func box(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks
  ) -> PixelBox {
    let (x, y) = reach
    return PixelBox(
      ShapedText.Box(
        minX: Double(phaseX) / 256 - x, minY: Double(phaseY) / 256 - y,
        maxX: Double(phaseX) / 256 + x, maxY: Double(phaseY) / 256 + y)
    ).grown(by: 1).clipped(to: window)
  }

  // MARK: Outlines

  /// The radius of a band whose outline is a whole disc, as charts of one size have in common.
  private func disc(_ band: Int) -> Double? {
    guard case .round(let radius, let hole, _) = outline else { return nil }
    if band == 0 { return hole }
    if band > ends.count { return radius + strokeWidth }
    return ends[band - 1] < 1 ? nil : radius
  }

  /// Adds the outline of a band and everything within it.
  private func add(_ band: Int, to corners: inout Outline.Corners, _ turns: inout TurnTable) {
    switch outline {
    case .round(let radius, let hole, let start):
      if let whole = disc(band) {
        if whole > 0 { corners.addArc(radius: whole, from: 0, to: 1, &turns) }
      } else if radius > 0 {
        let end = start + ends[band - 1]
        corners.addArc(radius: radius, from: start, to: end, &turns)
        corners.addArc(radius: hole, from: end, to: start + 1, &turns)
      }
    case .bar(let length, let thickness, let isUpright):
      let (reach, side) = (length / 2, thickness / 2)
      if band > ends.count {
        let (x, y) = self.reach
        corners.addBox(left: -x, top: -y, right: x, bottom: y)
      } else if band > 0 {
        let end = (2 * ends[band - 1] - 1) * reach
        isUpright
          ? corners.addBox(left: -side, top: -end, right: side, bottom: reach)
          : corners.addBox(left: -reach, top: -side, right: end, bottom: side)
      }
    }
  }
}

extension ChartShape.Outline {
  /// The corners of a closed outline around a centre at a phase of its pixel.
  fileprivate struct Corners {
    let phaseX: Int32
    let phaseY: Int32
    var points: ContiguousArray<Path.Point> = []

    /// Adds a point at a place in 1/256 px from the centre.
    private mutating func addPoint(_ x: Double, _ y: Double) {
      points.append(
        Path.Point(
          x: Int32(clamping: Int(x.rounded()) + Int(phaseX)),
          y: Int32(clamping: Int(y.rounded()) + Int(phaseY))))
    }

    mutating func addBox(left: Double, top: Double, right: Double, bottom: Double) {
      for (x, y) in [(left, top), (right, top), (right, bottom), (left, bottom)] {
        addPoint(x * 256, y * 256)
      }
    }

    /// Adds a clockwise arc as chords between corners of a regular polygon of the circle's area, which
    /// deviates from the circle by less than 1/1024 px.
    ///
    /// - Parameters:
    ///   - start: the first edge, in full turns clockwise from the top.
    mutating func addArc(
      radius: Double, from start: Double, to end: Double, _ turns: inout TurnTable
    ) {
      guard radius > 0 else { return addPoint(0, 0) }
      // The sagitta of a side is radius · (π / sides)² / 2.
      let sides = min(max((Double.pi * (512 * radius).squareRoot() / 8).rounded(.up) * 8, 8), 8192)
      let step = 2 * Double.pi / sides
      let grown = radius * (step / sin(step)).squareRoot()
      addPoint(at: TurnTable.Turn(start), radius: grown)
      let first = Int((start * sides).rounded(.down)) + 1
      let limit = end * sides
      turns.withCorners(of: Int(sides)) { corners in
        var corner = first
        while Double(corner) < limit {
          addPoint(at: corners[corner], radius: grown)
          corner += 1
        }
      }
      addPoint(at: TurnTable.Turn(end), radius: grown)
    }

    private mutating func addPoint(at turn: TurnTable.Turn, radius: Double) {
      addPoint(radius * turn.sine * 256, -radius * turn.cosine * 256)
    }
  }
}
