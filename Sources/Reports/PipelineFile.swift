package import Definition
import Foundation
import Runs
package import SystemPackage

/// The pipeline file that an archive is made from, as the archive's report names it.
package enum PipelineFile {
  /// Returns the path of a pipeline's file from the folder of an archive, so that both may move
  /// together; the url of one at a url.
  package static func name(
    of definition: PipelineDefinition, besideArchive archive: String
  ) -> String {
    let file = definition.file
    guard !DataLocation.isAddress(file) else { return definition.redactions.redact(file) }
    let folder = absolute(archive).removingLastComponent()
    let target = absolute(file)
    let shared = zip(folder.components, target.components).prefix { $0 == $1 }.count
    let up = Array(repeating: FilePath.Component(".."), count: folder.components.count - shared)
    return FilePath(root: nil, up + target.components.dropFirst(shared)).string
  }

  /// Returns the path of a file by its name in the report of an archive.
  package static func path(_ name: String, besideArchive archive: String) -> FilePath {
    FilePath(archive).removingLastComponent().pushing(FilePath(name)).lexicallyNormalized()
  }

  private static func absolute(_ path: String) -> FilePath {
    FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path))
      .lexicallyNormalized()
  }
}

extension BuildReport {
  /// Creates the report of an archive of a pipeline.
  package init(of definition: PipelineDefinition, result: Result, archive: ArchiveReport) {
    self.init(pipeline: definition.name, result: result, archive: archive)
    pipelineFile = PipelineFile.name(of: definition, besideArchive: archive.path)
  }
}
