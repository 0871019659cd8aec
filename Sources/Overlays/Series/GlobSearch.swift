import Files
import SystemPackage

extension FileGlob {
  /// Returns the files that match the glob, as paths relative to `folder`, or absolute ones if the
  /// glob is; in byte order, each once.
  ///
  /// Links are followed where the glob names them or their name matches a part of it; `**` does not
  /// enter folders that are links, so cycles are impossible.
  ///
  /// - Parameter folder: the start of a relative glob.
  /// - Throws: ``SeriesError`` if a folder cannot be read, or a limit is reached.
  /// - Complexity: O(names examined · length of the glob).
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

/// A search for the files of a glob.
private struct GlobSearch {
  let components: [FileGlob.Component]
  let root: String
  let isAbsolute: Bool
  let limits: SeriesLimits
  var found: Set<String> = []

  /// The number of names examined so far.
  private var names = 0

  /// The pairs of folder and component that were visited: several `**` can lead to one place in
  /// several ways.
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

  /// Matches the components from a given one on below a folder; the root's path is empty.
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

  /// Handles a path that matches the components before one: adds it if none is left and it is a
  /// file, or enters it if it is a folder.
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
    do throws(FolderListing.Refusal) {
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

  /// Returns the path for the system.
  private func full(_ path: String) -> String {
    if isAbsolute { return path.isEmpty ? "/" : path }
    if path.isEmpty { return root.isEmpty ? "." : root }
    return root.isEmpty ? path : "\(root)/\(path)"
  }
}

extension SeriesError {
  /// Creates the error of a folder that cannot be listed.
  fileprivate init(_ failure: FolderListing.Refusal, of folder: String) {
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
