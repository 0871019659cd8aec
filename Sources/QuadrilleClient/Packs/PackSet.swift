public import Foundation

/// The packs of an archive that this device holds, kept up to date, as one map.
///
/// ```swift
/// let packs = try PackSet(
///   list: folder.appendingPathComponent("isles.packs.json"),
///   address: server.appendingPathComponent("isles.packs.json"), trusting: [key])
/// try await packs.refresh()
/// let chosen = await packs.packs(at: place)
/// let size = await packs.size(of: chosen)
/// try await packs.fetch(chosen)
/// let shown = try await packs.tap(at: place, zoom: 3)
/// ```
///
/// docs/packs.md describes packs. The list lies in the folder of the packs, with the memory of its
/// number and keys, `NAME.packs.update-state.json`.
public actor PackSet {
  /// The list; `nil` before the first ``refresh()``.
  public private(set) var list: PackList?

  private nonisolated let url: URL
  private nonisolated let address: URL
  private nonisolated let keys: [UpdateKey]
  private nonisolated let transport: any UpdateTransport
  private nonisolated let files = FileActions()

  /// The archives that are open, by their files.
  private var archives: [String: MapArchive] = [:]

  /// Opens the packs of a folder, which may be empty yet.
  ///
  /// - Parameters:
  ///   - list: the url of `NAME.packs.json` on this device.
  ///   - address: the address of that of the publisher, beside which the packs are.
  ///   - keys: the publisher's keys, as for ``ArchiveUpdater``.
  ///   - transport: the way to the server.
  /// - Throws: ``ClientError/invalidList(reason:)`` and others if the list on this device is damaged.
  public init(
    list url: URL, address: URL, trusting keys: [UpdateKey],
    transport: any UpdateTransport = URLSessionTransport()
  ) throws(ClientError) {
    self.url = url
    self.address = address
    self.keys = keys
    self.transport = transport
    if let data = FileManager.default.contents(atPath: url.path) {
      // What was stored was checked when it came, and shows the packs here whatever its end.
      var trust = UpdateTrust(keys: [])
      list = try trust.acceptPacks(data, of: Self.name(url), at: .distantPast)
    }
  }

  private static func name(_ url: URL) -> String {
    String(url.lastPathComponent.dropLast(PackList.suffix.count))
  }

  // MARK: Choosing

  /// Returns the packs of regions whose boxes touch a box.
  public func packs(in box: MapBox) -> [PackList.Pack] {
    list?.packs.filter { $0.box.touches(box) } ?? []
  }

  /// Returns the packs of regions whose boxes contain a place.
  public func packs(at place: MapCoordinate) -> [PackList.Pack] {
    packs(
      in: MapBox(
        west: place.longitude, south: place.latitude, east: place.longitude, north: place.latitude))
  }

  /// Whether a pack is on this device.
  public func isHeld(_ pack: PackList.Pack) -> Bool { files.size(file(pack.file).path) != nil }

  /// Returns the packs to download for some packs: themselves and the shared one, unless they are
  /// there.
  public func missing(for packs: [PackList.Pack]) -> [PackList.Pack] {
    (list?.all ?? []).filter { (packs.contains($0) || $0 == list?.shared) && !isHeld($0) }
  }

  /// Returns the bytes to download for some packs.
  public func size(of packs: [PackList.Pack]) -> Int {
    missing(for: packs).reduce(0) { $0 + $1.bytes }
  }

  private func file(_ name: String) -> URL {
    url.deletingLastPathComponent().appendingPathComponent(name)
  }

  // MARK: Downloads

  /// Takes the publisher's list.
  public func refresh() async throws(ClientError) {
    let data = try await transport.document(address, limit: UpdateList.byteLimit + 1)
    let trust = StoredTrust(stem: url.deletingPathExtension().path, anchors: keys, files)
    let name = UpdateList.name(inAddress: address, suffix: PackList.suffix) ?? Self.name(url)
    let accepted: PackList = try trust.accepting(data, of: name)
    try files.replace(url.path, by: data)
    list = accepted
  }

  /// Downloads what is missing for some packs.
  ///
  /// - Parameter progress: called with what has been fetched.
  public func fetch(
    _ packs: [PackList.Pack],
    progress: @escaping @Sendable (UpdateProgress) -> Void = { _ in }
  ) async throws(ClientError) {
    let (missing, total) = (missing(for: packs), size(of: packs))
    var done = 0
    for pack in missing {
      let before = done
      try await replace(pack) { progress(UpdateProgress(bytes: before + $0, total: total)) }
      done += pack.bytes
    }
  }

  /// Takes the publisher's list, and brings the packs on this device up to it: by their deltas where
  /// the publisher has lists of these. Packs that are gone are removed.
  ///
  /// - Returns: the names of the files that changed.
  @discardableResult public func update() async throws(ClientError) -> Set<String> {
    try await refresh()
    guard let list else { return [] }
    var changed: Set<String> = []
    for pack in list.all where isHeld(pack) {
      guard UpdateRun.state(ofArchive: file(pack.file).path) != pack.archive.state else { continue }
      do throws(ClientError) {
        _ = try await updater(of: pack).update()
      } catch {
        guard case .refused(_, let status) = error, (400..<500).contains(status) else {
          throw error
        }
        try await replace(pack) { _ in }
      }
      changed.insert(pack.file)
    }
    let listed = Set(list.all.map(\.file))
    for name in try names() where !listed.contains(name) && isPack(name, of: list.archive) {
      try remove(name)
      changed.insert(name)
    }
    for name in changed { archives[name] = nil }
    return changed
  }

  /// Removes a pack from this device.
  public func remove(_ pack: PackList.Pack) throws(ClientError) { try remove(pack.file) }

  private func remove(_ name: String) throws(ClientError) {
    archives[name] = nil
    let path = file(name).path
    UpdateFolder.sweep(besideArchive: path, files)
    for ending in ["", "-journal", ".previous"] { try files.remove(path + ending) }
    try files.remove(file(UpdateList.stem(of: name)).path + ".update-state.json")
  }

  private func replace(
    _ pack: PackList.Pack, _ advance: @escaping @Sendable (Int) -> Void
  ) async throws(ClientError) {
    let base = address.deletingLastPathComponent()
    try await updater(of: pack).replace(by: pack.archive, from: base, advance: advance)
    try files.remove(file(pack.file).path + ".previous")
    archives[pack.file] = nil
  }

  private func updater(of pack: PackList.Pack) -> ArchiveUpdater {
    let name = UpdateList.stem(of: pack.file) + UpdateList.suffix
    return ArchiveUpdater(
      archive: file(pack.file),
      list: address.deletingLastPathComponent().appendingPathComponent(name),
      trusting: keys, transport: transport)
  }

  private func names() throws(ClientError) -> [String] {
    let folder = url.deletingLastPathComponent().path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      $0.hasPrefix(Self.name(url) + "-") && $0.hasSuffix(".mbtiles")
    }.sorted()
  }

  /// Whether a file says of itself that it is a pack of an archive.
  private func isPack(_ name: String, of archive: String) -> Bool {
    guard let info = try? MapArchive(url: file(name)).info,
      let mark = info.metadata["quadrille:pack"]
    else { return false }
    return JSONValue(parsing: Data(mark.utf8))?["archive"]?.string == archive
  }

  // MARK: Archives

  /// Returns the archive of a pack; `nil` where it is not on this device.
  func archive(_ pack: PackList.Pack) throws(ClientError) -> MapArchive? {
    if let known = archives[pack.file], !known.isReplaced { return known }
    guard isHeld(pack) else { return nil }
    let archive = try MapArchive(url: file(pack.file))
    archives[pack.file] = archive
    return archive
  }
}
