import SystemPackage

/// Resolves the paths of a pipeline file, which are relative to it.
struct DefinitionPaths {
  /// The folder of the pipeline file, empty for the current one.
  let folder: FilePath

  init(file: String) {
    folder = FilePath(file).removingLastComponent()
  }

  /// A path relative to the current folder; `..` is resolved by name, not through links.
  func resolve(_ path: String) -> String {
    folder.pushing(FilePath(path)).lexicallyNormalized().string
  }

  /// What a `data:` or `url:` names: an http(s) url or a file.
  func location(_ text: String, key: DocumentMember) throws(PipelineError) -> DataLocation {
    guard let colon = text.firstRange(of: "://") else { return .file(resolve(text)) }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw PipelineError(
        .definition,
        "urls with '\(scheme)://' are not supported. Use http, https or the path of a file.",
        at: key.node.place)
    }
    return .url(text)
  }
}
