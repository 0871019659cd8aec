import Files
import SystemPackage

extension FileGlob {
  /// The files that fit the glob, as paths from `folder` on, or absolute ones if the glob is; in
  /// the order of their bytes, each once.
  ///
  /// Links are followed where the glob names them or their name fits a part of it; `**` does not
  /// enter folders that are links, so no loop is walked.
  ///
  /// - Parameter folder: what a relative glob starts from.
  /// - Throws: ``SeriesError`` where a folder cannot be read, or a limit is reached.
  /// - Complexity: O(names looked at · length of the glob).
  package func files(
    in folder: String, limits: SeriesLimits = SeriesLimits()
  ) throws(SeriesError) -> [String] {
    var search = GlobSearch(
      components: components, root: isAbsolute ? "/" : folder, isAbsolute: isAbsolute,
      limits: limits)
    try search.walk("", component: 0, depth: 0)
    return search.found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// One search for the files of a glob.
private struct GlobSearch {
  let components: [FileGlob.Component]
  let root: String
  let isAbsolute: Bool
  let limits: SeriesLimits
  var found: Set<String> = []

  /// Names looked at so far.
  private var names = 0

  /// Folder and component pairs that were walked: several `**` lead to one place in several ways.
  private var walked: Set<Step> = []

  private struct Step: Hashable {
    let path: String
    let component: Int
  }

  init(
    components: [FileGlob.Component], root: String, isAbsolute: Bool, limits: SeriesLimits
  ) {
    self.components = components
    self.root = root
    self.isAbsolute = isAbsolute
    self.limits = limits
  }

  /// Takes the components from one on, below a path that is a folder; the root's path is empty.
  mutating func walk(_ path: String, component: Int, depth: Int) throws(SeriesError) {
    guard component < components.count,
      walked.insert(Step(path: path, component: component)).inserted
    else { return }
    switch components[component] {
    case .name(let name): try enter(join(path, name), component: component + 1, depth: depth)
    case .pattern(let symbols):
      for name in try list(path) where GlobName.matches(symbols, name) {
        try enter(join(path, name), component: component + 1, depth: depth)
      }
    case .folders:
      try walk(path, component: component + 1, depth: depth)
      for name in try list(path) where !name.hasPrefix(".") {
        let child = join(path, name)
        guard FileStatus(FilePath(full(child)), followsLinks: false)?.kind == .folder else {
          continue
        }
        guard depth < limits.maxDepth else {
          throw SeriesError(
            .tooLarge, "'\(child)' lies deeper than \(limits.maxDepth) folders; narrow the '**'.")
        }
        try walk(child, component: component, depth: depth + 1)
      }
    }
  }

  /// A path that fits the components before one: taken if none is left and it is a file, else
  /// entered if it is a folder.
  private mutating func enter(_ path: String, component: Int, depth: Int) throws(SeriesError) {
    let kind = FileStatus(FilePath(full(path)))?.kind
    if component == components.count {
      guard kind == .file else { return }
      found.insert(path)
      try limits.check(frames: found.count)
    } else if kind == .folder {
      try walk(path, component: component, depth: depth)
    }
  }

  private mutating func list(_ path: String) throws(SeriesError) -> [String] {
    do throws(FolderListing.Failure) {
      let listed = try FolderListing.sortedNames(
        in: FilePath(full(path)), limit: limits.maxNames - names)
      names += listed.count
      return listed
    } catch {
      throw SeriesError(error, of: full(path))
    }
  }

  private func join(_ path: String, _ name: String) -> String {
    path.isEmpty ? (isAbsolute ? "/" + name : name) : "\(path)/\(name)"
  }

  /// The path as the system sees it.
  private func full(_ path: String) -> String {
    if isAbsolute { return path.isEmpty ? "/" : path }
    if path.isEmpty { return root.isEmpty ? "." : root }
    return root.isEmpty ? path : "\(root)/\(path)"
  }
}

extension SeriesError {
  /// Why a folder is not listed.
  fileprivate init(_ failure: FolderListing.Failure, of folder: String) {
    switch failure {
    case .unreadable(let cause):
      self.init(
        .unreadable,
        "the folder '\(folder)' cannot be read: \(cause); check it and its permissions.")
    case .brokenOff(let cause):
      self.init(.unreadable, "the folder '\(folder)' cannot be read whole: \(cause).")
    case .notUTF8:
      self.init(.unreadable, "a name in the folder '\(folder)' is not UTF-8; rename the file.")
    case .tooMany:
      self.init(
        .tooLarge, "the folder '\(folder)' leads beyond the limit of names; narrow the glob.")
    }
  }
}
