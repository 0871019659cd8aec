public import Foundation

/// Keeps a series of images on this device up to date with that of a publisher.
///
/// New frames get their names first, then the manifest is exchanged, then frames that it no longer
/// has are removed: whoever reads the manifest finds its archives, at every moment.
public actor SeriesUpdater {
  /// The url of the manifest on this device, whether it exists yet or not.
  public nonisolated let manifest: URL

  private nonisolated let list: URL
  private nonisolated let keys: [UpdateKey]
  private nonisolated let transport: any UpdateTransport
  private nonisolated let files: FileActions

  /// Creates an updater, which does nothing yet.
  ///
  /// - Parameters:
  ///   - manifest: the url of `NAME.frames.json` on this device. The folder beside it that holds its
  ///     frames is the updater's own: archives there that the series does not have are removed.
  ///   - list: the address of `NAME.updates.json`.
  ///   - keys: the publisher's keys, as those of ``ArchiveUpdater``.
  ///   - transport: the way to the server.
  public init(
    manifest: URL, list: URL, trusting keys: [UpdateKey],
    transport: any UpdateTransport = URLSessionTransport()
  ) {
    self.init(manifest: manifest, list: list, trusting: keys, transport: transport, files: .init())
  }

  package init(
    manifest: URL, list: URL, trusting keys: [UpdateKey], transport: any UpdateTransport,
    files: FileActions
  ) {
    self.manifest = manifest
    self.list = list
    self.keys = keys
    self.transport = transport
    self.files = files
  }

  /// Brings the series up to date.
  ///
  /// - Parameters:
  ///   - verify: whether all tiles of new archives are compared with their digests, too.
  ///   - progress: called with what has been fetched of the archives.
  /// - Returns: the plan that was carried out.
  /// - Throws: any ``ClientError``; the manifest and all archives that it names are there.
  public func update(
    verify: Bool = true, progress: @escaping @Sendable (UpdateProgress) -> Void = { _ in }
  ) async throws(ClientError) -> SeriesPlan {
    let stem = manifest.deletingPathExtension().deletingPathExtension().path
    let trust = StoredTrust(stem: stem, anchors: keys, files)
    let list: UpdateList = try trust.accepting(
      try await transport.document(list, limit: UpdateList.byteLimit + 1),
      of: UpdateList.name(inAddress: list) ?? UpdateList.stem(of: manifest.lastPathComponent))
    guard case .series(let file, let place, _) = list.content else {
      throw ClientError.invalidList(reason: "it is not that of a series")
    }
    guard !files.isLink(manifest.deletingLastPathComponent().appendingPathComponent(place).path)
    else { throw ClientError.invalidFileName("\(place), which is a link to another folder here") }
    let folder = try UpdateFolder(besideArchive: manifest.path, files)
    let known = archives(in: place)
    guard let first = SeriesPlan(from: Self.states(known), by: list) else {
      throw ClientError.invalidList(reason: "it is not that of a series")
    }
    if first.isEmpty, try await isCurrent(file) {
      try folder.removeAll()
      return first
    }
    try folder.clean(keeping: list.downloads)
    let base = self.list.deletingLastPathComponent()
    let next = try await Download(transport: transport, files: files, folder: folder)
      .fetch(file, from: base.appendingPathComponent(file.name), advance: { _ in })
    let series = try read(next)
    let run = UpdateRun(folder: folder, transport: transport, files: files, isVerified: verify)
    let frames = try FrameUpdates(
      plan: first, deltas: list.deltas, series: series, folder: place,
      base: base.appendingPathComponent(place))
    let ready = try await frames.prepare(run, progress: progress)
    try publish(ready, series, (next, folder.file("latest")), replacing: known)
    try folder.removeAll()
    return first
  }

  /// Returns the archives of frames on this device, all of them in the folder: those of the manifest,
  /// and those of an update that was interrupted before it.
  ///
  /// - Parameter place: the name of the folder beside the manifest.
  private func archives(in place: String) -> [URL] {
    let series = try? FrameSeries(url: manifest)
    let folder = manifest.deletingLastPathComponent().appendingPathComponent(place)
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let stray = found.filter { $0.hasSuffix(".mbtiles") && $0 != "latest.mbtiles" }
      .map { folder.appendingPathComponent($0) }
    let own = (series?.frames.map(\.url) ?? []).filter {
      $0.deletingLastPathComponent().path == folder.path && UpdateList.stem(of: $0.path) != $0.path
    }
    return (own + stray).reduce(into: []) { all, archive in
      if !all.contains(where: { $0.path == archive.path }) { all.append(archive) }
    }
  }

  /// Whether the manifest on this device is that of the list.
  private func isCurrent(_ file: UpdateList.File) async throws(ClientError) -> Bool {
    guard files.size(manifest.path) == file.bytes else { return false }
    return try await Download.digest(of: manifest.path) == file.sha256
  }

  /// Returns the states of archives by their names.
  private static func states(_ archives: [URL]) -> [String: ArchiveState] {
    var states: [String: ArchiveState] = [:]
    for archive in archives {
      states[archive.lastPathComponent] = UpdateRun.state(ofArchive: archive.path)
    }
    return states
  }

  private func read(_ path: String) throws(ClientError) -> FrameSeries {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ClientError.missing(file: manifest.lastPathComponent)
    }
    do throws(ManifestFault) {
      return try FrameSeries(data, url: manifest)
    } catch {
      throw ClientError.damaged(file: manifest.lastPathComponent, reason: error.reason)
    }
  }

  private func publish(
    _ ready: [(path: String, archive: URL)], _ series: FrameSeries,
    _ names: (manifest: String, latest: String), replacing known: [URL]
  ) throws(ClientError) {
    var folders: Set<URL> = [series.latest.deletingLastPathComponent()]
    for (_, archive) in ready { folders.insert(archive.deletingLastPathComponent()) }
    for folder in folders.sorted(by: { $0.path < $1.path }) {
      try files.createFolder(folder.path)
    }
    for (path, archive) in ready {
      try files.sync(path)
      try files.rename(path, to: archive.path)
    }
    if let newest = series.frames.last {
      try files.remove(names.latest)
      try files.link(newest.url.path, as: names.latest)
      try files.rename(names.latest, to: series.latest.path)
      try files.remove(names.latest)
    }
    for folder in folders.sorted(by: { $0.path < $1.path }) { try files.syncFolder(folder.path) }
    try files.rename(names.manifest, to: manifest.path)
    try files.syncFolder(manifest.deletingLastPathComponent().path)
    let current = Set(series.frames.map(\.url.path) + [series.latest.path])
    for archive in known where !current.contains(archive.path) {
      try files.remove(archive.path)
    }
  }
}

/// The updates of the frames of a series.
private struct FrameUpdates {
  private let steps: [(step: SeriesPlan.Step, archive: URL)]
  private let deltas: [String?: [UpdateList.Delta]]

  /// The address of the folder of the frames and their deltas.
  private let base: URL
  private let total: Int

  /// - Parameter folder: the name of the folder beside the manifest in which all frames are.
  init(
    plan: SeriesPlan, deltas: [UpdateList.Delta], series: FrameSeries, folder: String, base: URL
  ) throws(ClientError) {
    let place = series.url.deletingLastPathComponent().appendingPathComponent(folder).path
    for file in series.frames.map(\.url) + [series.latest]
    where file.deletingLastPathComponent().path != place {
      throw ClientError.invalidList(
        reason: "its manifest has '\(file.lastPathComponent)' elsewhere than in '\(folder)'")
    }
    let archives = Dictionary(
      series.frames.map { ($0.url.lastPathComponent, $0.url) }, uniquingKeysWith: { $1 })
    guard archives.count == plan.steps.count else {
      throw ClientError.invalidList(reason: "its frames are not those of its manifest")
    }
    var steps: [(SeriesPlan.Step, URL)] = []
    for step in plan.steps {
      guard let archive = archives[step.frame.file.name] else {
        throw ClientError.invalidList(
          reason: "its manifest does not have the frame '\(step.frame.file.name)'")
      }
      steps.append((step, archive))
    }
    self.steps = steps
    self.base = base
    self.deltas = Dictionary(grouping: deltas, by: \.frame)
    total = plan.bytes
  }

  /// Makes the new archives of all frames that change.
  func prepare(
    _ run: UpdateRun, progress: @escaping @Sendable (UpdateProgress) -> Void
  ) async throws(ClientError) -> [(path: String, archive: URL)] {
    var ready: [(String, URL)] = []
    var before = 0
    for (step, archive) in steps where step.plan != .upToDate {
      let (start, total, base) = (before, total, base)
      let (path, _) = try await run.prepare(
        step.plan, to: step.frame, by: deltas[step.frame.file.name] ?? [], from: archive.path,
        address: { base.appendingPathComponent($0.name) },
        advance: { progress(UpdateProgress(bytes: start + $0, total: total)) })
      if let path { ready.append((path, archive)) }
      before += step.plan.bytes
    }
    return ready
  }
}
