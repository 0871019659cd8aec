import Definition
import Features
package import Files
import Overlays
import Runs
import SystemPackage
import Unpacking

/// Several files of one format, which are read one after the other.
package struct FileParts: DataOrigin {
  /// The files, in byte order of their names; not empty.
  private let parts: [any DataOrigin]

  init(_ parts: [any DataOrigin]) { self.parts = parts }

  package var name: String {
    parts.count == 1 ? parts[0].name : "\(parts[0].name) and \(parts.count - 1) more"
  }

  package var files: [InputFile] {
    var known: Set<InputFile> = []
    return parts.flatMap(\.files).filter { known.insert($0).inserted }
  }

  package var held: [HeldFile] { parts.flatMap(\.held) }

  /// The names of the files are part of the key, since ledgers contain them.
  package var digestParts: [DigestPart]? {
    [.text("\(parts.count) parts")]
      + parts.flatMap { [.text($0.name)] + ($0.digestParts ?? []) }
  }

  package var storedBytes: Int? { Self.sum(parts.map(\.storedBytes)) }
  package var readBytes: Int? { Self.sum(parts.map(\.readBytes)) }

  package func content() -> DataContent {
    .files(
      parts.map { part in
        DataContent.Part(name: part.name) {
          guard case .whole(let input) = try part.content() else {
            throw SourceError(code: .io, file: part.name, message: "is not one file")
          }
          return input
        }
      })
  }

  private static func sum(_ sizes: [Int?]) -> Int? {
    sizes.reduce(0) { sum, size in size.flatMap { size in sum.map { $0 + size } } }
  }
}

/// A file that a pattern matches.
struct FoundFile {
  let path: String

  /// The member of a zip file; `nil` for the only one that can be read.
  let member: String?

  /// The name in messages: `parts/a.csv` or `parts.zip/a.csv`.
  var name: String { member.map { "\(path)/\($0)" } ?? path }
}

extension SourceDefinition {
  /// Returns the files that match patterns, in byte order of their names, each once.
  func files(matching patterns: [String]) throws(PipelineError) -> [FoundFile] {
    var found: [String: FoundFile] = [:]
    for pattern in patterns {
      let parts = try parts(pattern)
      guard !parts.isEmpty else {
        throw failure(
          .missingInput, "no file matches '\(pattern)'. Paths are relative to the pipeline file.")
      }
      for part in parts { found[part.name] = part }
      guard found.count <= DataLocation.fileLimit else {
        throw failure(
          .definition,
          "more than \(DataLocation.fileLimit) files match. Narrow the pattern, or join files."
        )
      }
    }
    return found.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private func parts(_ pattern: String) throws(PipelineError) -> [FoundFile] {
    // A file may have a name that looks like a pattern.
    if FileStatus(FilePath(pattern)) != nil { return [try part(pattern)] }
    guard let (file, member) = MemberName.split(pattern) else {
      guard DataLocation.isPattern(pattern) else { return [try part(pattern)] }
      return try paths(pattern).map { FoundFile(path: $0, member: nil) }
    }
    let files = DataLocation.isPattern(file) ? try paths(file) : [try part(file).path]
    var parts: [FoundFile] = []
    for file in files {
      guard DataLocation.isPattern(member) else {
        parts.append(FoundFile(path: file, member: member))
        continue
      }
      let glob = try glob(member)
      try PipelineError.wrapping {
        parts += try ZipContents.names(of: FilePath(file), name: file).filter(glob.matches)
          .map { FoundFile(path: file, member: $0) }
      }
    }
    return parts
  }

  /// Returns a file that is named without wildcards.
  private func part(_ path: String) throws(PipelineError) -> FoundFile {
    switch FileStatus(FilePath(path))?.kind {
    case .file: return FoundFile(path: path, member: nil)
    case .folder:
      throw failure(.definition, "'\(path)' is a folder. Name its files, such as '\(path)/*.csv'.")
    case nil: throw failure(.missingInput, "'\(path)' does not exist.")
    default:
      throw failure(.definition, "'\(path)' is no regular file, as one of several has to be.")
    }
  }

  private func paths(_ pattern: String) throws(PipelineError) -> [String] {
    let glob = try glob(pattern)
    return try PipelineError.wrapping { try glob.files(in: "") }
  }

  private func glob(_ pattern: String) throws(PipelineError) -> FileGlob {
    return try PipelineError.wrapping { try FileGlob(pattern) }
  }

  private func failure(_ code: PipelineError.Code, _ what: String) -> PipelineError {
    PipelineError(code, "source '\(name)': \(what)", at: node["data"]?.place ?? place)
  }
}
