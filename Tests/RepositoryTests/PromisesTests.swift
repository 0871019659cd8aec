import Foundation
import Testing

@Suite("docs/promises.md")
struct PromisesTests {
  private struct Row {
    let promise: String
    let file: String
    let test: String
  }

  /// The text of a file of the repository, with single blanks for line breaks.
  private func text(_ name: String) throws -> String {
    try Repository.text(name)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func rows() throws -> [Row] {
    try Repository.text("docs/promises.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }.dropFirst()
      .map { line in
        let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        #expect(cells.count == 3, "\(line)")
        return Row(promise: cells[0], file: cells[1], test: cells[2])
      }
  }

  @Test("docs/promises.md quotes only promises of the README and of pages in docs")
  func promises() throws {
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent("docs").path(percentEncoded: false)
    ).filter { $0.hasSuffix(".md") && $0 != "promises.md" }
    let documents = try (["README.md"] + pages.map { "docs/\($0)" }).map { try text($0) }
    let rows = try rows()
    #expect(rows.count > 20)
    for row in rows {
      #expect(documents.contains { $0.contains(row.promise) }, "no page says: \(row.promise)")
    }
  }

  @Test("docs/promises.md names only existing tests")
  func tests() throws {
    for row in try rows() {
      let source = try text("Tests/\(row.file)")
      #expect(source.contains("\"\(row.test)\""), "\(row.file) has no test '\(row.test)'")
    }
  }
}
