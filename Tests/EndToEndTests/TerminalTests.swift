import Foundation
import PNG
import Raster
import TestSupport
import Testing

@Suite("The terminal") struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let names: [String] = [
    "new", "build", "check", "plan", "merge", "query", "tile", "render", "why", "inspect", "verify",
    "diff", "apply", "extract", "basemap", "export", "rollback", "preview", "schema",
  ]

  @Test("the help of every command has an example", arguments: Self.names)
  func examples(command: String) throws {
    let help = try Program.run(command, "--help")
    #expect(help.status == 0 && help.output.contains("\n  quadrille \(command)"), "\(help.output)")
  }

  @Test(
    "an unknown command is answered with the one that was probably meant",
    arguments: [
      (["bild", "x.yml"], "did you mean 'build'?"), (["help", "verfy"], "did you mean 'verify'?"),
      (["frobnicate"], "there is no command 'frobnicate'. Commands are new, build"),
    ])
  func commands(words: [String], answer: String) throws {
    let run = try Program.Run(words).finish()
    #expect(run.status == 64 && run.errors.contains(answer), "\(run)")
    let log = try Program.Run(words + ["--log-format", "json"]).finish()
    #expect(log.status == 64 && log.errors.hasPrefix("{"), "\(log)")
  }

  @Test("an unknown option is answered with the one that was probably meant")
  func options() throws {
    let run = try Program.run("build", "--forc", "x.yml")
    #expect(run.status == 64 && run.errors.contains("Did you mean '--force'?"), "\(run)")
  }

  @Test("all errors of a pipeline file that do not depend on each other are reported at once")
  func errors() throws {
    try folder.write(
      """
      version: 1
      sources:
        s: {type: csv, dat: x.csv, header: 3}
      layers:
        - {id: a, type: circl, source: s}
      tiles: {minzom: 3}
      """, to: "bad.yml")
    let run = try Program.run("build", "bad.yml", in: folder)
    #expect(run.status == 78 && run.errorLines.count == 4, "\(run.errors)")
    let places = ["3:18", "3:38", "5:19", "6:9"]
    for (line, place) in zip(run.errorLines, places) {
      #expect(line.hasPrefix("error: bad.yml:\(place): "), "\(line)")
    }
    let log = try Program.run("build", "--log-format", "json", "bad.yml", in: folder)
    #expect(log.errorLines.count { $0.contains(#""level": "error""#) } == 4, "\(log.errors)")
    try folder.write(
      """
      version: 1
      sources: {s: {type: csv, data: x.csv}}
      layers:
        - {id: a, type: circle, source: t}
        - {id: b, type: raster, source: s}
        - {id: c, type: circle, source: s, minzoom: 5, maxzoom: 2}
      """, to: "layers.yml")
    let layers = try Program.run("build", "layers.yml", in: folder)
    #expect(layers.status == 78 && layers.errorLines.count == 3, "\(layers.errors)")
  }

  @Test("at most 20 errors of a file are reported")
  func manyErrors() throws {
    let keys = (0..<50).map { "key\($0): 1" }.joined(separator: "\n")
    try folder.write("version: 1\n\(keys)\nsources: {s: {type: csv, data: x}}\n", to: "bad.yml")
    #expect(try Program.run("build", "bad.yml", in: folder).errorLines.count == 20)
  }

  @Test(
    "colours are for terminals, and NO_COLOR and a dumb terminal are respected",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  func colors() throws {
    try folder.write("version: 1\n", to: "bad.yml")
    func output(_ environment: [String: String]) throws -> String {
      try Program.runInstalled(
        ["/usr/bin/script", "-qec", "\(Program.url.path) build bad.yml", "/dev/null"],
        in: folder.url, environment: environment
      ).output
    }
    let red = "\u{1B}[1;31merror:\u{1B}[0m bad.yml"
    #expect(try output(["TERM": "xterm", "NO_COLOR": ""]).contains(red))
    #expect(try !output(["TERM": "xterm", "NO_COLOR": "1"]).contains("\u{1B}"))
    #expect(try !output(["TERM": "dumb", "NO_COLOR": ""]).contains("\u{1B}"))
    #expect(try !Program.run("build", "bad.yml", in: folder).errors.contains("\u{1B}"))
  }

  @Test("manual prints a page of man with every command, and completions know the options")
  func manual() throws {
    let page = try Program.run("manual")
    #expect(page.status == 0 && page.output.hasPrefix(".TH QUADRILLE 1"))
    for command in Self.names {
      #expect(page.output.contains(".SS quadrille \(command) "), "\(command)")
    }
    // A line of text must not begin like a request.
    let requests = page.output.split(separator: "\n").filter { $0.hasPrefix(".") }
    let known: Set = [".TH", ".SH", ".SS", ".B", ".PP", ".TP", ".nf", ".fi"]
    for line in requests {
      #expect(known.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
    for shell in ["bash", "zsh", "fish"] {
      let script = try Program.run("--generate-completion-script", shell)
      #expect(script.status == 0 && script.output.contains("trust-mtime"), "\(shell)")
    }
  }

  @Test("render fits a box into a size, or makes a view of its own proportions")
  func box() throws {
    let sample = try Sample(rows: 30)
    for (options, size) in [
      ([], [1024, 1024]), (["--size", "300x200"], [300, 200]), (["--zoom", "2"], [512, 512]),
    ] {
      let run = try Program.Run(
        ["render", sample.pipeline, "--bbox=-90,-66.51326,90,66.51326", "-o", folder.path("v.png")]
          + options
      ).finish()
      #expect(run.status == 0, "\(run)")
      let picture = try PNGDecoder().decode(folder.bytes("v.png"))
      #expect([picture.width, picture.height] == size)
    }
    let large = try Program.run("render", sample.pipeline, "--bbox=-90,-60,90,60", "--zoom", "9")
    #expect(large.status == 64 && large.errors.contains("8192 px"), "\(large)")
    let both = try Program.run("render", sample.pipeline, "--bbox=0,0,1,1", "--center=0,0")
    #expect(both.status == 64)
  }

  @Test("a build that writes a page says where it is")
  func page() throws {
    let sample = try Sample(rows: 30)
    let path = sample.folder.path("a page.html")
    let run = try Program.run("build", sample.pipeline, "--report", path)
    #expect(run.status == 0 && run.output.hasSuffix("a%20page.html\n"), "\(run.output)")
    #expect(run.output.contains("  page     file:///"))
    #expect(try Program.run("build", "-q", sample.pipeline, "--report", path).output.isEmpty)
  }
}
