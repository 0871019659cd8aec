import Foundation

/// The work of an update in its folder: from a plan to a file that has been proved.
struct UpdateRun: Sendable {
  let folder: UpdateFolder
  let transport: any UpdateTransport
  let files: FileActions

  /// Whether all tiles are compared with the digest.
  let isVerified: Bool

  /// Returns the state of an archive; `nil` if there is none that deltas could change.
  static func state(ofArchive path: String) -> ArchiveState? {
    guard let file = try? SQLiteFile(path: path, mode: .immutable) else { return nil }
    return (try? ArchiveInfo(file))?.state
  }

  /// Fetches what a plan needs, and makes the new archive of it.
  ///
  /// - Parameters:
  ///   - archive: the path of the archive that deltas start from.
  ///   - address: returns the address of a file of the plan.
  ///   - advance: called with the bytes that are there.
  /// - Returns: the path of the new archive in the folder, and the plan that led there.
  func prepare(
    _ plan: UpdatePlan, to target: UpdateList.Archive, from archive: String,
    address: @Sendable (UpdateList.File) -> URL, advance: @escaping @Sendable (Int) -> Void
  ) async throws(ClientError) -> (path: String, plan: UpdatePlan) {
    do throws(ClientError) {
      let paths = try await fetch(plan.files, address: address, advance: advance)
      guard case .deltas = plan else {
        try await prove(paths[0], target.state)
        return (paths[0], plan)
      }
      let copy = try await patchedCopy(of: archive, by: paths)
      try await prove(copy, target.state)
      return (copy, plan)
    } catch {
      guard case .deltas = plan, error.isContradiction else { throw error }
    }
    return try await prepare(
      .whole(target), to: target, from: archive, address: address, advance: advance)
  }

  private func fetch(
    _ wanted: [UpdateList.File], address: @Sendable (UpdateList.File) -> URL,
    advance: @escaping @Sendable (Int) -> Void
  ) async throws(ClientError) -> [String] {
    let download = Download(transport: transport, files: files, folder: folder)
    var paths: [String] = []
    var before = 0
    for file in wanted {
      let start = before
      paths.append(try await download.fetch(file, from: address(file)) { advance(start + $0) })
      before += file.bytes
    }
    return paths
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
  /// Whether files contradict each other, so that others may help.
  fileprivate var isContradiction: Bool {
    switch self {
    case .unusableDelta, .otherDigest, .damaged, .notArchive: true
    default: false
    }
  }
}
