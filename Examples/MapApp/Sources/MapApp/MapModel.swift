#if canImport(SwiftUI) && canImport(UIKit) && canImport(MapKit)
  import Foundation
  import QuadrilleClient
  import SwiftUI

  /// The archives of the app: `hotels.mbtiles` and the series `rain.frames.json`, first those of the
  /// app's bundle, later those that updates have brought.
  @MainActor
  final class MapModel: ObservableObject {
    @Published private(set) var archive: MapArchive?
    @Published private(set) var series: FrameSeries?
    @Published private(set) var tapped: String?
    @Published private(set) var status = ""
    @Published private(set) var isUpdating = false
    @Published private(set) var view: (center: MapCoordinate, zoom: Int)?
    @Published private(set) var shown: MapArchive?
    @Published var isPlaying = false
    @Published var frame = 0 { didSet { showFrame() } }

    /// The publisher's server, and the key that `quadrille keys new` printed.
    private let server = URL(string: "https://example.com/maps/")
    private let key = UpdateKey(base64: "")

    private let folder = FileManager.default.urls(
      for: .applicationSupportDirectory, in: .userDomainMask)[0]

    private var file: URL { folder.appendingPathComponent("hotels.mbtiles") }
    private var manifest: URL { folder.appendingPathComponent("rain.frames.json") }

    /// Opens what is there, and plays the series while the app is there.
    func start() async {
      copyFromBundle()
      open()
      while !Task.isCancelled {
        try? await Task.sleep(nanoseconds: 100_000_000)
        if isPlaying { play() }
      }
    }

    private func copyFromBundle() {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      guard let own = Bundle.main.url(forResource: "hotels", withExtension: "mbtiles") else {
        return
      }
      // A copy that is there stays, since updates have changed it.
      try? FileManager.default.copyItem(at: own, to: file)
    }

    private func open() {
      do {
        archive = try MapArchive(url: file, forScale: Double(UIScreen.main.scale))
        shown = archive
        series = try? FrameSeries(url: manifest)
        if view == nil { view = archive?.info.center.map { ($0.coordinate, $0.zoom) } }
        status = archive?.info.name ?? ""
      } catch {
        status = "\(error)"
      }
    }

    /// Shows what is tapped; a cluster opens.
    func tap(_ place: MapCoordinate, _ zoom: Int) {
      guard let archive else { return }
      Task {
        do {
          guard let tap = try await archive.tap(at: place, zoom: zoom) else {
            tapped = nil
            return
          }
          if let cluster = tap.cluster, let expansion = cluster.expansion {
            tapped = "\(cluster.count) places"
            view = expansion
          } else {
            tapped = tap.text ?? tap.fields["name"]?.string ?? tap.key
          }
        } catch {
          tapped = "\(error)"
        }
      }
    }

    /// Brings archive and series up to date, and opens them again.
    func update() async {
      guard let server else { return }
      isUpdating = true
      defer { isUpdating = false }
      let keys = key.map { [$0] } ?? []
      do {
        let updater = ArchiveUpdater(
          archive: file, list: server.appendingPathComponent("hotels.updates.json"), trusting: keys)
        let outcome = try await updater.update { progress in
          Task { @MainActor in
            self.status = "\(progress.bytes / 1024) of \(progress.total / 1024) kB"
          }
        }
        _ = try await SeriesUpdater(
          manifest: manifest, list: server.appendingPathComponent("rain.updates.json"),
          trusting: keys
        ).update()
        open()
        status = outcome.hasChanged ? "updated" : "up to date"
      } catch {
        status = "\(error)"
      }
    }

    // MARK: The player

    private var started = Date()

    private func play() {
      guard let series else { return }
      let next = series.index(afterPlaying: Date().timeIntervalSince(started))
      if next != frame { frame = next }
    }

    private func showFrame() {
      guard let series, series.frames.indices.contains(frame) else { return }
      if let archive = try? series.archive(of: series.frames[frame]) { shown = archive }
    }
  }
#endif
