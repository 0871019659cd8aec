import Archives
package import Definition
import Files
import MBTiles
import Reports
package import Runs
import SystemPackage

/// The files that the pipelines of one command publish: no two may publish the same.
package struct SharedOutputs {
  private struct Output {
    let path: String
    let definition: PipelineDefinition

    /// The path without its ending: the report and the sidecars have the same.
    var stem: FilePlace { FilePlace(ReportFile.stem(ofArchive: path)) }
  }

  private var outputs: [Output] = []
  private var definitions: [PipelineDefinition] = []

  package init() {}

  /// Adds the files of a pipeline, with the options of the command applied.
  ///
  /// - Throws: ``PipelineError`` with code `definition` and both places if another pipeline has one
  ///   of them.
  package mutating func add(_ definition: PipelineDefinition) throws(PipelineError) {
    for path in definition.outputPaths.joined() {
      let output = Output(path: path, definition: definition)
      let stem = output.stem
      guard let other = outputs.first(where: { $0.stem.isSame(as: stem) }) else {
        outputs.append(output)
        continue
      }
      guard !FilePlace.areSame(other.definition.file, definition.file) else { continue }
      throw Self.error(path, definition, other)
    }
    for other in definitions {
      try Self.refuseLoss(of: other, by: definition)
      try Self.refuseLoss(of: definition, by: other)
    }
    definitions.append(definition)
  }

  /// Refuses a pipeline whose build would replace a file that another one reads and no build made:
  /// the archive of one may be a source of the next.
  private static func refuseLoss(
    of definition: PipelineDefinition, by other: PipelineDefinition
  ) throws(PipelineError) {
    guard !FilePlace.areSame(other.file, definition.file) else { return }
    let outputs = OutputFiles(other)
    for input in definition.inputPaths(BuildOptions()) {
      guard let role = outputs.role(of: input.path),
        input.isDefinition || !other.isMade, FileStatus.exists(FilePath(input.path))
      else { continue }
      throw PipelineError(
        .definition,
        "'\(input.path)' is \(input.role) \(definition.file), and the build of \(other.file) would "
          + "replace it: it is \(role). Give one of them another name.", at: other.outputPlace)
    }
  }

  private static func error(
    _ path: String, _ definition: PipelineDefinition, _ other: Output
  ) -> PipelineError {
    let names = [path, other.path].map { FilePath($0).lastComponent }
    let fault =
      names[0] == names[1]
      ? "\(path) is the output of two pipelines, this one and \(other.definition.outputPlace)."
      : "\(path) would share its report and sidecars with \(other.path), the output of "
        + "\(other.definition.outputPlace)."
    return PipelineError(
      .definition,
      fault + " Give one of them another 'output: {path: …}', or a command of its "
        + "own with -o.", at: definition.outputPlace)
  }
}

extension PipelineDefinition {
  /// Whether a build has made the archives, or the manifests, that are in place.
  fileprivate var isMade: Bool {
    outputPaths.joined().contains { path in
      hasSeries
        ? FileStatus.exists(FilePath(path))
        : (try? StoredMetadata.read(FilePath(path)))?[ArchiveMetadata.inputsKey] != nil
    }
  }
}
