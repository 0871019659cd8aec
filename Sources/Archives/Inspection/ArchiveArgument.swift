import Definition
import Files
package import Runs
import SystemPackage

/// The check that a file of the command line is an archive and not the pipeline that writes one.
package enum ArchiveArgument {
  /// Throws if a file is a pipeline.
  ///
  /// - Parameter command: the command that takes the archive.
  package static func refusePipeline(
    _ path: String, to command: String
  ) throws(PipelineError) {
    let name = path.lowercased()
    let isYAML = name.hasSuffix(".yml") || name.hasSuffix(".yaml")
    guard isYAML || name.hasSuffix(".json"), FileStatus(FilePath(path))?.kind == .file else {
      return
    }
    let definition = try? PipelineDefinition(contentsOf: path, environment: { _ in nil })
    guard isYAML || definition != nil else { return }
    let archive = definition?.outputPaths.first?.first ?? "ARCHIVE"
    throw PipelineError(
      .usage,
      "this is a pipeline; \(command) takes its archive: quadrille \(command) \(archive.shellWord)",
      at: DocumentPlace(file: path))
  }
}
