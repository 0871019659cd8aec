import Definition
import Features
import Ingest
import Runs

/// Pipeline files and MapLibre styles, YAML and JSON.
enum PipelineFuzz {
  static func checkYAML(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    try check(Array(bytes), file: "fuzz.yml").isPipeline
  }

  static func checkJSON(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    let bytes = Array(bytes)
    let (root, isPipeline) = try check(bytes, file: "fuzz.json")
    // What the grammar with places takes, the plain one takes as well, and as the same value.
    guard let root, !bytes.contains(UInt8(ascii: "$")) else { return isPipeline }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let plain = try? JSONValueParser.parse(text) else {
      throw FuzzFailure(description: "the two readers of JSON disagree")
    }
    try require(root.propertyValue == plain, "the two readers of JSON give different values")
    return isPipeline
  }

  /// Reads the tree twice, then the definition.
  private static func check(
    _ bytes: [UInt8], file: String
  ) throws -> (root: DocumentNode?, isPipeline: Bool) {
    let document: Document
    do throws(PipelineError) {
      document = try read(bytes, file: file)
    } catch {
      try checkWords(of: error)
      return (nil, false)
    }
    let root = document.root.propertyValue
    try require(
      try read(bytes, file: file).root.propertyValue == root, "a second reading differs")
    // Files that a pipeline includes are none of this fuzzer's business.
    guard document.root["include"] == nil else { return (document.root, false) }
    do {
      let definition = try PipelineDefinition(document)
      try require(!definition.sources.isEmpty || definition.isStyle, "a pipeline without sources")
      return (document.root, true)
    } catch let error as PipelineError {
      try checkWords(of: error)
    }
    return (document.root, false)
  }

  private static func read(_ bytes: [UInt8], file: String) throws(PipelineError) -> Document {
    try Document(bytes: bytes, file: file, environment: { $0 == "SECRET" ? "hunter2" : nil })
  }

  private static func checkWords(of error: PipelineError) throws(FuzzFailure) {
    let words = error.description
    try require(!words.isEmpty, "an error without words")
    try require(!words.contains("hunter2"), "a secret in an error: \(words)")
  }
}
