import Baking
import Definition
import Pipeline
import Runs
import Tiling

extension TilePipeline {
  /// Draws a part of the map of any size without an archive; blocks the thread.
  ///
  /// Tiles are not made: the picture is drawn from the data, with the pixels that tiles would have at
  /// its zoom. Of an image series the latest frame is shown.
  ///
  /// - Parameters:
  ///   - area: the part of the map.
  ///   - size: the size in style pixels; `nil` for the proportions of a box with 1,024 px on the longer
  ///     side, and for a square of this side around a centre.
  ///   - scale: the device pixels per style pixel, 1 … 4.
  ///   - settings: its zooms and its output are not used.
  ///   - cancellation: ends the call from another thread.
  /// - Throws: ``QuadrilleError``, with ``QuadrilleError/Code/usage`` for a value out of its range.
  public func render(
    _ area: MapArea, size: MapSize? = nil, scale: Int = 1,
    settings: BuildSettings = BuildSettings(), cancellation: RunCancellation = RunCancellation()
  ) throws(QuadrilleError) -> MapPicture {
    try publicly(hiding: definition.redactions) { () throws(PipelineError) in
      let options = try settings.options()
      let view = try MapView(
        MapView.Area(area), size: size.map { ($0.width, $0.height) }, ratio: scale,
        tileSize: definition.tiles.tileSize)
      return try cancellation.run(maxSeconds: settings.maxSeconds) { flag throws(PipelineError) in
        MapPicture(
          try PipelineRunner.picture(
            of: view, definition, options: options, cancellation: flag, progress: { _ in }))
      }
    }
  }

  /// Draws a part of the map on a thread of its own; ends when the task is cancelled.
  ///
  /// See ``render(_:size:scale:settings:cancellation:)``.
  public func render(
    _ area: MapArea, size: MapSize? = nil, scale: Int = 1,
    settings: BuildSettings = BuildSettings()
  ) async throws(QuadrilleError) -> MapPicture {
    try await Self.run { (cancellation) throws(QuadrilleError) in
      try render(
        area, size: size, scale: scale, settings: settings, cancellation: cancellation)
    }
  }
}

extension MapView.Area {
  fileprivate init(_ area: MapArea) {
    switch area {
    case .box(let west, let south, let east, let north, let zoom):
      self = .box(
        GeoBounds(west: west, south: south, east: east, north: north), zoom: zoom)
    case .center(let position, let zoom):
      self = .center(
        LngLat(longitude: position.longitude, latitude: position.latitude), zoom: zoom)
    }
  }
}
