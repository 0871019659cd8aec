import Expressions
import Features
import Ingest
import JSON
package import Runs
import SystemPackage

/// A fixture of the expression language in a file, or on standard input where the path is `-`.
package struct FixtureFile {
  /// The maximum size in bytes; the published suites' largest fixture has some ten kilobytes.
  static let byteLimit = 64 << 20

  private let name: String
  private let source: ByteSource

  package init(_ path: String) throws(PipelineError) {
    name = path == "-" ? "standard input" : path
    do {
      source = try ByteSource(path: FilePath(path), name: name)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Returns the result of compiling and evaluating the expression, as one line of JSON.
  package func answer() throws(PipelineError) -> [UInt8] {
    do {
      let fixture = try JSONValueParser.parse(try bytes(), name: name)
      var answer: [UInt8] = []
      JSONWriter.append(ExpressionFixture.run(json: fixture), to: &answer)
      answer.append(JSONByte.lineFeed)
      return answer
    } catch {
      throw PipelineError(error)
    }
  }

  private func bytes() throws(SourceError) -> [UInt8] {
    var bytes: [UInt8] = []
    while try source.fill(keeping: 0) > 0 {
      guard bytes.count + source.buffer.count <= Self.byteLimit else {
        throw SourceError(
          code: .badData, file: name,
          message: "the fixture is larger than \(Self.byteLimit) bytes.")
      }
      bytes.append(contentsOf: source.buffer)
    }
    return bytes
  }
}
