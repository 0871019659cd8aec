package import Definition
import Files
import GeoPackages
import Overlays
import Publication
import Reports
package import Runs
import SystemPackage

/// A guard that refuses to write a picture, a report or an answer over a file of the pipeline: its
/// definition, its data, its archives.
///
/// A file is recognized by its name, also where it does not exist yet, and by the file that the
/// name leads to: links and detours hide nothing.
package struct TargetGuard {
  private let definition: PipelineDefinition
  private let inputs: [InputPath]
  private let outputs: OutputFiles

  /// Whether the target is a GeoPackage, which may replace another.
  private let isGeoPackage: Bool

  package init(
    _ definition: PipelineDefinition, _ options: BuildOptions = BuildOptions(),
    isGeoPackage: Bool = false
  ) {
    self.definition = definition
    inputs = definition.inputPaths(options)
    outputs = OutputFiles(definition)
    self.isGeoPackage = isGeoPackage
  }

  /// Refuses a file that must not be replaced.
  ///
  /// - Parameter option: the option that named the file.
  /// - Throws: ``PipelineError`` with code `usage`, or `cannotCreate` for a place where no file can
  ///   be put.
  /// - Complexity: O(files of the pipeline).
  package func check(_ target: String, option: String = "-o") throws(PipelineError) {
    if let fault = TargetFault(FilePath(target)) {
      throw PipelineError(.cannotCreate, fault.sentence(FilePath(target), option: option))
    }
    guard let words = words(of: target, isReport: option == "--report") else { return }
    throw PipelineError(.usage, "'\(target)' is \(words). Name another file with \(option).")
  }

  /// Returns the role of a file in the pipeline; `nil` if it may be replaced.
  private func words(of target: String, isReport: Bool) -> String? {
    let place = FilePlace(target)
    if let input = inputs.first(where: { FilePlace($0.path).isSame(as: place) }) {
      return input.role
    }
    // The existing report is the one that is to be replaced.
    if let role = outputs.role(of: target), !isReport || !isOwnReport(place) { return role }
    return formatWords(of: target)
  }

  private func isOwnReport(_ place: FilePlace) -> Bool {
    definition.outputPaths.joined().contains {
      FilePlace(ReportFile.path(besideArchive: $0)).isSame(as: place)
    }
  }

  /// Returns what a file is that no picture, report or answer replaces, whatever the pipeline is.
  private func formatWords(of target: String) -> String? {
    let bytes = FileHead.bytes(of: FilePath(target), SQLiteHeader.byteCount)
    if let head = SQLiteHeader(bytes[...]) {
      if head.isGeoPackage { return isGeoPackage ? nil : "a GeoPackage" }
      return "a database, such as an archive is"
    }
    if bytes.starts(with: Array("PMTiles".utf8)) { return "a PMTiles archive" }
    return Self.isFont(bytes) ? "a font" : nil
  }
  /// Whether bytes begin as OpenType, TrueType and web fonts do.
  private static func isFont(_ bytes: [UInt8]) -> Bool {
    ["\0\u{1}\0\0", "true", "OTTO", "ttcf", "wOFF", "wOF2"].contains {
      bytes.starts(with: Array($0.utf8))
    }
  }
}

extension PipelineDefinition {
  /// Refuses a pipeline whose build would replace or remove a file that it reads, before anything is
  /// read.
  ///
  /// - Parameter options: the options of the run, which are applied already.
  /// - Throws: ``PipelineError`` with code `usage` if the options name the archive, otherwise
  ///   `definition` and the place of the output.
  /// - Complexity: O(files that the pipeline reads).
  package func requireInputsApart(_ options: BuildOptions) throws(PipelineError) {
    let outputs = OutputFiles(self)
    for input in inputPaths(options) {
      guard let role = outputs.role(of: input.path) else { continue }
      throw PipelineError(
        options.output == nil ? .definition : .usage,
        "'\(input.path)' is \(input.role), and the build would replace it: it is \(role). "
          + (options.output == nil
            ? "Give the archive another name with 'output: {path: …}', or with -o."
            : "Name another archive with -o."),
        at: options.output == nil ? outputPlace : nil)
    }
    for (source, patterns) in sources.map({ ($0.name, $0.patterns) }) {
      for pattern in patterns {
        guard let glob = try? FileGlob(pattern), let path = outputs.paths.first(where: glob.matches)
        else { continue }
        throw PipelineError(
          .definition,
          "'\(pattern)', the data of source '\(source)', also matches \(path), which the build "
            + "writes. Narrow the pattern, or put the archive into another folder with "
            + "'output: {path: …}'.", at: outputPlace)
      }
    }
  }
}

extension SourceDefinition {
  /// The patterns of the data's files; none for other data.
  fileprivate var patterns: [String] {
    if case .patterns(let patterns) = data { patterns } else { [] }
  }
}
