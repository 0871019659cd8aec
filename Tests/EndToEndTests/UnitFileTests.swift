import Foundation
import TestSupport
import Testing

@Suite("The files for cron and systemd")
struct UnitFileTests {
  @Test(
    "the files for cron and systemd run the program with existing options",
    arguments: ["quadrille.service", "quadrille.cron"])
  func options(file: String) throws {
    let help = try Program.run("build", "--help").output
    let text = try String(
      contentsOf: packageRoot.appendingPathComponent("dist/\(file)"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter {
      !$0.hasPrefix("#") && $0.contains("quadrille build ")
    }
    #expect(!lines.isEmpty)
    for line in lines {
      let words = line.split(separator: " ").drop { $0 != "build" }
      for option in words.filter({ $0.hasPrefix("--") }) {
        #expect(help.contains("\(option) ") || help.contains("\(option)\n"), "\(option)")
      }
    }
  }
}
