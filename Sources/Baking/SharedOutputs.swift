package import Definition
import Files
import Foundation
import Reports
package import Runs
import SystemPackage

/// The files that the pipelines of one command publish: no two may publish the same.
package struct SharedOutputs {
  /// A file or folder by its folder and its name, also where it does not exist yet.
  private struct Place: Hashable {
    /// The folder's device and inode; its path where it does not exist.
    private let folder: [UInt64]
    private let path: FilePath
    private let name: String

    /// - Parameter stem: the path of an archive or manifest without its ending: the report and the
    ///   sidecars have the same.
    init(_ stem: String) {
      let whole = FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(stem))
        .lexicallyNormalized()
      let parent = whole.removingLastComponent()
      folder = FileStatus(parent).map { [$0.device, $0.inode] } ?? []
      path = folder.isEmpty ? parent : FilePath()
      name = whole.lastComponent?.string ?? ""
    }
  }

  private struct Output {
    let path: String
    let definition: PipelineDefinition
  }

  private var outputs: [Place: Output] = [:]

  package init() {}

  /// Adds the files of a pipeline, with the options of the command applied.
  ///
  /// - Throws: ``PipelineError`` with code `definition` and both places if another pipeline has one
  ///   of them.
  package mutating func add(_ definition: PipelineDefinition) throws(PipelineError) {
    for path in definition.outputPaths.joined() {
      let place = Place(ReportFile.stem(ofArchive: path))
      guard let other = outputs[place] else {
        outputs[place] = Output(path: path, definition: definition)
        continue
      }
      guard !TargetGuard.areSame(other.definition.file, definition.file) else { continue }
      throw Self.error(path, definition, other)
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
