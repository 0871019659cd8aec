public import Foundation

/// Keeps an archive on this device up to date with that of a publisher.
///
/// ```swift
/// let updater = ArchiveUpdater(
///   archive: folder.appendingPathComponent("hotels.mbtiles"),
///   list: server.appendingPathComponent("hotels.updates.json"), trusting: [key])
/// let outcome = try await updater.update()
/// ```
///
/// At every moment the archive's name leads to the old or to the new archive, whenever the network
/// breaks, the app is killed or the disk is full; the next update continues what one has left. An
/// update by deltas writes about twice what has changed. Where the file system shares blocks (APFS,
/// Btrfs, XFS), maps that have the archive open go on showing the old one; elsewhere the archive
/// changes in one transaction of SQLite: see ``MapArchive/isReplaced``.
public actor ArchiveUpdater {
  /// The url of the archive on this device, whether it exists yet or not.
  public nonisolated let archive: URL

  private nonisolated let list: URL
  private nonisolated let keys: [UpdateKey]
  private nonisolated let transport: any UpdateTransport
  private nonisolated let files: FileActions

  /// Creates an updater, which does nothing yet.
  ///
  /// - Parameters:
  ///   - archive: the url of the archive on this device. Beside it lie `NAME.update-state.json`, the
  ///     previous archive `NAME.mbtiles.previous`, and during an update the folder
  ///     `NAME.mbtiles.update`.
  ///   - list: the address of `NAME.updates.json`, beside which its files are. The list has to
  ///     belong to the archive `NAME`, or where the address has another form, to the archive of this
  ///     name on the device.
  ///   - keys: the publisher's keys. A list that none of them has signed is refused; without keys
  ///     every list is accepted. A list may name the keys of those after it, which are remembered.
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

  private nonisolated var trust: StoredTrust {
    StoredTrust(stem: archive.deletingPathExtension().path, anchors: keys, files)
  }

  /// Fetches the list, and says what an update would fetch. Nothing on this device changes but the
  /// memory of the list's number and keys.
  public func plan() async throws(ClientError) -> UpdatePlan {
    try plan(try await acceptedList()).plan
  }

  /// Brings the archive up to date: fetches the list and what it takes least of, deltas or the whole
  /// archive, and puts the new archive in the place of the old one.
  ///
  /// Where a delta is gone from the server, the next cheapest way is taken. If deltas do not lead to
  /// the archive of the list, because the archive on this device is damaged, the whole archive is
  /// fetched.
  ///
  /// - Parameters:
  ///   - verify: whether all tiles of the new archive are compared with its digest, too.
  ///   - progress: called with what has been fetched.
  /// - Throws: any ``ClientError``; the archive is as it was.
  public func update(
    verify: Bool = true, progress: @escaping @Sendable (UpdateProgress) -> Void = { _ in }
  ) async throws(ClientError) -> UpdateOutcome {
    let list = try await acceptedList()
    if try self.plan(list).plan == .upToDate {
      UpdateFolder.sweep(besideArchive: path, files)
      return UpdateOutcome(plan: .upToDate, sequence: list.sequence)
    }
    let run = try run(verify)
    try ArchiveInstallation(of: path, files).settle()
    // Another update may have ended in between.
    var (plan, target) = try plan(list)
    guard plan != .upToDate else {
      try run.folder.removeAll()
      return UpdateOutcome(plan: plan, sequence: list.sequence)
    }
    try run.folder.clean(keeping: list.downloads)
    let base = self.list.deletingLastPathComponent()
    let address = { @Sendable (file: UpdateList.File) in base.appendingPathComponent(file.name) }
    var start = self.path
    if case .whole = plan, let begun = try await run.resumed(list, to: target, address: address) {
      start = begun
      plan = UpdatePlan(from: UpdateRun.state(ofArchive: begun), to: target, by: list.deltas)
    }
    let total = plan.bytes
    let (path, done) = try await run.prepare(
      plan, to: target, by: list.deltas, from: start, address: address,
      advance: { progress(UpdateProgress(bytes: $0, total: total)) })
    // An earlier archive that was fetched may itself have become the new one.
    try await run.install(path ?? (start == self.path ? nil : start), as: self.path)
    try run.folder.removeAll()
    return UpdateOutcome(plan: done, sequence: list.sequence)
  }

  /// Applies deltas that are on this device, one after the other, and puts the result in the place
  /// of the archive.
  ///
  /// - Parameters:
  ///   - deltas: the urls of the files.
  ///   - verify: whether all tiles of the new archive are compared with its digest, too.
  /// - Throws: ``ClientError/unusableDelta(file:reason:)`` and others; the archive is as it was.
  public func apply(_ deltas: [URL], verify: Bool = true) async throws(ClientError) {
    let run = try run(verify)
    try run.folder.clean(keeping: [])
    let copy = try await run.patch(path, by: deltas.map(\.path), to: nil)
    try await run.install(copy, as: path)
    try run.folder.removeAll()
  }

  /// Puts a whole archive in the place of this one.
  ///
  /// - Parameters:
  ///   - target: the archive in a list.
  ///   - base: the address of the folder of the list.
  ///   - advance: called with the bytes that are there.
  func replace(
    by target: UpdateList.Archive, from base: URL, advance: @escaping @Sendable (Int) -> Void
  ) async throws(ClientError) {
    let run = try run(true)
    try run.folder.clean(keeping: [target.file.sha256])
    let (path, _) = try await run.prepare(
      .whole(target), to: target, by: [], from: path,
      address: { base.appendingPathComponent($0.name) }, advance: advance)
    try await run.install(path, as: self.path)
    try run.folder.removeAll()
  }

  /// Puts the archive before the last update back in its place. The next update fetches the newest
  /// one again.
  ///
  /// - Throws: ``ClientError/noPrevious(file:)`` if there is none.
  public func rollBack() throws(ClientError) {
    let folder = try UpdateFolder(besideArchive: path, files)
    try ArchiveInstallation(of: path, files).rollBack()
    try folder.removeAll()
  }

  private func run(_ isVerified: Bool) throws(ClientError) -> UpdateRun {
    UpdateRun(
      folder: try UpdateFolder(besideArchive: path, files), transport: transport, files: files,
      isVerified: isVerified, isInPlace: true)
  }

  private func acceptedList() async throws(ClientError) -> UpdateList {
    try trust.accepting(
      try await transport.document(list, limit: UpdateList.byteLimit + 1),
      of: UpdateList.name(inAddress: list) ?? UpdateList.stem(of: archive.lastPathComponent))
  }

  private func plan(
    _ list: UpdateList
  ) throws(ClientError) -> (plan: UpdatePlan, target: UpdateList.Archive) {
    guard case .archive(let target) = list.content else { throw Self.series }
    return (
      UpdatePlan(from: UpdateRun.state(ofArchive: path), to: target, by: list.deltas), target
    )
  }

  private static var series: ClientError { .invalidList(reason: "it is that of a series") }
}

/// The progress of an update.
public struct UpdateProgress: Hashable, Sendable {
  /// The bytes that are on this device.
  public let bytes: Int
  /// The bytes that the update needs.
  public let total: Int
}

/// The result of an update.
public struct UpdateOutcome: Hashable, Sendable {
  /// The files that it has fetched.
  public let plan: UpdatePlan
  /// The number of the list.
  public let sequence: Int

  /// Whether the archive is another one than before.
  public var hasChanged: Bool { plan != .upToDate }
}
