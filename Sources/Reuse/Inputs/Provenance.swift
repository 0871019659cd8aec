import Files
import Hashing
package import Inputs
package import JSON
import MBTiles
import Runs

/// The inputs of an archive, as its metadata lists them: every input with its digest, the program,
/// the options. Nothing in it depends on folders, on the time or on the machine.
package struct Provenance: Codable, Hashable, Sendable {
  /// The metadata key under which an archive keeps it, a JSON object.
  package static let key = "\(ArchiveMetadata.prefix)provenance"

  /// The limit above which files, or fonts, are summarized by their number and one digest: a
  /// template of addresses may give ten thousand, and a metadata value has a limit.
  static let fileLimit = 16

  package typealias Role = InputFile.Role

  package struct File: Codable, Hashable, Sendable {
    package var role: Role
    package var name: String

    /// The digest, 64 lower-case hexadecimal digits.
    package var sha256: String

    package init(role: Role, name: String, sha256: String) {
      self.role = role
      self.name = name
      self.sha256 = sha256
    }
  }

  package struct Source: Codable, Hashable, Sendable {
    package var name: String

    /// The files in the order in which they are read; empty for data within the pipeline file.
    package var files: [File]

    package init(name: String, files: [File]) {
      self.name = name
      self.files = files
    }
  }

  /// SHA-256 of the program's file; `nil` where the system does not report it.
  package var program: String?

  /// SHA-256 of all options of the pipeline and the command line.
  package var options: String

  /// The sources in the order of the pipeline.
  package var sources: [Source]

  package var fonts: [File]

  /// The files of sprites and images, in the order of the pipeline.
  package var sprites: [File]

  /// The libraries that set text, with their versions; empty where nothing is labelled.
  package var libraries: [String]

  package init(
    program: String? = nil, options: String, sources: [Source], fonts: [File],
    sprites: [File] = [], libraries: [String] = []
  ) {
    self.program = program
    self.options = options
    self.sources = sources
    self.fonts = fonts
    self.sprites = sprites
    self.libraries = libraries
  }

  /// The whole provenance as lines: equal lines mean equal archives.
  package var lines: [String] {
    var lines = [
      "program \(PipelineVersion.current) \(program ?? "unknown")", "options \(options)",
    ]
    for source in sources {
      lines.append("source \(source.name)")
      lines += source.files.map(Self.line)
    }
    return lines + fonts.map(Self.line) + sprites.map(Self.line)
      + libraries.map { "library \($0)" }
  }

  private static func line(_ file: File) -> String {
    "\(file.role.rawValue) \(file.sha256) \(file.name)"
  }

  // MARK: As JSON

  /// Returns the metadata's value.
  ///
  /// - Parameter rows: the number of records read, by source; images have no entry.
  package func json(rows: [String: Int]) -> ReportJSON {
    var members: [ReportJSON.Member] = [
      .init(
        "program",
        .object([
          .init("version", .string(PipelineVersion.current)),
          .init("sha256", program.map { .string($0) } ?? .null),
        ])), .init("options", .string(options)),
      .init(
        "sources",
        .object(
          sources.map { source in
            let count = rows[source.name].map { [ReportJSON.Member("rows", .integer($0))] } ?? []
            return .init(source.name, .object(count + [.init("files", Self.json(source.files))]))
          })),
    ]
    if !fonts.isEmpty { members.append(.init("fonts", Self.summary(fonts))) }
    if !sprites.isEmpty { members.append(.init("sprites", Self.json(sprites))) }
    if !libraries.isEmpty {
      members.append(.init("libraries", .array(libraries.map { .string($0) })))
    }
    return .object(members)
  }

  private static func json(_ files: [File]) -> ReportJSON {
    guard files.count <= fileLimit else { return summary(files) }
    return .array(
      files.map { file in
        .members([
          "role": .string(file.role.rawValue), "name": .string(tellable(file.name)),
          "sha256": .string(file.sha256),
        ])
      })
  }

  /// Summarizes many files: their number, and the SHA-256 of their lines.
  private static func summary(_ files: [File]) -> ReportJSON {
    .members([
      "count": .integer(files.count),
      "sha256": .string(digest(of: files.map(line))),
    ])
  }

  /// Returns a name that may be written to metadata: of one that looks like a path, only the last
  /// component.
  private static func tellable(_ name: String) -> String {
    if ArchiveMetadata.mayHold(name) { return name }
    let end = String(name.split { "/\\".contains($0) }.last ?? "")
    return ArchiveMetadata.mayHold(end) ? end : "unnamed"
  }

  /// Returns the SHA-256 of some texts, each with its length, so that different lists never give
  /// the same input.
  package static func digest(of texts: [String]) -> String {
    var hash = SHA256()
    for text in texts { hash.update(data: Array("\(text.utf8.count):\(text)".utf8)) }
    return Hexadecimal.text(hash.finalize())
  }
}
