import Crypto
import Files
import JSON
import MBTiles

/// What an archive was made of, as its metadata tells it: every input with its digest, the program,
/// the options. Nothing in it depends on folders, on the time or on the machine.
struct Provenance: Hashable, Sendable {
  /// The metadata key under which an archive keeps it, a JSON object.
  static let key = "\(ArchiveMetadata.prefix)provenance"

  /// More files than this, or than this many fonts, are told by their number and one digest: a
  /// template of addresses may give ten thousand, and a metadata value has a limit.
  static let fileLimit = 16

  /// What a file is for.
  enum Role: String, Hashable, Sendable {
    /// Records, pixels.
    case data
    /// Where an image lies.
    case worldFile
    /// Edits and joined tables.
    case change
    case font
  }

  struct File: Hashable, Sendable {
    var role: Role
    var name: String

    /// 64 lower-case hexadecimal digits.
    var sha256: String
  }

  struct Source: Hashable, Sendable {
    var name: String

    /// In the order in which they are read; none for data within the pipeline file.
    var files: [File]
  }

  /// SHA-256 of the program's file; `nil` where the system does not give it.
  var program: String?

  /// SHA-256 of all that the pipeline and the command line ask for.
  var options: String

  /// In the order of the pipeline.
  var sources: [Source]

  var fonts: [File]

  /// Everything as lines: equal lines make equal archives.
  var lines: [String] {
    var lines = [
      "program \(PipelineVersion.current) \(program ?? "unknown")", "options \(options)",
    ]
    for source in sources {
      lines.append("source \(source.name)")
      lines += source.files.map(Self.line)
    }
    return lines + fonts.map(Self.line)
  }

  private static func line(_ file: File) -> String {
    "\(file.role.rawValue) \(file.sha256) \(file.name)"
  }

  // MARK: As JSON

  /// The metadata's value.
  ///
  /// - Parameter rows: records read, by source; images have none.
  func json(rows: [String: Int]) -> ReportJSON {
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

  /// Many files: how many, and the SHA-256 of their lines.
  private static func summary(_ files: [File]) -> ReportJSON {
    .members([
      "count": .integer(files.count),
      "sha256": .string(digest(of: files.map(line))),
    ])
  }

  /// A name that may stand in metadata: one that looks like a path is told by its end alone.
  private static func tellable(_ name: String) -> String {
    if ArchiveMetadata.mayHold(name) { return name }
    let end = String(name.split { "/\\".contains($0) }.last ?? "")
    return ArchiveMetadata.mayHold(end) ? end : "unnamed"
  }

  /// SHA-256 of some texts, each with its length, so that no two lists are one.
  static func digest(of texts: [String]) -> String {
    var hash = SHA256()
    for text in texts { hash.update(data: Array("\(text.utf8.count):\(text)".utf8)) }
    return Hexadecimal.text(hash.finalize())
  }
}
