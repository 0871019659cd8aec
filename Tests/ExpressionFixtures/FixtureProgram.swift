import Features
import Ingest
import JSON
import SystemPackage

/// The program `expression-fixture FILE`, `-` for standard input: evaluates a fixture.
@main
enum FixtureProgram {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: expression-fixture FILE")
      return
    }
    let path = CommandLine.arguments[1]
    let file =
      path == "-" ? FileDescriptor.standardInput : try .open(FilePath(path), .readOnly)
    let fixture = try JSONValueParser.parse(try bytes(of: file), name: path)
    print(JSONWriter.text(ExpressionFixture.run(json: fixture)))
  }

  private static func bytes(of file: FileDescriptor) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let chunk = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }
}
