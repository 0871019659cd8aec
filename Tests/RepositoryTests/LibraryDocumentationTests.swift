import Foundation
import Testing

/// The documents of the libraries: their code is that of tests and of the example package.
@Suite("The documentation of QuadrilleKit and QuadrilleClient")
struct LibraryDocumentationTests {
  private static let documents =
    ["docs/library.md"]
    + ["QuadrilleKit", "QuadrilleClient"].flatMap { library in
      [".md", ".swift"].flatMap { suffix in
        (try? Repository.files(in: "Sources/\(library)", suffix: suffix)) ?? []
      }
    }

  @Test("shows only code that is compiled", arguments: documents)
  func examples(document: String) throws {
    let compiled = try [
      "Tests/QuadrilleKitTests/DocumentationTests.swift",
      "Tests/QuadrilleClientTests/DocumentationTests.swift",
      "Examples/Embedding/Sources/Embedding/Embedding.swift",
    ].map { Self.lines(of: try Repository.text($0)) }
    for block in Self.blocks(in: try Repository.text(document)) {
      let isCompiled = compiled.contains { $0.contains(block) }
      #expect(
        isCompiled, "\(document) shows code that no test has:\n\(block.joined(separator: "\n"))")
    }
  }

  @Test("documents every public declaration")
  func comments() throws {
    #expect(Self.documents.count > 40)
    for file in Self.documents where file.hasSuffix(".swift") {
      let lines = Self.lines(of: try Repository.text(file))
      for (before, line) in zip(lines, lines.dropFirst()) where line.hasPrefix("public ") {
        let isDocumented = before.hasPrefix("///") || line.hasPrefix("public import")
        #expect(isDocumented, "\(file): \(line)")
      }
    }
  }

  @Test("finds code in articles and in comments, but no manifests")
  func blocks() {
    let text = """
      ```swift
      let a = 1

      let b = 2
      ```
      ```yaml
      let c = 3
      ```
      ```swift
      // Package.swift
      ```
        /// ```swift
        /// let d = 4
        /// ```
      """
    #expect(Self.blocks(in: text) == [["let a = 1", "let b = 2"], ["let d = 4"]])
  }

  /// The lines of a text without indentation and without empty ones.
  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// The lines of each block of Swift code in an article, or in the comments of a source file.
  private static func blocks(in text: String) -> [[String]] {
    var blocks: [[String]] = []
    var block: [String]?
    for var line in lines(of: text) {
      if line.hasPrefix("///") {
        line = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
      }
      if block != nil, line == "```" {
        blocks.append(block ?? [])
        block = nil
      } else if line == "```swift" {
        block = []
      } else if !line.isEmpty {
        block?.append(line)
      }
    }
    return blocks.filter { $0.first != "// Package.swift" }
  }
}
