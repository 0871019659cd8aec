import Files
package import GDAL
import Ingest
import Overlays
package import Runs
import SystemPackage
package import Unpacking

/// One of the files of a source that has several.
package struct DataPart: Sendable {
  /// The path, resolved against the pipeline file's folder.
  package let path: String

  /// The member of a zip file; `nil` for the only one that can be read.
  package let member: String?

  /// The packed content; `nil` for a file that is not packed, or not examined yet.
  package internal(set) var packed: PackedInput?

  /// The records, if GDAL converts them; `nil` where it does not, or before it is found out.
  package internal(set) var converted: VectorConversion?

  /// The name in messages: `parts/a.csv` or `parts.zip/a.csv`.
  package var name: String { packed?.name ?? member.map { "\(path)/\($0)" } ?? path }

  /// The maximum number of files of a source.
  package static let limit = 10_000

  /// Whether a path has wildcards, and so may mean several files.
  static func isPattern(_ path: String) -> Bool {
    path.contains { $0 == "*" || $0 == "?" || $0 == "[" } && !FrameFetch.isAddress(path)
  }
}

extension PipelineDefinition {
  /// Finds the files of the sources that have several.
  ///
  /// - Throws: ``PipelineError`` where there is none, or one is missing.
  package mutating func findParts() throws(PipelineError) {
    for index in sources.indices {
      guard case .patterns(let patterns) = sources[index].data else { continue }
      sources[index].data = .parts(try sources[index].parts(patterns))
    }
  }
}

extension SourceDefinition {
  /// Returns the files that match patterns, in byte order of their names, each once.
  fileprivate func parts(_ patterns: [String]) throws(PipelineError) -> [DataPart] {
    var found: [String: DataPart] = [:]
    for pattern in patterns {
      let parts = try parts(pattern)
      guard !parts.isEmpty else {
        throw failure(
          .missingInput, "no file matches '\(pattern)'. Paths are relative to the pipeline file.")
      }
      for part in parts { found[part.name] = part }
      guard found.count <= DataPart.limit else {
        throw failure(
          .definition, "more than \(DataPart.limit) files match. Narrow the pattern, or join files."
        )
      }
    }
    return found.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private func parts(_ pattern: String) throws(PipelineError) -> [DataPart] {
    // A file may have a name that looks like a pattern.
    if FileStatus(FilePath(pattern)) != nil { return [try part(pattern)] }
    guard let (file, member) = MemberName.split(pattern) else {
      guard DataPart.isPattern(pattern) else { return [try part(pattern)] }
      return try paths(pattern).map { DataPart(path: $0, member: nil) }
    }
    let files = DataPart.isPattern(file) ? try paths(file) : [try part(file).path]
    var parts: [DataPart] = []
    for file in files {
      guard DataPart.isPattern(member) else {
        parts.append(DataPart(path: file, member: member))
        continue
      }
      let glob = try glob(member)
      do {
        parts += try ZipContents.names(of: FilePath(file), name: file).filter(glob.matches)
          .map { DataPart(path: file, member: $0) }
      } catch {
        throw PipelineError(error)
      }
    }
    return parts
  }

  /// Returns a file that is named without wildcards.
  private func part(_ path: String) throws(PipelineError) -> DataPart {
    switch FileStatus(FilePath(path))?.kind {
    case .file: return DataPart(path: path, member: nil)
    case .folder:
      throw failure(.definition, "'\(path)' is a folder. Name its files, such as '\(path)/*.csv'.")
    case nil: throw failure(.missingInput, "'\(path)' does not exist.")
    default:
      throw failure(.definition, "'\(path)' is no regular file, as one of several has to be.")
    }
  }

  private func paths(_ pattern: String) throws(PipelineError) -> [String] {
    let glob = try glob(pattern)
    do {
      return try glob.files(in: "")
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  private func glob(_ pattern: String) throws(PipelineError) -> FileGlob {
    do {
      return try FileGlob(pattern)
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  private func failure(_ code: PipelineError.Code, _ what: String) -> PipelineError {
    PipelineError(code, "source '\(name)': \(what)", at: node["data"]?.place ?? place)
  }
}
