import Foundation
import Testing

@Suite("docs/troubleshooting.md")
struct TroubleshootingTests {
  /// The program's sources with literals joined that `+` joins.
  private func sources() throws -> String {
    // The engine of Foundation: Swift's own takes minutes for this in a debug build.
    try Repository.files(in: "Sources", suffix: ".swift").map { try Repository.text($0) }
      .joined(separator: "\n")
      .replacingOccurrences(of: #""\s*\+\s*""#, with: "", options: .regularExpression)
      .replacingOccurrences(of: #"\""#, with: #"""#)
  }

  @Test("quotes only messages that the program has")
  func messages() throws {
    let quotes = try Repository.text("docs/troubleshooting.md").split(separator: "\n")
      .filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
    #expect(quotes.count >= 15)
    let sources = try sources()
    for quote in quotes {
      let parts = quote.split(separator: "…").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.count > 3 }
      #expect(!parts.isEmpty, "\(quote)")
      for part in parts {
        let isSaid = sources.range(of: part, options: .literal) != nil
        #expect(isSaid, "no message says: \(part)")
      }
    }
  }

  @Test("the library's page shows the code of the example package")
  func library() throws {
    let page = try Repository.text("docs/library.md")
    let example = try Repository.text("Examples/Embedding/Sources/Embedding/Embedding.swift")
    let start = try #require(page.range(of: "```swift\nstatic func bake"))
    let body = page[page.index(start.lowerBound, offsetBy: 9)...]
    let code = try #require(body.range(of: "```")).lowerBound
    let indented = body[..<code].split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    let isSame = example.contains(indented)
    #expect(isSame, "docs/library.md differs from Examples/Embedding")
  }
}
