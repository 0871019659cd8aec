package import Tiling

/// The placement of an image in the world: the exact map from the world to the image, and its box.
///
/// A point of the world is rotated back about the image's centre (``FullTurn``), projected to the
/// image's plane (``ImageProjection``) and from there mapped to fractions of its sides
/// (``Homography``).
package struct ImagePlacement: Hashable, Sendable {
  package let projection: ImageProjection

  /// The image's box in the world.
  package let extent: ImageExtent

  private let turn: FullTurn?
  private let homography: Homography

  /// The smaller world in which the image is placed; `nil` for the whole one.
  private let smaller: ShrunkWorld?

  /// Creates the placement by its four corners, as in an image source of MapLibre.
  ///
  /// Longitudes are not normalized: a corner at 190° lies beyond the antimeridian, and an image
  /// whose left corners lie east of its right ones is mirrored. A quadrilateral that is not a
  /// parallelogram is drawn in perspective. Corners may lie beyond the map's edge, but those of a
  /// Mercator image must not be at a pole.
  package init(
    topLeft: LngLat, topRight: LngLat, bottomRight: LngLat, bottomLeft: LngLat,
    projection: ImageProjection = .mercator
  ) throws {
    try self.init(
      corners: [topLeft, topRight, bottomRight, bottomLeft].map { corner in
        guard abs(corner.longitude) <= 720, abs(corner.latitude) <= 90 else {
          throw OverlayError(
            .badPlacement,
            """
            the corner [\(corner.longitude), \(corner.latitude)] is no longitude and latitude in \
            degrees; write [longitude, latitude].
            """)
        }
        try Self.refusePole(corner.latitude, projection)
        return PlanePoint(
          x: corner.longitude / 360 + 0.5, y: projection.planeY(latitude: corner.latitude))
      }, projection: projection, turn: nil)
  }

  /// Creates the placement by its box and its rotation, clockwise on the screen about the centre of
  /// the box.
  ///
  /// `west > east` crosses the antimeridian.
  ///
  /// - Parameter bearing: the rotation in degrees; any finite number.
  package init(
    bounds: GeoBounds, bearing: Double = 0, projection: ImageProjection = .mercator
  ) throws {
    let east = bounds.crossesAntimeridian ? bounds.east + 360 : bounds.east
    guard abs(bounds.west) <= 360, abs(bounds.east) <= 720, east > bounds.west,
      east - bounds.west <= 360 + 1e-9
    else {
      throw OverlayError(
        .badPlacement,
        """
        the image's bounds from \(bounds.west)° to \(bounds.east)° are no span of longitudes up to \
        360°.
        """)
    }
    guard abs(bounds.south) <= 90, abs(bounds.north) <= 90, bounds.south < bounds.north else {
      throw OverlayError(
        .badPlacement,
        """
        the image's bounds from \(bounds.south)° to \(bounds.north)° are no span of latitudes; \
        bounds are west, south, east, north.
        """)
    }
    try Self.refusePole(bounds.north, projection)
    try Self.refusePole(bounds.south, projection)
    guard bearing.isFinite else {
      throw OverlayError(.badPlacement, "the bearing must be a number of degrees.")
    }
    let (left, right) = (bounds.west / 360 + 0.5, east / 360 + 0.5)
    let top = projection.planeY(latitude: bounds.north)
    let bottom = projection.planeY(latitude: bounds.south)
    let turned = bearing.remainder(dividingBy: 360)
    let centre = PlanePoint(
      x: (left + right) / 2,
      y: (projection.worldY(latitude: bounds.north) + projection.worldY(latitude: bounds.south))
        / 2)
    try self.init(
      corners: [
        PlanePoint(x: left, y: top), PlanePoint(x: right, y: top),
        PlanePoint(x: right, y: bottom), PlanePoint(x: left, y: bottom),
      ], projection: projection, turn: turned == 0 ? nil : FullTurn(degrees: turned, centre: centre)
    )
  }

  /// Throws for a corner that is infinitely far away in the Mercator projection.
  private static func refusePole(_ latitude: Double, _ projection: ImageProjection) throws {
    guard projection == .mercator, abs(latitude) > 90 - 1e-9 else { return }
    throw OverlayError(
      .badPlacement,
      """
      the image has a corner at a pole, which Mercator has not; the map ends at 85.0511°. Set \
      `projection: equirectangular` if its rows are even in latitude, else give the latitude where \
      the image ends, such as 85.051129.
      """)
  }

  /// Creates the placement by its edges in metres of EPSG:3857, which may reach beyond the map to
  /// the north and south.
  ///
  /// An edge less than 4 mm from the edge of the world is snapped to it, since files round it.
  package init(
    westMetres west: Double, southMetres south: Double, eastMetres east: Double,
    northMetres north: Double
  ) throws {
    func plane(_ metres: Double) -> Double {
      let value = metres / WorldFile.worldMetres + 0.5
      return abs(value - value.rounded()) < 1e-10 ? value.rounded() : value
    }
    guard west < east, south < north, abs(west) < 1e9, abs(east) < 1e9 else {
      throw OverlayError(.badPlacement, "the image's edges in metres are no box.")
    }
    let (left, right, top, bottom) = (plane(west), plane(east), plane(-north), plane(-south))
    try self.init(
      corners: [
        PlanePoint(x: left, y: top), PlanePoint(x: right, y: top),
        PlanePoint(x: right, y: bottom), PlanePoint(x: left, y: bottom),
      ], projection: .mercator, turn: nil)
  }

  /// Creates the placement by a world file: in metres of EPSG:3857 for a Mercator image, otherwise
  /// in degrees.
  ///
  /// - Parameters:
  ///   - width: the width of the image in pixels.
  ///   - height: the height of the image in pixels.
  package init(
    worldFile: WorldFile, width: Int, height: Int, projection: ImageProjection
  ) throws {
    let corners = worldFile.corners(width: width, height: height)
    let inDegrees = corners.allSatisfy { abs($0.x) <= 720 && abs($0.y) <= 95 }
    switch projection {
    case .equirectangular where !inDegrees:
      throw OverlayError(
        .badPlacement,
        "the world file's numbers are no degrees; set `projection: mercator` if they are metres.")
    case .mercator where inDegrees:
      throw OverlayError(
        .badPlacement,
        "the world file's numbers look like degrees; set `projection: equirectangular`.")
    default: break
    }
    let circumference = WorldFile.worldMetres
    try self.init(
      corners: corners.map { corner in
        projection == .mercator
          ? PlanePoint(x: corner.x / circumference + 0.5, y: 0.5 - corner.y / circumference)
          : PlanePoint(x: corner.x / 360 + 0.5, y: 0.5 - corner.y / 180)
      }, projection: projection, turn: nil)
  }

  /// - Parameter corners: top left, top right, bottom right, bottom left, in the image's plane.
  private init(corners: [PlanePoint], projection: ImageProjection, turn: FullTurn?) throws {
    let worlds = corners.map { corner in
      let point = PlanePoint(x: corner.x, y: projection.worldY(planeY: corner.y))
      return turn?.forward(point) ?? point
    }
    let west = worlds.map(\.x).min() ?? 0
    let east = worlds.map(\.x).max() ?? 0
    for (name, values) in [("width", corners.map(\.x)), ("height", corners.map(\.y))]
    where values.allSatisfy({ $0 == values[0] }) {
      throw OverlayError(
        .badPlacement,
        """
        the image has no \(name): its corners all lie at one \
        \(name == "width" ? "longitude" : "latitude"); give them as top left, top right, bottom \
        right, bottom left.
        """)
    }
    let north = max(worlds.map(\.y).min() ?? 0, 0)
    let south = min(worlds.map(\.y).max() ?? 0, 1)
    guard north < south else {
      throw OverlayError(
        .badPlacement, "the image lies outside of the map, which ends at 85.0511° N and S.")
    }
    guard east - west <= 1 + 1e-9 else {
      throw OverlayError(.badPlacement, "the image is wider than the world; give it 360° at most.")
    }
    // A shift by whole turns of the world moves the west edge to 0 ..< 1.
    let shift = west.rounded(.down)
    func shifted(_ index: Int) -> PlanePoint {
      PlanePoint(x: corners[index].x - shift, y: corners[index].y)
    }
    guard let homography = Homography(shifted(0), shifted(1), shifted(2), shifted(3)) else {
      throw OverlayError(
        .badPlacement,
        """
        the image's corners are no convex quadrilateral; give them as top left, top right, bottom \
        right, bottom left.
        """)
    }
    self.projection = projection
    self.homography = homography
    self.turn = turn.map { $0.shifted(byX: -shift) }
    smaller = nil
    extent = ImageExtent(west: west - shift, north: north, east: east - shift, south: south)
    isPeriodic = turn == nil && homography.isSeparable && east - west > 1 - 1e-9
  }

  private init(_ placement: ImagePlacement, extent: ImageExtent, smaller: ShrunkWorld) {
    projection = placement.projection
    homography = placement.homography
    turn = placement.turn
    isPeriodic = placement.isPeriodic
    self.extent = extent
    self.smaller = smaller
  }

  /// Returns the places of the image in a smaller world: one for each turn of the world at which a
  /// part of it lies within the reach of the view, cut at the edges of the square; a single one for an
  /// image that spans the world.
  package func scaled(by scaling: WorldScaling) -> [ImagePlacement] {
    let (north, south) = (scaling.scaled(y: extent.north), scaling.scaled(y: extent.south))
    guard smaller == nil, south > 0, north < 1 else { return [] }
    func place(turns: Int, west: Double, east: Double) -> ImagePlacement? {
      guard west < 1, east > 0 else { return nil }
      return ImagePlacement(
        self,
        extent: ImageExtent(
          west: max(west, 0), north: max(north, 0), east: min(east, 1), south: min(south, 1)),
        smaller: ShrunkWorld(scaling, turns: turns))
    }
    if isPeriodic { return [place(turns: 0, west: 0, east: 1)].compactMap(\.self) }
    return scaling.turns(west: extent.west, east: extent.east).compactMap { turns in
      place(
        turns: turns, west: scaling.scaled(x: extent.west + Double(turns)),
        east: scaling.scaled(x: extent.east + Double(turns)))
    }
  }

  /// The numbers that define the map, apart from the projection: equal ones place every pixel
  /// alike.
  package var numbers: [Double] {
    [extent.west, extent.north, extent.east, extent.south] + homography.numbers
      + (turn?.numbers ?? []) + (smaller?.numbers ?? [])
  }

  /// Returns the first zoom whose tiles have at least the pixels of the image.
  ///
  /// - Parameters:
  ///   - size: the size of the image.
  ///   - tilePixels: the side of a tile in device pixels.
  package func finestZoom(of size: ImageSize, tilePixels: Int) -> Int {
    func length(_ start: PlanePoint, _ end: PlanePoint) -> Double {
      ((end.x - start.x) * (end.x - start.x) + (end.y - start.y) * (end.y - start.y)).squareRoot()
    }
    let width = length(
      worldPoint(imageX: 0, imageY: 0.5), worldPoint(imageX: 1, imageY: 0.5))
    let height = length(
      worldPoint(imageX: 0.5, imageY: 0), worldPoint(imageX: 0.5, imageY: 1))
    // The image's pixels across the world; a thousandth is the rounding of world files.
    let pixels = max(Double(size.width) / width, Double(size.height) / height) * 0.999
    var zoom = 0
    while zoom < TileCoord.maxZoom, Double(tilePixels << zoom) < pixels { zoom += 1 }
    return zoom
  }

  /// Whether columns of the image depend on world x alone, and rows on y.
  var isSeparable: Bool { turn == nil && homography.isSeparable }

  /// Whether the image spans the whole world, so that its last column meets its first.
  let isPeriodic: Bool

  /// The numbers of whole turns of the world that may lie between a tile's pixel and the image.
  var turns: ClosedRange<Int> { smaller == nil ? 0...1 : 0...0 }

  /// Returns the point in the image of a point of the world, in fractions of its sides; `nil`
  /// beyond the vanishing line of an image in perspective.
  ///
  /// World x is not wrapped: the image occurs once, at its ``extent``.
  @inline(__always)
  package func imagePoint(worldX: Double, worldY: Double) -> PlanePoint? {
    var point = PlanePoint(x: worldX, y: worldY)
    if let smaller { point = smaller.whole(point) }
    if let turn { point = turn.back(point) }
    point.y = projection.planeY(worldY: point.y)
    return homography.unitPoint(point)
  }

  /// Returns the point in the world of a point of the image, given in fractions of its sides.
  package func worldPoint(imageX: Double, imageY: Double) -> PlanePoint {
    var point = homography.planePoint(PlanePoint(x: imageX, y: imageY))
    point.y = projection.worldY(planeY: point.y)
    point = turn?.forward(point) ?? point
    return smaller?.place(point) ?? point
  }

  /// Returns the fraction of the image's width at a world x; only where ``isSeparable``.
  func imageX(worldX: Double) -> Double {
    homography.unitX(smaller?.wholeX(worldX) ?? worldX)
  }

  /// Returns the fraction of the image's height at a world y; only where ``isSeparable``.
  func imageY(worldY: Double) -> Double {
    homography.unitY(projection.planeY(worldY: smaller?.wholeY(worldY) ?? worldY))
  }
}
