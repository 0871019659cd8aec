import Definition
import Platform
import Reports
import Runs
import SystemPackage
import TestSupport
import Testing

@Suite("Files of reports")
struct ReportFileTests {
  @Test("writing a report replaces the whole file and leaves nothing else behind")
  func write() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.report.json")
    try ReportFile.write("{\"a\": \"a long first text\"}", to: path)
    try ReportFile.write("{\"a\": 2}", to: path)
    let root = try Document(contentsOf: path, environment: { _ in nil }).root
    #expect(root["a"]?.integer == 2)
    #expect(try folder.names() == ["a.report.json"])
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
}
