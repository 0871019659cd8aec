#if canImport(SwiftUI) && canImport(UIKit) && canImport(MapKit)
  import MapKit
  import QuadrilleClient
  import SwiftUI

  /// A map of MapKit with an archive over it.
  struct ArchiveMap: UIViewRepresentable {
    let archive: MapArchive?
    let view: (center: MapCoordinate, zoom: Int)?
    let tap: (MapCoordinate, Int) -> Void

    func makeCoordinator() -> Coordinator { Coordinator() }

    func makeUIView(context: Context) -> MKMapView {
      let map = MKMapView()
      map.delegate = context.coordinator
      map.isRotateEnabled = false
      map.addGestureRecognizer(
        UITapGestureRecognizer(target: context.coordinator, action: #selector(Coordinator.tapped)))
      return map
    }

    func updateUIView(_ map: MKMapView, context: Context) {
      context.coordinator.tap = tap
      let current = map.overlays.first as? QuadrilleTileOverlay
      if let archive, current?.archive !== archive {
        map.removeOverlays(map.overlays)
        map.addOverlay(QuadrilleTileOverlay(archive: archive), level: .aboveLabels)
      }
      if let view,
        context.coordinator.zoom != view.zoom || context.coordinator.center != view.center
      {
        (context.coordinator.center, context.coordinator.zoom) = (view.center, view.zoom)
        let width = 360 / Double(1 << view.zoom) * Double(max(map.bounds.width, 256)) / 256
        map.setRegion(
          MKCoordinateRegion(
            center: CLLocationCoordinate2D(
              latitude: view.center.latitude, longitude: view.center.longitude),
            span: MKCoordinateSpan(latitudeDelta: 0, longitudeDelta: min(width, 360))),
          animated: true)
      }
    }

    /// Draws the overlay, and passes taps on.
    @MainActor
    final class Coordinator: NSObject, MKMapViewDelegate {
      var tap: ((MapCoordinate, Int) -> Void)?
      var center: MapCoordinate?
      var zoom: Int?

      func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
        guard let tiles = overlay as? MKTileOverlay else {
          return MKOverlayRenderer(overlay: overlay)
        }
        return MKTileOverlayRenderer(tileOverlay: tiles)
      }

      @objc func tapped(_ gesture: UITapGestureRecognizer) {
        guard let map = gesture.view as? MKMapView else { return }
        let place = map.convert(gesture.location(in: map), toCoordinateFrom: map)
        let points = Double(map.bounds.width) / map.visibleMapRect.width * MKMapSize.world.width
        tap?(
          MapCoordinate(longitude: place.longitude, latitude: place.latitude),
          Int(log2(points / 256).rounded()))
      }
    }
  }
#endif
