@_exported public import CoreLocation
public import Foundation

open class MLNRasterTileSource {
  public init(identifier: String, configurationURL: URL, tileSize: Double) {}
}

@MainActor open class UIView {}

open class MLNMapView: UIView {
  public var zoomLevel: Double { 0 }
  public func convert(
    _ point: CGPoint, toCoordinateFrom view: UIView?
  ) -> CLLocationCoordinate2D { fatalError() }
  public func setCenter(
    _ center: CLLocationCoordinate2D, zoomLevel: Double, animated: Bool
  ) {}
}

public struct MLNCoordinateBounds {
  public init(sw: CLLocationCoordinate2D, ne: CLLocationCoordinate2D) {}
}
