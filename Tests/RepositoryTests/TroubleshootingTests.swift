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
}
