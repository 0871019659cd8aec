import Foundation
import TestSupport
import Testing

/// What needs no more than Python of the readers' tests (`make test-readers`).
///
/// One after the other: `generate.py --check` signs the lists anew, which the readers read.
@Suite(
  "Golden vectors of the readers for apps", .enabled(if: python != nil, "no Python"), .serialized)
struct GoldenVectorTests {
  @Test("the Python reader, written from the documents, gives every answer")
  func replay() throws {
    let told = try run("clients/python/replay.py")
    #expect(told.status == 0, "\(told.output)")
    #expect(told.output.contains(" passed, 0 failed"))
  }

  @Test("the Python reader gets well again, and touches nothing outside its folder")
  func updates() throws {
    let told = try run("Tests/Readers/kit/healed.py")
    #expect(told.status == 0 && told.output.contains("healed"), "\(told.output)")
  }

  @Test("the expected answers are those of the documents and of the sources' rows")
  func answers() throws {
    let told = try run("clients/vectors/generate.py", "--check")
    #expect(told.status == 0, "\(told.output)")
  }

  @Test("all files together are smaller than 2.6 MB")
  func size() throws {
    let sizes = try Repository.files(in: "clients/vectors", suffix: "").map { path in
      let file = Repository.root.appendingPathComponent(path)
      let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
      return values.isRegularFile == true ? values.fileSize ?? 0 : 0
    }
    #expect(sizes.count > 50)
    #expect(sizes.reduce(0, +) < 2_600_000)
  }

  private func run(_ script: String, _ arguments: String...) throws -> (
    status: Int32, output: String
  ) {
    let told = try Program.runInstalled([try #require(python), "-B", script] + arguments)
    return (told.status, told.output + told.errors)
  }
}

/// A Python 3 of this machine.
private let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}
