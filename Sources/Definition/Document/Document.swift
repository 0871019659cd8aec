package import Runs
import SystemPackage

/// A pipeline file as a tree of located values with its variables replaced.
package struct Document: Sendable {
  /// A lookup of environment variables; returns `nil` for one that is not set.
  package typealias Environment = (_ name: String) -> String?

  /// The path of the file as the user entered it.
  package var file: String

  package var root: DocumentNode

  /// The values of variables, which must never be shown.
  package var redactions: RedactionList

  /// The values of the environment's variables that the file names, by name.
  package var variables: [String: String]

  /// The file as it was read.
  package let bytes: [UInt8]

  /// Reads a file: JSON or YAML by the extension; with any other extension, JSON if it begins with
  /// a brace.
  ///
  /// - Throws: ``PipelineError`` with code `definition` for a malformed file, `missingInput`,
  ///   `permission` or `inputOutput` for one that cannot be read; messages never contain a secret.
  package init(
    contentsOf file: String, environment: @escaping Environment,
    limits: DocumentLimits = DocumentLimits()
  ) throws(PipelineError) {
    let bytes = try DocumentFile.read(file, limit: limits.bytes)
    try self.init(bytes: bytes, file: file, environment: environment, limits: limits)
  }

  /// Parses text in memory; `file` names it in messages and decides its grammar.
  package init(
    bytes: [UInt8], file: String, environment: @escaping Environment,
    limits: DocumentLimits = DocumentLimits()
  ) throws(PipelineError) {
    self.file = file
    self.bytes = bytes
    let text = try Self.text(of: bytes, file: file)
    let tree: DocumentNode
    if Self.isJSON(text, file: file) {
      var parser = DocumentJSON(text: text, file: file, limits: limits)
      tree = try parser.parse()
    } else {
      tree = try DocumentYAML(text: text, file: file, limits: limits).parse()
    }
    var variables = DocumentVariables(environment: environment)
    do {
      root = try variables.resolve(tree)
    } catch {
      throw error.redacted(by: variables.redactions)
    }
    redactions = variables.redactions
    self.variables = variables.used
    // A file behind a url names no files of this machine.
    if !DataLocation.isAddress(file), let folder = environment(LocalAddresses.variable) {
      var addresses = LocalAddresses(in: folder)
      root = addresses.resolve(root)
      if addresses.isUsed { self.variables[LocalAddresses.variable] = folder }
    }
  }

  private static func isJSON(_ text: String, file: String) -> Bool {
    switch FilePath(file).extension?.lowercased() {
    case "json": true
    case "yml", "yaml": false
    default: text.first { !$0.isWhitespace } == "{"
    }
  }

  /// Decodes UTF-8 bytes without a byte order mark.
  private static func text(of bytes: [UInt8], file: String) throws(PipelineError) -> String {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
    if let text = String(validating: content, as: UTF8.self) { return text }
    let line = firstInvalidLine(of: content)
    throw DocumentPlace(file: file, line: line).fault(
      "this line is not UTF-8. Save the file as UTF-8.")
  }

  private static func firstInvalidLine(of bytes: ArraySlice<UInt8>) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let index = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    return (index ?? 0) + 1
  }
}
