@_exported public import CoreLocation
public import Foundation

public struct MKTileOverlayPath {
  public var x: Int
  public var y: Int
  public var z: Int
}

open class MKTileOverlay {
  public init(urlTemplate: String?) {}
  public var minimumZ = 0
  public var maximumZ = 0
  public var tileSize = CGSize.zero
  public var canReplaceMapContent = false
  open func loadTile(
    at path: MKTileOverlayPath, result: @escaping (Data?, (any Error)?) -> Void
  ) {}
}

public struct MKMapPoint {
  public var x: Double { 0 }
  public var y: Double { 0 }
  public init(_ coordinate: CLLocationCoordinate2D) {}
}

public struct MKMapRect {
  public init(x: Double, y: Double, width: Double, height: Double) {}
}
