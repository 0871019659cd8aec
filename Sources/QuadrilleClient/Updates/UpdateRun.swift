import Foundation

/// The work of an update in its folder: from a plan to a file that has been proved.
struct UpdateRun: Sendable {
  let folder: UpdateFolder
  let transport: any UpdateTransport
  let files: FileActions

  /// Whether all tiles are compared with the digest.
  let isVerified: Bool

  /// The most chains of deltas that are tried before the whole archive.
  private static let chains = 10

  /// Whether an archive whose blocks cannot be shared with a copy is changed in its place.
  var isInPlace = false

  /// The most bytes of deltas that change an archive in its place, as a share of its own: SQLite
  /// writes each page twice.
  private static let share = 4

  /// Returns the state of an archive; `nil` if there is none that deltas could change.
  static func state(ofArchive path: String) -> ArchiveState? {
    guard let file = try? SQLiteFile(path: path, mode: .shared) else { return nil }
    return (try? ArchiveInfo(file))?.state
  }

  /// Fetches what a plan needs, and makes the new archive of it.
  ///
  /// A delta that is not on the server, or another one there, is left out of the next plan.
  ///
  /// - Parameters:
  ///   - deltas: the deltas of the list that belong to the archive.
  ///   - archive: the path of the archive that deltas start from.
  ///   - address: returns the address of a file of the plan.
  ///   - advance: called with the bytes that are there.
  /// - Returns: the path of the new archive in the folder, and the plan that led there; no path if
  ///   the archive itself is the new one by now.
  func prepare(
    _ plan: UpdatePlan, to target: UpdateList.Archive, by deltas: [UpdateList.Delta],
    from archive: String, address: @Sendable (UpdateList.File) -> URL,
    advance: @escaping @Sendable (Int) -> Void
  ) async throws(ClientError) -> (path: String?, plan: UpdatePlan) {
    guard !target.file.name.hasSuffix(".pmtiles") else {
      throw ClientError.notArchive(
        file: target.file.name,
        reason: "it is a PMTiles file, which this library does not read; publish an .mbtiles file")
    }
    var (plan, gone) = (plan, Set<String>())
    while case .deltas = plan, gone.count < Self.chains {
      do throws(ClientError) {
        switch try await fetch(plan.files, address: address, advance: advance) {
        case .all(let paths): return (try await patch(archive, by: paths, to: target.state), plan)
        case .missing(let name, _):
          gone.insert(name)
          plan = UpdatePlan(
            from: Self.state(ofArchive: archive), to: target,
            by: deltas.filter { !gone.contains($0.file.name) })
        }
      } catch {
        guard error.isContradiction else { throw error }
        break
      }
    }
    switch try await fetch([target.source], address: address, advance: advance) {
    case .all(let paths):
      try await prove(paths[0], target.state)
      return (paths[0], .whole(target))
    case .missing(_, let error): throw error
    }
  }

  /// Completes the download of an earlier archive that an update has begun, where it and the deltas
  /// from there take fewer bytes than the published archive.
  ///
  /// - Returns: its path in the folder; `nil` where there is none, or none on the server.
  func resumed(
    _ list: UpdateList, to target: UpdateList.Archive, address: @Sendable (UpdateList.File) -> URL
  ) async throws(ClientError) -> String? {
    func rest(_ archive: UpdateList.Archive) -> Int {
      let path = folder.file(archive.file.sha256)
      return archive.file.bytes - (files.size(path) ?? files.size(path + ".part") ?? 0)
    }
    var best: (archive: UpdateList.Archive, bytes: Int)?
    for archive in list.earlier where rest(archive) < archive.file.bytes {
      let plan = UpdatePlan(from: archive.state, to: target, by: list.deltas)
      let bytes = rest(archive) + plan.bytes
      guard case .deltas = plan, bytes < best?.bytes ?? rest(target) else { continue }
      best = (archive, bytes)
    }
    guard let best,
      case .all(let paths) = try await fetch(
        [best.archive.source], address: address, advance: { _ in })
    else { return nil }
    return paths[0]
  }

  /// The result of a download of several files.
  private enum Fetched {
    case all([String])
    /// One is not on the server, or another one there.
    case missing(name: String, ClientError)
  }

  private func fetch(
    _ wanted: [UpdateList.File], address: @Sendable (UpdateList.File) -> URL,
    advance: @escaping @Sendable (Int) -> Void
  ) async throws(ClientError) -> Fetched {
    let download = Download(transport: transport, files: files, folder: folder)
    var paths: [String] = []
    var before = 0
    for file in wanted {
      let start = before
      do throws(ClientError) {
        paths.append(try await download.fetch(file, from: address(file)) { advance(start + $0) })
      } catch {
        guard error.isGone else { throw error }
        return .missing(name: file.name, error)
      }
      before += file.bytes
    }
    return .all(paths)
  }

  /// Applies deltas to a copy of an archive, or to itself where a copy would cost more.
  ///
  /// - Parameter state: what the result must hold; `nil` for what its metadata say.
  /// - Returns: the path of the copy; `nil` if the archive itself has changed.
  func patch(
    _ archive: String, by deltas: [String], to state: ArchiveState?
  ) async throws(ClientError) -> String? {
    // The thread that ends may keep what it uses for a while, which must not be the folder's lock.
    let (files, isVerified, mayChange) = (files, isVerified, isInPlace)
    let copy = folder.file("patched-" + archive.lastComponent)
    return try await blocking { isStopped throws(ClientError) in
      func proof(_ file: SQLiteFile) throws(ClientError) {
        try Self.prove(file, state, isVerified, isStopped)
      }
      for name in [copy, copy + "-journal"] { try files.remove(name) }
      if try !files.clone(archive, to: copy) {
        if mayChange, Self.isSmall(deltas, archive, files),
          try ArchiveInstallation(of: archive, files)
            .change(by: deltas, isStopped: isStopped, proof: proof)
        {
          return nil
        }
        try files.copy(archive, to: copy)
      }
      try DeltaApplication(to: copy, files).apply(deltas, isStopped: isStopped, proof: proof)
      return copy
    }
  }

  private static func isSmall(
    _ deltas: [String], _ archive: String, _ files: FileActions
  ) -> Bool {
    let bytes = deltas.reduce(0) { $0 + (files.size($1) ?? 0) }
    return (1...DeltaApplication.limit).contains(deltas.count)
      && bytes <= (files.size(archive) ?? 0) / share
  }

  /// Proves that a file holds what is expected.
  ///
  /// - Parameter state: what it must hold; `nil` for what its metadata say.
  private func prove(_ candidate: String, _ state: ArchiveState?) async throws(ClientError) {
    let isVerified = isVerified
    try await blocking { isStopped throws(ClientError) in
      try Self.prove(
        try SQLiteFile(path: candidate, mode: .immutable), state, isVerified, isStopped)
    }
  }

  private static func prove(
    _ file: SQLiteFile, _ state: ArchiveState?, _ isVerified: Bool, _ isStopped: () -> Bool
  ) throws(ClientError) {
    let found = try ArchiveInfo(file).state
    guard let expected = state ?? found, found == expected else {
      throw ClientError.otherDigest(
        file: file.name, expected: state?.digest ?? "none", found: found?.digest ?? "none")
    }
    if isVerified { try DigestScan.require(expected.digest, in: file, isStopped: isStopped) }
    if isStopped() { throw ClientError.cancelled }
  }

  /// Puts a file, if there is one, in the place of an archive.
  func install(_ candidate: String?, as archive: String) async throws(ClientError) {
    guard let candidate else { return }
    let (files, name) = (files, folder.file("previous"))
    try await blocking { _ throws(ClientError) in
      let installation = ArchiveInstallation(of: archive, files)
      // A journal belongs to the file that is replaced.
      try installation.settle()
      try installation.install(candidate, linkingAs: name)
    }
  }
}

extension UpdateList {
  /// The SHA-256 of all files that an update may fetch, in one run or in several.
  var downloads: Set<String> {
    let wholes =
      switch content {
      case .archive(let archive): [archive.file]
      case .series(let manifest, _, let frames): [manifest] + frames.map(\.file)
      }
    return Set((wholes + deltas.map(\.file) + earlier.map(\.file)).map(\.sha256))
  }
}

extension UpdatePlan {
  /// The files to fetch.
  var files: [UpdateList.File] {
    switch self {
    case .upToDate: []
    case .deltas(let deltas): deltas.map(\.file)
    case .whole(let archive): [archive.source]
    }
  }
}

extension ClientError {
  /// Whether a file is not on the server, or another one: not now, nor later.
  fileprivate var isGone: Bool {
    switch self {
    case .otherFile: true
    case .refused(_, let status): (400..<500).contains(status) && ![408, 425, 429].contains(status)
    default: false
    }
  }

  /// Whether files contradict each other, so that others may help.
  fileprivate var isContradiction: Bool {
    switch self {
    case .unusableDelta, .otherDigest, .damaged, .notArchive: true
    default: false
    }
  }
}
