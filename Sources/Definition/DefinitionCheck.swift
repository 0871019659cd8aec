import Files
import Platform
package import Runs
import SystemPackage

extension PipelineDefinition {
  /// Refuses a pipeline whose files are missing or unreadable.
  ///
  /// - Throws: ``PipelineError`` with code `missingInput` or `permission` and the place of `data`.
  package func requireFiles() throws(PipelineError) {
    try refuseNamedPipes()
    try requireReadableFiles()
  }

  /// Refuses files that are missing or unreadable.
  ///
  /// - Parameter names: the sources that will be read; empty for all.
  package func requireReadableFiles(of names: [String] = []) throws(PipelineError) {
    if names.isEmpty { try requireReadableSprites() }
    for source in sources where names.isEmpty || names.contains(source.name) {
      if let path = source.image?.worldFile, access(path, R_OK) != 0 {
        throw PipelineError(
          .missingInput,
          "source '\(source.name)' is placed by \(path), which cannot be read. Paths are relative to "
            + "the pipeline file.", at: source.node["worldFile"]?.place)
      }
      for path in source.records?.changes.files ?? [] where access(path, R_OK) != 0 {
        throw PipelineError(
          errno == ENOENT || errno == ENOTDIR ? .missingInput : .permission,
          "source '\(source.name)' has edits or a joined table in \(path), which cannot be read. Paths "
            + "are relative to the pipeline file; a log of edits that comes later has 'optional: true'.",
          at: (source.node["edits"] ?? source.node["join"])?.place ?? source.place)
      }
      guard case .file(let path) = source.data else { continue }
      if FileStatus(FilePath(path))?.kind == .folder, let format = source.records?.format,
        !Swift.type(of: format).opensFolders
      {
        throw PipelineError(
          .definition,
          "source '\(source.name)' has its data in \(path), which is a folder. Name the file in it.",
          at: source.dataPlace)
      }
      guard access(path, R_OK) != 0 else { continue }
      let isMissing = errno == ENOENT || errno == ENOTDIR
      throw PipelineError(
        isMissing ? .missingInput : .permission,
        "source '\(source.name)' has its data in \(path), which "
          + (isMissing
            ? "does not exist. Paths are relative to the "
              + "\(source.dataPlace == SourceReplacement.place ? "current folder" : "pipeline file")."
              + (path.contains("\\") ? " Write '/' between folders, not '\\'." : "")
            : "may not be read. Check its permissions."),
        at: source.dataPlace)
    }
  }

  private func requireReadableSprites() throws(PipelineError) {
    for sprite in sprites {
      for part in sprite.parts {
        guard case .file(let path) = part.location, access(path, R_OK) != 0 else { continue }
        let isMissing = errno == ENOENT || errno == ENOTDIR
        if isMissing, part.density == 2 { continue }
        throw PipelineError(
          isMissing ? .missingInput : .permission,
          "the images of icons and patterns are in \(path), which "
            + (isMissing
              ? "does not exist. Paths are relative to the pipeline file."
              : "may not be read. Check its permissions."),
          at: sprite.place)
      }
    }
  }

  /// The summary of a checked definition, such as `2 sources, 3 layers, zoom 0 to 16, into
  /// output/hotels.mbtiles`.
  package var conclusion: String {
    func count(_ count: Int, _ noun: String) -> String {
      "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
    let archives = tiles.scales.map { output.path(scale: $0) }.joined(separator: " and ")
    let parts = sources.filter { $0.vectorTiles?.part != nil }
    let names = Set(parts.map(\.name))
    let drawn = layers.filter { $0.source.map { names.contains($0) } ?? false }
    // A tileset and its layers count once, not once for each zoom.
    let sourceCount = sources.count - parts.count + Set(parts.map(\.place)).count
    let layerCount =
      layers.count - drawn.count + Set(drawn.map { "\($0.place) \($0.type)" }).count
    return "\(count(sourceCount, "source")), \(count(layerCount, "layer")), "
      + "zoom \(tiles.minZoom) to \(tiles.maxZoom), into \(archives)"
  }
}

extension PipelineDefinition {
  /// Refuses named pipes: opening one waits for a writer, who may never come.
  ///
  /// The pipes of the shell, `/dev/fd/63`, and standard input have their writers already.
  package func refuseNamedPipes() throws(PipelineError) {
    for source in sources {
      var paths = source.records?.changes.files ?? []
      if case .file(let path) = source.data { paths.append(path) }
      for path in paths where Self.isNamedPipe(path) {
        throw PipelineError(
          .definition,
          "source '\(source.name)' reads \(path), which is a pipe and not a regular file; a run could "
            + "wait for its writer for ever. Name a file.",
          at: source.dataPlace)
      }
    }
  }

  private static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return false }
    return !["/dev/", "/proc/"].contains { path.hasPrefix($0) }
  }
}

extension PipelineDefinition {
  /// Refuses uses of standard input that would need its bytes twice.
  static func refuseSharedInput(of sources: [SourceDefinition]) throws(PipelineError) {
    let piped = sources.filter { if case .standardInput = $0.data { true } else { false } }
    guard let source = piped.last else { return }
    let place = source.node.member("data")?.node.place ?? source.place
    if piped.count > 1 {
      throw PipelineError(
        .definition,
        "sources '\(piped[0].name)' and '\(source.name)' both read standard input ('data: -'), which "
          + "comes once. Give one of them a file.", at: place)
    }
    if sources.contains(where: { $0.series != nil }) {
      throw PipelineError(
        .definition,
        "source '\(source.name)' reads standard input ('data: -'), which comes once, and a series is "
          + "built run after run. Give it a file.", at: place)
    }
  }
}
