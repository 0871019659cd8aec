package import Features
import Ingest
import OrderedCollections
import Runs

/// The provenance of an existing archive, which any program may have written.
package struct ProvenanceForm {
  private let value: PropertyValue

  package init(_ value: PropertyValue) {
    self.value = value
  }

  /// Parses the metadata's value; `nil` if it is not JSON.
  package init?(text: String) {
    guard let value = try? JSONValueParser.parse(Array(text.utf8)) else { return nil }
    self.value = value
  }

  /// Returns the first problem as a sentence, or `nil`.
  ///
  /// - Parameters:
  ///   - ledger: the conservation ledger; its numbers of read rows must match.
  ///   - version: the program's version, as another key of the metadata gives it.
  package func fault(ledger: PropertyValue?, version: String?) -> String? {
    guard let sources = value["sources"]?.members, let program = value["program"] else {
      return "the provenance is no object with 'program', 'options' and 'sources'."
    }
    if let version, program["version"] != .string(version) {
      return "the provenance is of another version of the program than '\(version)'."
    }
    if let digest = program["sha256"], digest != .null, !digest.isDigest {
      return "the provenance has no SHA-256 of the program."
    }
    guard value["options"]?.isDigest == true else {
      return "the provenance has no SHA-256 of the options."
    }
    if let fonts = value["fonts"], !Self.isSummary(fonts) {
      return "the provenance has no number and SHA-256 of the fonts."
    }
    if let sprites = value["sprites"], !Self.isSummary(sprites), !Self.areFiles(sprites) {
      return "the provenance does not name the files of sprites with their SHA-256."
    }
    if let libraries = value["libraries"], libraries.texts == nil {
      return "the provenance has no list of the libraries that set text."
    }
    for (name, source) in sources {
      guard let files = source["files"], Self.isSummary(files) || Self.areFiles(files) else {
        return "the provenance of source '\(name)' does not name its files with their SHA-256."
      }
    }
    return ledger.flatMap { Self.fault(between: sources, and: $0) }
  }

  /// The rows of a table for people: source, rows, file, SHA-256.
  package var table: [[String]] {
    var rows: [[String]] = []
    for (name, source) in value["sources"]?.members ?? [:] {
      let count = source["rows"]?.wholeNumber.map { ReportNumber.count($0) } ?? ""
      let files = source["files"].map(Self.lines) ?? []
      for (index, file) in files.enumerated() {
        rows.append((index == 0 ? [name, count] : ["", ""]) + file)
      }
      if files.isEmpty { rows.append([name, count, "in the pipeline", ""]) }
    }
    if let fonts = value["fonts"] {
      rows += Self.lines(fonts).map { ["fonts", ""] + $0 }
    }
    let sprites: [[String]] = value["sprites"].map(Self.lines) ?? []
    for (index, file) in sprites.enumerated() {
      rows.append([index == 0 ? "sprites" : "", ""] + file)
    }
    for library in value["libraries"]?.texts ?? [] {
      rows.append(["library", "", library, ""])
    }
    let program = value["program"]
    let version = program?["version"]?.text ?? ""
    rows.append(["program", "", version, program?["sha256"]?.text ?? ""])
    rows.append(["options", "", "", value["options"]?.text ?? ""])
    return rows
  }

  private static func lines(_ files: PropertyValue) -> [[String]] {
    if case .array(let files) = files {
      return files.map { [$0["name"]?.text ?? "", $0["sha256"]?.text ?? ""] }
    }
    let count = files["count"]?.wholeNumber ?? 0
    return [["\(ReportNumber.count(count)) files", files["sha256"]?.text ?? ""]]
  }

  private static func isSummary(_ files: PropertyValue) -> Bool {
    files["count"]?.wholeNumber != nil && files["sha256"]?.isDigest == true
  }

  private static func areFiles(_ files: PropertyValue) -> Bool {
    guard case .array(let files) = files else { return false }
    return files.allSatisfy { $0["name"]?.text != nil && $0["sha256"]?.isDigest == true }
  }

  private static func fault(
    between sources: OrderedDictionary<String, PropertyValue>, and ledger: PropertyValue
  ) -> String? {
    for (name, counts) in ledger.members ?? [:] {
      let (read, rows) = (counts["read"]?.wholeNumber, sources[name]?["rows"]?.wholeNumber)
      if read != rows {
        return "the provenance has \(rows.map { "\($0)" } ?? "no") rows of source '\(name)', but "
          + "the ledger says that \(read ?? 0) were read."
      }
    }
    return nil
  }
}

extension PropertyValue {
  fileprivate subscript(_ key: String) -> PropertyValue? { members?[key] }

  fileprivate var members: OrderedDictionary<String, PropertyValue>? {
    if case .object(let members) = self { members } else { nil }
  }

  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The texts of a list of nothing else.
  fileprivate var texts: [String]? {
    guard case .array(let values) = self else { return nil }
    let texts = values.compactMap(\.text)
    return texts.count == values.count ? texts : nil
  }

  fileprivate var wholeNumber: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }

  /// Whether the value consists of 64 lower-case hexadecimal digits.
  fileprivate var isDigest: Bool {
    guard let digits = text?.utf8, digits.count == 64 else { return false }
    return digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
