#if canImport(SwiftUI) && canImport(UIKit) && canImport(MapKit)
  import Foundation
  import QuadrilleClient
  import SwiftUI

  /// The archive `hotels.mbtiles`, which updates bring and keep up to date, and packs of regions.
  @MainActor
  final class MapModel: ObservableObject {
    @Published private(set) var archive: MapArchive?
    @Published private(set) var packs: [PackList.Pack] = []
    @Published private(set) var held: Set<String> = []
    @Published private(set) var entries: [MapEntry] = []
    @Published private(set) var status = ""
    @Published private(set) var view: MapBox?
    /// The packs that are on this device, as one map.
    let regions: PackSet?
    private let updater: ArchiveUpdater
    init(server: URL, trusting keys: [UpdateKey]) {
      let folder = FileManager.default.urls(
        for: .applicationSupportDirectory, in: .userDomainMask)[0]
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      updater = ArchiveUpdater(
        archive: folder.appending(path: "hotels.mbtiles"),
        list: server.appending(path: "hotels.updates.json"), trusting: keys)
      regions = try? PackSet(
        list: folder.appending(path: "isles.packs.json"),
        address: server.appending(path: "isles.packs.json"), trusting: keys)
    }

    /// Does some work, and says what fails.
    func run(_ work: @escaping @MainActor () async throws -> Void) {
      Task { do { try await work() } catch { status = "\(error)" } }
    }

    /// Opens what is there.
    func open() async throws {
      archive = try? MapArchive(url: updater.archive, forScale: 2)
      view = view ?? archive?.info.bounds
      packs = await regions?.list?.packs ?? []
      for pack in packs where await regions?.isHeld(pack) == true { held.insert(pack.file) }
    }

    /// Brings the archive and the packs up to the lists; whatever fails, the old ones stay.
    func update() async throws {
      let hasChanged = try await updater.update { [report] in report($0) }.hasChanged
      let packs = try await regions?.update() ?? []
      try await open()
      status = hasChanged || !packs.isEmpty ? "Updated" : "This is the newest."
    }
    private nonisolated func report(_ progress: UpdateProgress) {
      Task { @MainActor in status = "\(progress.bytes / 1024) of \(progress.total / 1024) kB" }
    }

    /// Downloads a pack with what all need, or removes it.
    func toggle(_ pack: PackList.Pack) async throws {
      if held.remove(pack.file) != nil { return try await regions?.remove(pack) ?? () }
      try await regions?.fetch([pack]) { [report] in report($0) }
      held.insert(pack.file)
    }

    /// Lists what a box shows, for eyes and for VoiceOver.
    func list(_ box: MapBox, zoom: Int) async throws {
      let found = try await archive?.entries(in: box, zoom: zoom, limit: 50) ?? []
      entries = try await found + (held.isEmpty ? [] : regions?.entries(in: box, zoom: zoom) ?? [])
    }

    /// Shows what is at a place.
    func tap(_ place: MapCoordinate, zoom: Int) async throws {
      let tap = try await archive?.tap(at: place, zoom: zoom)
      show(tap == nil ? try await regions?.tap(at: place, zoom: zoom) : tap)
    }

    /// Shows the first feature whose entry contains a text.
    func search(_ text: String) async throws {
      let tap = try await archive?.taps(containing: text, limit: 1).first
      show(tap == nil ? try await regions?.taps(containing: text, limit: 1).first : tap)
    }

    /// Says what an entry is; a cluster opens.
    func show(_ tap: Tap?) {
      view = tap?.cluster?.box ?? view
      let words = tap.map { $0.text ?? $0.fields["name"]?.string ?? $0.key }
      status = tap?.cluster.map { "\($0.count) places" } ?? words ?? "Nothing is here."
    }
  }
#endif
