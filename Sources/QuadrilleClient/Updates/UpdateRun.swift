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

  /// Returns the state of an archive; `nil` if there is none that deltas could change.
  static func state(ofArchive path: String) -> ArchiveState? {
    guard isWhole(path), let file = try? SQLiteFile(path: path, mode: .immutable) else {
      return nil
    }
    return (try? ArchiveInfo(file))?.state
  }

  /// Whether a database has as many bytes as its header says.
  private static func isWhole(_ path: String) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: 32), head.count == 32,
      let size = try? handle.seekToEnd()
    else { return false }
    func number(_ range: Range<Int>) -> UInt64 { head[range].reduce(0) { $0 << 8 | UInt64($1) } }
    let page = number(16..<18)
    return size >= (page == 1 ? 65_536 : page) * number(28..<32)
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
  /// - Returns: the path of the new archive in the folder, and the plan that led there.
  func prepare(
    _ plan: UpdatePlan, to target: UpdateList.Archive, by deltas: [UpdateList.Delta],
    from archive: String, address: @Sendable (UpdateList.File) -> URL,
    advance: @escaping @Sendable (Int) -> Void
  ) async throws(ClientError) -> (path: String, plan: UpdatePlan) {
    var (plan, gone) = (plan, Set<String>())
    while case .deltas = plan, gone.count < Self.chains {
      do throws(ClientError) {
        let copy: String
        switch try await fetch(plan.files, address: address, advance: advance) {
        case .all(let paths): copy = try await patchedCopy(of: archive, by: paths)
        case .missing(let name, _):
          gone.insert(name)
          plan = UpdatePlan(
            from: Self.state(ofArchive: archive), to: target,
            by: deltas.filter { !gone.contains($0.file.name) })
          continue
        }
        try await prove(copy, target.state)
        return (copy, plan)
      } catch {
        guard error.isContradiction else { throw error }
        break
      }
    }
    switch try await fetch([target.file], address: address, advance: advance) {
    case .all(let paths):
      try await prove(paths[0], target.state)
      return (paths[0], .whole(target))
    case .missing(_, let error): throw error
    }
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

  /// Returns the path of a copy of an archive after deltas.
  func patchedCopy(of archive: String, by deltas: [String]) async throws(ClientError) -> String {
    let files = files
    let copy = folder.file("patched-" + archive.lastComponent)
    try await blocking { isStopped throws(ClientError) in
      for name in [copy, copy + "-journal"] { try files.remove(name) }
      try files.copy(archive, to: copy)
      try DeltaApplication(to: copy, files).apply(deltas, isStopped: isStopped)
    }
    return copy
  }

  /// Proves that a file holds what is expected.
  ///
  /// - Parameter state: what it must hold; `nil` for what its metadata say.
  func prove(_ candidate: String, _ state: ArchiveState?) async throws(ClientError) {
    let isVerified = isVerified
    try await blocking { isStopped throws(ClientError) in
      let file = try SQLiteFile(path: candidate, mode: .immutable)
      let found = try ArchiveInfo(file).state
      guard let expected = state ?? found, found == expected else {
        throw ClientError.otherDigest(
          file: file.name, expected: state?.digest ?? "none", found: found?.digest ?? "none")
      }
      if isVerified { try DigestScan.require(expected.digest, in: file, isStopped: isStopped) }
      if isStopped() { throw ClientError.cancelled }
    }
  }

  /// Puts a file in the place of an archive.
  func install(_ candidate: String, as archive: String) async throws(ClientError) {
    let (files, name) = (files, folder.file("previous"))
    try await blocking { _ throws(ClientError) in
      try ArchiveInstallation(of: archive, files).install(candidate, linkingAs: name)
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
    return Set((wholes + deltas.map(\.file)).map(\.sha256))
  }
}

extension UpdatePlan {
  /// The files to fetch.
  var files: [UpdateList.File] {
    switch self {
    case .upToDate: []
    case .deltas(let deltas): deltas.map(\.file)
    case .whole(let archive): [archive.file]
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
