#if canImport(SwiftUI) && canImport(UIKit) && canImport(MapKit)
  import MapKit
  import QuadrilleClient
  import SwiftUI
  import UIKit

  @main
  struct MapApp: App {
    /// The folder of the publisher's lists, and the keys that `quadrille keys new` printed.
    @StateObject private var model = MapModel(
      server: URL(string: "https://tiles.example.org/maps/") ?? URL(filePath: "/"),
      trusting: [UpdateKey(base64: "")].compactMap { $0 })
    var body: some Scene { WindowGroup { ContentView(model: model) } }
  }

  /// The map, the search, the update, what is in view, and the packs.
  struct ContentView: View {
    @ObservedObject var model: MapModel
    @State private var map = MKMapView()
    @State private var text = ""
    var body: some View {
      VStack {
        ArchiveMap(model: model, map: map)
          .simultaneousGesture(
            SpatialTapGesture().onEnded { tap in
              model.run { try await model.tap(map.place(tap.location), zoom: map.tileZoom) }
            })
        HStack {
          TextField("Search", text: $text).onSubmit { model.run { try await model.search(text) } }
          Button("Update") { model.run { try await model.update() } }
        }
        Text(model.status).accessibilityAddTraits(.updatesFrequently)
        Text(model.archive?.info.attribution ?? "").font(.caption2)
        List {
          ForEach(model.entries, id: \.key) { entry in
            Button(entry.title) { model.show(entry.tap) }
          }
          ForEach(model.packs, id: \.file) { pack in
            let isHeld = model.held.contains(pack.file)
            Button(isHeld ? "Remove \(pack.name)" : "\(pack.name), \(pack.bytes / 1024) kB") {
              model.run { try await model.toggle(pack) }
            }
          }
        }
      }
      .task { model.run { try await model.open() } }
    }
  }

  /// A map of MapKit with the archive and the packs over it.
  struct ArchiveMap: UIViewRepresentable {
    @ObservedObject var model: MapModel
    let map: MKMapView

    func makeCoordinator() -> Coordinator { Coordinator(model) }
    func updateUIView(_ map: MKMapView, context: Context) { context.coordinator.show(on: map) }
    func makeUIView(context: Context) -> MKMapView {
      map.delegate = context.coordinator
      return map
    }

    /// Draws the overlays, and lists what the map shows when it has moved.
    @MainActor
    final class Coordinator: NSObject, MKMapViewDelegate {
      private let model: MapModel
      private var shown: (archive: MapArchive?, held: Set<String>) = (nil, [])
      private var view: MapBox?
      init(_ model: MapModel) { self.model = model }
      func show(on map: MKMapView) {
        if shown.archive !== model.archive || shown.held != model.held {
          shown = (model.archive, model.held)
          map.removeOverlays(map.overlays)
          let packs =
            model.held.isEmpty ? nil : model.regions.map { QuadrilleTileOverlay(packs: $0) }
          let overlays = [model.archive.map { QuadrilleTileOverlay(archive: $0) }, packs]
          map.addOverlays(overlays.compactMap { $0 }, level: .aboveLabels)
        }
        guard let box = model.view, view != box else { return }
        view = box
        map.setVisibleMapRect(box.mapRect, animated: true)
      }

      func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
        (overlay as? MKTileOverlay).map { MKTileOverlayRenderer(tileOverlay: $0) }
          ?? MKOverlayRenderer(overlay: overlay)
      }

      func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
        let corner = mapView.place(CGPoint(x: 0, y: mapView.bounds.height))
        let other = mapView.place(CGPoint(x: mapView.bounds.width, y: 0))
        let box = MapBox(
          west: corner.longitude, south: corner.latitude, east: other.longitude,
          north: other.latitude)
        model.run { try await self.model.list(box, zoom: mapView.tileZoom) }
      }
    }
  }

  extension MKMapView {
    fileprivate func place(_ point: CGPoint) -> MapCoordinate {
      let place = convert(point, toCoordinateFrom: self)
      return MapCoordinate(longitude: place.longitude, latitude: place.latitude)
    }

    /// The zoom of tiles of 256 px that the map shows.
    fileprivate var tileZoom: Int {
      let tiles = Double(max(bounds.width, 256)) / 256
      return Int(log2(tiles * 360 / max(region.span.longitudeDelta, 1e-9)).rounded())
    }
  }
#else
  @main enum MapApp { static func main() {} }
#endif
