import Features
import SystemPackage

/// The reason why a program of GDAL failed, from its standard error.
struct GDALMessage {
  /// Maximum length in characters.
  private static let limit = 300

  /// The first error in one line, without secrets; empty if there is none.
  let text: String

  /// - Parameter secrets: texts that are left out.
  init(_ messages: String, hiding secrets: [String] = []) {
    var paragraphs: [String] = []
    var isError = false
    for line in messages.split(whereSeparator: \.isNewline) {
      let line = line.trimmingPrefix { $0 == " " || $0 == "\t" }
      if let error = line.wholeMatch(of: /(?:ERROR \d+|FAILURE): ?(.*)/) {
        paragraphs.append(String(error.1))
        isError = true
      } else if line.hasPrefix("Warning") || line.hasPrefix("FAILURE") || line.hasPrefix("->")
        || line.hasPrefix("Unable to open datasource")
      {
        isError = false
      } else if isError, let last = paragraphs.popLast() {
        paragraphs.append("\(last) \(line)")
      }
    }
    var text = paragraphs.first { !$0.isEmpty } ?? ""
    // Longest first: if one secret contains another, replacing the shorter one first would leave
    // the rest of the longer one.
    for secret in secrets.sorted(by: { $0.count > $1.count }) where !secret.isEmpty {
      text.replace(secret, with: secret.hasSuffix("/") ? "" : "***")
    }
    text = text.withoutControls
    self.text = text.count > Self.limit ? text.prefix(Self.limit) + " …" : text
  }

  /// Returns the error text of the C library in a message that reveals a fault of the machine.
  private static func machineFault(in text: String) -> String? {
    let causes: [Errno] = [
      .noSpace, .diskQuotaExceeded, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory,
      .ioError, .staleNFSFileHandle,
    ]
    return (causes.map { "\($0)" } + ["Out of memory"]).first(where: text.contains)
  }

  /// Returns the error of a program that failed.
  func error(of program: GDALProgram, file: String) -> SourceError {
    func fault(_ code: SourceError.Code, _ message: String) -> SourceError {
      SourceError(code: code, file: file, message: message)
    }
    if text.contains("no coordinate system") {
      return fault(
        .configuration,
        "says nothing about its coordinate reference system; name it, such as 'crs: EPSG:25832'")
    }
    if let cause = Self.machineFault(in: text) {
      return fault(
        .io,
        "was not read: \(program.rawValue) says '\(cause)'; free what the machine lacks, or "
          + "check the disk, then run it again")
    }
    if text.contains("connection") || text.contains("PQconnectdb") {
      return fault(.io, "cannot be read from the database: \(text)")
    }
    if text.isEmpty || text.contains("not recognized as a supported file format") {
      return fault(
        .badData, "is of no format that \(program.rawValue) reads here, or is damaged")
    }
    return fault(.badData, "cannot be read by \(program.rawValue): \(text)")
  }
}
