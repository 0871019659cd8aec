import Foundation
import Testing

@Suite("The documents of the repository")
struct DocumentLinkTests {
  @Test("lead only to files and headings that exist", arguments: try Repository.documents())
  func links(document: String) throws {
    let folder = document.split(separator: "/").dropLast().joined(separator: "/")
    for match in try Repository.text(document).matches(of: /\]\(([^)\s]+)\)/) {
      let link = String(match.1)
      guard !link.contains("://") else { continue }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts[0].isEmpty ? document : Self.resolved(String(parts[0]), in: folder)
      let file = Repository.root.appendingPathComponent(path).path(percentEncoded: false)
      guard FileManager.default.fileExists(atPath: file) else {
        Issue.record("\(document) leads to \(link), which is not there")
        continue
      }
      if parts.count == 2, path.hasSuffix(".md") {
        let anchors = Self.anchors(of: try Repository.text(path))
        #expect(anchors.contains(String(parts[1])), "\(document) leads to \(link)")
      }
    }
  }

  @Test(
    "name only types that are declared",
    arguments: ["ARCHITECTURE.md", "CONTRIBUTING.md"]
      + (try Repository.files(in: "docs", suffix: ".md").filter { $0.contains("internals") }))
  func types(document: String) throws {
    let declared = try Self.declaredNames.get()
    for match in try Repository.text(document).matches(of: /`([A-Z][a-z]+[A-Z][A-Za-z]+)`/) {
      #expect(declared.contains(String(match.1)), "\(document) names \(match.1)")
    }
  }

  /// The names of all types and targets of the program, read once for all documents.
  private static let declaredNames = Result {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    let files = try Repository.files(in: "Sources", suffix: ".swift")
    return try files.reduce(into: Set(Layer.all.flatMap(\.members).map(\.name))) { names, file in
      let words = try Repository.text(file).split { !($0.isLetter || $0.isNumber || $0 == "_") }
      for (kind, name) in zip(words, words.dropFirst()) where kinds.contains(kind) {
        names.insert(String(name))
      }
    }
  }

  /// The path that a relative one leads to.
  private static func resolved(_ path: String, in folder: String) -> String {
    var parts = folder.split(separator: "/").map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// The anchors of a document's headings, as GitHub makes them.
  private static func anchors(of text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
          .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacing(" ", with: "-")
      })
  }
}
