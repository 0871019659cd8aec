public import Foundation

/// Cuts a region out of a publisher's archive onto this device, and keeps it up to date.
///
/// ```swift
/// let region = RegionUpdater(
///   archive: folder.appendingPathComponent("hotels-bern.mbtiles"),
///   list: server.appendingPathComponent("hotels.updates.json"), trusting: [key])
/// try await region.fetch(box: box, zooms: 0...16)
/// ```
///
/// The region is an archive of its own, of the same layout and with taps: at each zoom it has the squares
/// of 8 × 8 tiles that touch the box. Only the chunks of the publisher's file that hold these are
/// fetched, each verified by the signed list. What an interrupted call has fetched, the next one
/// uses.
public actor RegionUpdater {
  /// The url of the region on this device, whether it exists yet or not.
  public nonisolated let archive: URL

  private nonisolated let list: URL
  private nonisolated let keys: [UpdateKey]
  private nonisolated let transport: any UpdateTransport
  private nonisolated let files: FileActions

  /// Creates an updater, which does nothing yet.
  ///
  /// - Parameters:
  ///   - archive: the url of the region on this device. Beside it lie the same files as with an
  ///     ``ArchiveUpdater``.
  ///   - list: the address of the `NAME.updates.json` of the archive that the region is taken from.
  ///   - keys: the publisher's keys, as for ``ArchiveUpdater``.
  ///   - transport: the way to the server.
  public init(
    archive: URL, list: URL, trusting keys: [UpdateKey],
    transport: any UpdateTransport = URLSessionTransport()
  ) {
    self.init(archive: archive, list: list, trusting: keys, transport: transport, files: .init())
  }

  package init(
    archive: URL, list: URL, trusting keys: [UpdateKey], transport: any UpdateTransport,
    files: FileActions
  ) {
    self.archive = archive
    self.list = list
    self.keys = keys
    self.transport = transport
    self.files = files
  }

  private nonisolated var path: String { archive.path }

  /// Fetches a region, in whose place nothing or another archive may be.
  ///
  /// - Parameters:
  ///   - box: its edges belong to it; one whose west is greater than its east crosses the
  ///     antimeridian.
  ///   - zooms: the zooms, of which it has those of the archive.
  ///   - advance: called with the bytes that were fetched.
  /// - Throws: ``ClientError/invalidList(reason:)`` if the list has no hashes of chunks,
  ///   ``ClientError/notArchive(file:reason:)`` if the archive has no tile there or answers taps by
  ///   UTFGrid, ``ClientError/boxTooLarge(blocks:)``, and any other.
  public func fetch(
    box: MapBox, zooms: ClosedRange<Int>, advance: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(ClientError) {
    let list = try await acceptedList()
    let run = try run(list, advance)
    try run.folder.clean(keeping: run.kept)
    let region = RegionMetadata.Region(box, zooms, of: run.target.state)
    try await install(try await run.cut(region), by: run)
  }

  /// Brings the region up to date: by the deltas that lead to the archive of the list, and the chunks
  /// of what these do not have; else it is cut anew.
  ///
  /// - Returns: whether the region is another one than before.
  @discardableResult public func update(
    advance: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(ClientError) -> Bool {
    let list = try await acceptedList()
    guard let region = RegionMetadata.Region(try ArchiveInfo(SQLiteFile(path: path, mode: .shared)))
    else {
      throw ClientError.notArchive(file: archive.lastPathComponent, reason: "it is no region")
    }
    let run = try run(list, advance)
    guard region.state != run.target.state else {
      try run.folder.removeAll()
      return false
    }
    try run.folder.clean(keeping: run.kept)
    try await install(try await run.updated(region, at: path, by: list.deltas), by: run)
    return true
  }

  private func install(_ file: String, by run: RegionRun) async throws(ClientError) {
    let update = UpdateRun(
      folder: run.folder, transport: transport, files: files, isVerified: true)
    try await update.install(file, as: path)
    try run.folder.removeAll()
  }

  private func run(
    _ list: UpdateList, _ advance: @escaping @Sendable (Int) -> Void
  ) throws(ClientError) -> RegionRun {
    guard case .archive(let target) = list.content, let chunks = target.chunks else {
      throw ClientError.invalidList(
        reason: "it has no hashes of chunks; build the archive with this version of the program")
    }
    let folder = try UpdateFolder(besideArchive: path, files)
    let download = Download(transport: transport, files: files, folder: folder)
    let base = self.list.deletingLastPathComponent()
    return RegionRun(
      target: target, chunks: chunks, base: base, download: download,
      remote: RemoteArchive(
        target.source, chunks, at: base.appendingPathComponent(target.source.name), download,
        advance: advance),
      downloads: list.downloads)
  }

  private func acceptedList() async throws(ClientError) -> UpdateList {
    let stem = archive.deletingPathExtension().path
    return try StoredTrust(stem: stem, anchors: keys, files).accepting(
      try await transport.document(list, limit: UpdateList.byteLimit + 1),
      of: UpdateList.name(inAddress: list) ?? UpdateList.stem(of: archive.lastPathComponent))
  }
}

/// The work of fetching or updating a region in its folder.
struct RegionRun: Sendable {
  let target: UpdateList.Archive
  let chunks: ArchiveChunks

  /// The address of the folder of the list.
  let base: URL
  let download: Download
  let remote: RemoteArchive

  /// The SHA-256 of the files of the list.
  let downloads: Set<String>

  var folder: UpdateFolder { download.folder }

  /// The names of files that a later run uses.
  var kept: Set<String> { downloads.union(chunks.names) }

  /// Makes a region of chunks of the archive; returns its path.
  func cut(_ region: RegionMetadata.Region) async throws(ClientError) -> String {
    let path = try emptied("region")
    try await remote.open()
    try RegionFile.create(
      path, like: await remote.objects, pageSize: await remote.bytesOfPage)
    let file = try RegionFile(path, try tiles(region), isNew: true)
    try await file.change { () throws(ClientError) in
      try await file.copyTiles(from: remote)
      try await file.complete(from: remote)
      _ = try file.finish(RegionMetadata(try await remoteMetadata(), region))
    }
    return path
  }

  /// Makes the region of the list's archive from the region of an earlier one; returns its path.
  func updated(
    _ region: RegionMetadata.Region, at path: String, by deltas: [UpdateList.Delta]
  ) async throws(ClientError) -> String {
    var new = region
    (new.digest, new.taps) = (target.state.digest, target.state.taps)
    guard case .deltas(let way) = UpdatePlan(from: region.state, to: target, by: deltas) else {
      return try await cut(new)
    }
    do throws(ClientError) {
      let copy = try emptied("patched")
      if try !download.files.clone(path, to: copy) { try download.files.copy(path, to: copy) }
      let file = try RegionFile(copy, try tiles(region), isNew: false)
      var metadata: [(name: String, value: String)] = []
      for delta in way {
        let address = base.appendingPathComponent(delta.file.name)
        metadata = try file.apply(
          try await download.fetch(delta.file, from: address, advance: { _ in }))
        try file.detach()
      }
      let source = metadata
      try await file.change { () throws(ClientError) in
        try await file.complete(from: remote)
        _ = try file.finish(RegionMetadata(source, new))
      }
      return copy
    } catch {
      switch error {
      case .cancelled, .network, .inputOutput: throw error
      default: return try await cut(new)
      }
    }
  }

  private func tiles(_ region: RegionMetadata.Region) throws(ClientError) -> RegionTiles {
    guard let box = region.mapBox, region.minzoom <= region.maxzoom else {
      throw ClientError.boxTooLarge(blocks: 0)
    }
    return try RegionTiles(box, zooms: region.minzoom...region.maxzoom)
  }

  /// Returns the path of a file that is not there.
  private func emptied(_ name: String) throws(ClientError) -> String {
    let path = folder.file(name)
    for name in [path, path + "-journal"] { try download.files.remove(name) }
    return path
  }

  private func remoteMetadata() async throws(ClientError) -> [(name: String, value: String)] {
    guard let root = await remote.objects["metadata"]?.root else {
      throw ClientError.notArchive(file: target.file.name, reason: "it has no metadata")
    }
    return try await remote.rows(root, [0...Int.max]).compactMap { row in
      guard row.values.count >= 2, let name = row.values[0].text, let value = row.values[1].text
      else { return nil }
      return (name, value)
    }
  }
}
