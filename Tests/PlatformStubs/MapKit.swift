@_exported public import CoreLocation
public import Foundation
public import UIKit

public struct MKTileOverlayPath {
  public var x: Int
  public var y: Int
  public var z: Int
}

public protocol MKOverlay {}

public enum MKOverlayLevel: Sendable {
  case aboveRoads, aboveLabels
}

@MainActor open class MKOverlayRenderer {
  public init(overlay: any MKOverlay) {}
}

open class MKTileOverlayRenderer: MKOverlayRenderer {
  public init(tileOverlay: MKTileOverlay) { super.init(overlay: tileOverlay) }
}

open class MKTileOverlay: MKOverlay {
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

public protocol MKAnnotation: NSObjectProtocol {
  var coordinate: CLLocationCoordinate2D { get }
  var title: String? { get }
}

public struct MKCoordinateSpan: Sendable {
  public var latitudeDelta: Double
  public var longitudeDelta: Double
}

public struct MKCoordinateRegion: Sendable {
  public var center: CLLocationCoordinate2D
  public var span: MKCoordinateSpan
}

@MainActor public protocol MKMapViewDelegate: AnyObject {
  func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer
  func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool)
}

open class MKMapView: UIView {
  public weak var delegate: (any MKMapViewDelegate)?
  public var region: MKCoordinateRegion { fatalError() }
  public var overlays: [any MKOverlay] { [] }
  public func addOverlays(_ overlays: [any MKOverlay], level: MKOverlayLevel) {}
  public func removeOverlays(_ overlays: [any MKOverlay]) {}
  public func setVisibleMapRect(_ rect: MKMapRect, animated: Bool) {}
  public func convert(_ point: CGPoint, toCoordinateFrom view: UIView?) -> CLLocationCoordinate2D {
    fatalError()
  }
  public var annotations: [any MKAnnotation] { [] }
  public func addAnnotations(_ annotations: [any MKAnnotation]) {}
  public func removeAnnotations(_ annotations: [any MKAnnotation]) {}
}
