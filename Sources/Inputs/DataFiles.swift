package import Definition
import Overlays
import SystemPackage

extension PipelineDefinition {
  /// The files of this machine from which each source is read, as far as the definition names them:
  /// the files that match a pattern now are among them, those that a list of frames names are.
  ///
  /// - Complexity: O(files), and O(names) of the folders that patterns search.
  package var dataFiles: [(source: String, files: [String])] {
    let resolver = InputResolver(of: self, folder: FilePath(output.path).removingLastComponent())
    return sources.map { source in
      // A source whose files cannot be found is read from none.
      let found = (try? resolver.resolved(source)) ?? ResolvedSource(source, MissingData(source))
      return (source.name, found.dataFiles)
    }
  }
}

extension ResolvedSource {
  fileprivate var dataFiles: [String] {
    var files = inputFiles.compactMap(\.path)
    if let worldFile = image?.worldFile { files.append(worldFile) }
    guard let series else { return files }
    let folder = FilePath(series.folder)
    switch series.frames {
    case .files(let glob), .sidecars(let glob):
      let names = (try? glob.files(in: series.folder)) ?? []
      files += names.map { folder.pushing(FilePath($0)).string }
    case .list(let frames): files += frames.map { folder.pushing(FilePath($0.image)).string }
    case .document(.file(let path)): files.append(path)
    case .capabilities(let capabilities):
      if case .file(let path) = capabilities.document { files.append(path) }
    case .document, .records: break
    }
    return files
  }
}
