import Definition
import Platform
import Reports
import Runs
import SystemPackage
import Testing

@Suite("Files of reports")
struct ReportFileTests {
  @Test("writing a report replaces the whole file and leaves nothing else behind")
  func write() throws {
    let folder = "/tmp/quadrille-report-\(getpid())"
    mkdir(folder, 0o700)
    defer { rmdir(folder) }
    let path = folder + "/a.report.json"
    defer { unlink(path) }
    try ReportFile.write("{\"a\": \"a long first text\"}", to: path)
    try ReportFile.write("{\"a\": 2}", to: path)
    let root = try Document(contentsOf: path, environment: { _ in nil }).root
    #expect(root["a"]?.integer == 2)
    #expect(try names(in: folder) == ["a.report.json"])
  }

  @Test("a missing folder of a report is status 73")
  func noFolder() {
    do {
      try ReportFile.write("", to: "/nowhere/at/all.json")
      Issue.record("no error")
    } catch {
      #expect(error.exitCode == 73)
      #expect(error.description.hasPrefix("/nowhere/at/all.json: the file cannot be written."))
    }
  }

  private func names(in folder: String) throws -> [String] {
    let stream = try #require(opendir(folder))
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
