#if canImport(MapLibre)
  public import CoreGraphics
  import CoreLocation
  import Foundation
  public import MapLibre

  extension MLNRasterTileSource {
    /// Creates a source of an archive's tiles for a style of MapLibre Native.
    ///
    /// MapLibre opens the file itself, enlarges tiles after the last zoom, and keeps the file open:
    /// after an update remove the source with its layer, and add those of the new archive.
    ///
    /// ```text
    /// if let source = MLNRasterTileSource(identifier: "hotels", archive: archive) {
    ///   style.addSource(source)
    ///   style.addLayer(MLNRasterStyleLayer(identifier: "hotels", source: source))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - identifier: its name in the style.
    ///   - archive: `nil` is returned if its path cannot be a url.
    public convenience init?(identifier: String, archive: MapArchive) {
      guard
        let path = archive.url.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed),
        let url = URL(string: "mbtiles://\(path)")
      else { return nil }
      self.init(identifier: identifier, configurationURL: url, tileSize: 256)
    }
  }

  extension MLNMapView {
    /// Returns what an archive shows under a point of the map; `nil` where there is nothing.
    ///
    /// - Parameter point: in the view's coordinates.
    public func tap(at point: CGPoint, in archive: MapArchive) async throws(ClientError) -> Tap? {
      let place = convert(point, toCoordinateFrom: self)
      // MapLibre counts zooms by tiles of 512 px, and shows the nearest zoom of pictures.
      return try await archive.tap(
        at: MapCoordinate(longitude: place.longitude, latitude: place.latitude),
        zoom: Int((zoomLevel + 1).rounded()))
    }

    /// Moves the map to where a cluster falls apart.
    public func show(_ cluster: TapCluster, animated: Bool = true) {
      guard let expansion = cluster.expansion else { return }
      let center = CLLocationCoordinate2D(
        latitude: expansion.center.latitude, longitude: expansion.center.longitude)
      setCenter(center, zoomLevel: Double(expansion.zoom) - 1, animated: animated)
    }
  }

  extension MapBox {
    /// The box as MapLibre's bounds, for a camera that shows all of it.
    public var mapLibreBounds: MLNCoordinateBounds {
      MLNCoordinateBounds(
        sw: CLLocationCoordinate2D(latitude: south, longitude: west),
        ne: CLLocationCoordinate2D(latitude: north, longitude: east))
    }
  }
#endif
