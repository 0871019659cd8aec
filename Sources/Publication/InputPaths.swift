package import Definition
import Inputs

/// A file of this machine that a run reads, with its role in the pipeline.
package struct InputPath {
  package let path: String

  /// The role in words, such as `the data of source 'stores'`.
  package let role: String

  /// Whether it is a part of the definition, which a build never makes itself.
  package var isDefinition = false
}

extension PipelineDefinition {
  /// The files of this machine that a build reads, as far as the definition names them, except the
  /// files that the last build left for the next one.
  ///
  /// - Parameter options: the options of the run, which may name further ones.
  /// - Complexity: O(files), and O(names) of the folders that patterns search.
  package func inputPaths(_ options: BuildOptions) -> [InputPath] {
    var paths: [InputPath] = []
    func add(_ files: some Sequence<String>, _ role: String, isDefinition: Bool = false) {
      paths += files.map { InputPath(path: $0, role: role, isDefinition: isDefinition) }
    }
    add([file], "the pipeline file", isDefinition: true)
    add(files.sorted(), "a file that the pipeline includes", isDefinition: true)
    for (source, files) in dataFiles { add(files, "the data of source '\(source)'") }
    add(sprites.flatMap(\.files), "a file of the pipeline's icons and patterns")
    if let packs = output.packs { add([packs.regions], "the file of the regions of 'packs'") }
    add((output.updates?.keyFiles ?? []) + options.keyFiles, "a key that signs")
    return paths.filter { !DataLocation.isAddress($0.path) }
  }
}
