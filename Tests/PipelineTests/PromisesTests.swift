import Foundation
import Testing

@Suite("docs/promises.md")
struct PromisesTests {
  private struct Row {
    let promise: String
    let file: String
    let test: String
  }

  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file of the repository, with single blanks for line breaks.
  private func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func rows() throws -> [Row] {
    let file = root.appendingPathComponent("docs/promises.md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }.dropFirst()
      .map { line in
        let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        #expect(cells.count == 3, "\(line)")
        return Row(promise: cells[0], file: cells[1], test: cells[2])
      }
  }

  @Test("docs/promises.md quotes only promises of the README")
  func promises() throws {
    let readme = try text("README.md")
    let rows = try rows()
    #expect(rows.count > 20)
    for row in rows { #expect(readme.contains(row.promise), "not in README.md: \(row.promise)") }
  }

  @Test("docs/promises.md names only existing tests")
  func tests() throws {
    for row in try rows() {
      let source = try text("Tests/\(row.file)")
      #expect(source.contains("\"\(row.test)\""), "\(row.file) has no test '\(row.test)'")
    }
  }
}
