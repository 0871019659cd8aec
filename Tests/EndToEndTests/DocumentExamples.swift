import Foundation
import TestSupport
import Testing

/// A fenced block of code in a document of the repository.
struct CodeBlock: Sendable, CustomTestStringConvertible {
  /// The path of the document from the root.
  let document: String
  /// The line of the fence, from 1.
  let line: Int
  /// The word behind the fence; empty without one.
  let language: String
  let text: String

  var testDescription: String { "\(document):\(line)" }

  /// The blocks of a document, in order.
  static func blocks(of document: String) throws -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (line: Int, language: String, text: [Substring])?
    for (index, line) in try text(document).split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      if let block = open {
        if line == "```" {
          blocks.append(
            CodeBlock(
              document: document, line: block.line, language: block.language,
              text: block.text.map { $0 + "\n" }.joined()))
          open = nil
        } else {
          open?.text.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (index + 1, String(line.dropFirst(3)), [])
      }
    }
    return blocks
  }

  /// The text of a file, by its path from the root.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: packageRoot.appendingPathComponent(path), encoding: .utf8)
  }

  /// README, the pages of docs/ and that of the keys.
  static let documents: [String] = {
    let pages =
      (try? FileManager.default.contentsOfDirectory(
        atPath: packageRoot.appendingPathComponent("docs").path)) ?? []
    return ["README.md", "pipelines/README.md"]
      + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  /// The blocks of all documents in a language.
  static func all(_ language: String) -> [CodeBlock] {
    documents.flatMap { (try? blocks(of: $0)) ?? [] }.filter { $0.language == language }
  }

  /// The commands `quadrille …` of a block, each as its words.
  var commands: [[String]] {
    text.replacing("\\\n", with: " ").split(separator: "\n").compactMap { line in
      let words = Self.words(String(line))
      guard let start = words.firstIndex(of: "quadrille"), start + 1 < words.count,
        start == 0 || ["|", "&&"].contains(words[start - 1])
      else { return nil }
      return Array(words[(start + 1)...].prefix { $0 != ">" && $0 != "|" })
    }
  }

  /// The words of a line as a shell splits them, up to a comment.
  static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let ended = word { words.append(ended) }
        word = nil
      } else if character == "#", word == nil {
        break
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let ended = word { words.append(ended) }
    return words
  }
}

/// A folder with the small data of the gallery where the examples of the documents expect data.
struct ExampleFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let gallery = packageRoot.appendingPathComponent("docs/gallery")
    let hotels = try String(
      contentsOf: gallery.appendingPathComponent("hotels.csv"), encoding: .utf8)
    let rows = hotels.split(separator: "\n")
    for name in ["stores.csv", "docs/stores.csv"] {
      try copy(packageRoot.appendingPathComponent("docs/stores.csv"), to: name)
    }
    try folder.write(hotels, to: "data/hotels.csv")
    // The sample has no header; its columns are lng, lat, name, country, phone.
    let sample = rows.dropFirst().prefix(400).enumerated().map { index, row in
      let fields = row.split(separator: ",")
      return "\(fields[0]), \(fields[1]), \(fields[2]), USA, +1 \(index)"
    }
    try folder.write(sample.joined(separator: "\n") + "\n", to: "pipelines/data/hotels.csv")
    try folder.write("id,vehicle,time,lng,lat\n1,a,1,8,47\n2,a,2,9,48\n", to: "data/positions.csv")
    let events = (0..<30).map { "\($0),\(-80 + $0),\(10 + $0 % 20),2024-03-\(10 + $0 % 3 * 7)" }
    try folder.write("id,lng,lat,when\n" + events.joined(separator: "\n") + "\n", to: "events.csv")
    try folder.write("id,op\n", to: "data/lots-edits.csv")
    try folder.write("BBL,owner\n", to: "data/owners.csv")
    for base in ["", "pipelines/"] {
      try copy(gallery.appendingPathComponent("lots.geojson"), to: "\(base)data/lots.geojson")
      for frame in ["0600", "0700", "0800", "0900"] {
        let name = "rain/2014-01-19T\(frame)Z.png"
        try copy(gallery.appendingPathComponent(name), to: "\(base)data/\(name)")
      }
      try copy(gallery.appendingPathComponent("pin.png"), to: "\(base)data/pin.png")
    }
    try copy(gallery.appendingPathComponent("islands.geojson"), to: "districts.geojson")
    try FileManager.default.createDirectory(
      atPath: folder.path("output"), withIntermediateDirectories: true)
  }

  /// Copies the pipelines of the repository, which then expect less data.
  func addPipelines() throws {
    for name in ["hotels", "parcels", "parcels-floors", "pins", "rain"] {
      let text = try CodeBlock.text("pipelines/\(name).yml")
      try folder.write(
        text.replacing(/min: \d+/, with: "min: 1").replacing(
          /maxzoom: 1[4-9]/, with: "maxzoom: 14"), to: "pipelines/\(name).yml")
    }
  }

  private func copy(_ file: URL, to name: String) throws {
    let target = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: file, to: target)
  }
}
