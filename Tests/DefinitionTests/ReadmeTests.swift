import Definition
import DefinitionSamples
import JSON
import Runs
import Styling
import SystemPackage
import Testing

@Suite("pipelines/README.md")
struct ReadmeTests {
  private let text: String

  init() throws {
    let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent()
    let path = root.appending("pipelines").appending("README.md")
    let file = try FileDescriptor.open(path, .readOnly)
    text = try file.closeAfter {
      var bytes = [UInt8](repeating: 0, count: 1 << 18)
      var count = 0
      while true {
        let read = try bytes.withUnsafeMutableBytes {
          try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
        }
        if read == 0 { break }
        count += read
      }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  @Test(
    "every key of the decoder is described in pipelines/README.md",
    arguments: ["pipeline", "stores"])
  func keys(kind: String) throws {
    let pipeline = try #require(PipelineSchema.json["$defs"]?[kind])
    let words = Set(text.split { !($0.isLetter || $0 == "-" || $0 == "_") }.map(String.init))
    let keys = Self.keys(of: pipeline)
    #expect(keys.count > 50)
    for key in keys { #expect(words.contains(key), "\(key) is not described") }
  }

  @Test("the first example of pipelines/README.md is a pipeline")
  func example() throws {
    let parts = text.split(separator: "```yaml\n").dropFirst()
    let example = try #require(parts.first?.split(separator: "```").first)
    let pipeline = try definition(String(example), file: "pipelines/hotels.yml")
    #expect(pipeline.output.path == "output/us-hotels.mbtiles")
  }

  /// The names of all properties of a schema and of those within it.
  private static func keys(of schema: ReportJSON) -> Set<String> {
    var keys: Set<String> = []
    switch schema {
    case .object(let members):
      for member in members {
        if member.key == "properties", case .object(let own) = member.value {
          keys.formUnion(own.map(\.key))
        }
        keys.formUnion(Self.keys(of: member.value))
      }
    case .array(let items): for item in items { keys.formUnion(Self.keys(of: item)) }
    default: break
    }
    return keys
  }

  @Test(
    "a property that no other renderer has is described in pipelines/README.md",
    arguments: ["text-fit", "symbol-parts", "circle-obstacle"]
      + StyleProperty.allCases.map(\.rawValue).filter {
        $0.hasPrefix("chart-") || $0.hasPrefix("leg-")
      })
  func ownProperties(name: String) {
    #expect(text.contains("`\(name)`"))
  }
}
