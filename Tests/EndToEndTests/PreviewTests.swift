import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

/// The program that a test was told to take may have none beside it.
private let hasPreviewProgram: Bool = {
  let folder = Program.url.deletingLastPathComponent()
  return FileManager.default.isExecutableFile(
    atPath: folder.appendingPathComponent("quadrille-preview").path)
}()

/// The command that shows archives in the browser.
@Suite("quadrille preview", .enabled(if: hasPreviewProgram))
struct PreviewCommandTests {
  @Test("quadrille preview executes its own program, with the same errors and exit codes")
  func errors() throws {
    let help = try Program.run("preview", "--help")
    #expect(help.status == 0 && help.output.contains("USAGE: quadrille preview"), "\(help)")
    #expect(try Program.run("help", "preview").output == help.output)
    #expect(help.output.contains("--export"))
    let missing = try Program.run("preview", "/nowhere/a.mbtiles", "--no-open")
    #expect(missing.status == 66 && missing.errorLines.count == 1, "\(missing)")
    #expect(try Program.run("preview").status == 64)
    let wrong = try Program.run("preview", "a.mbtiles", "--watch", "--export", "page")
    #expect(wrong.status == 64 && wrong.errors.contains("--watch"), "\(wrong)")
  }

  @Test(
    "quadrille preview builds a pipeline that is not built, and one that fails ends it",
    .enabled(if: Self.hasLeaflet))
  func unbuilt() throws {
    let preview = try RunningPreview(isBuilt: false)
    #expect(try preview.get("/tiles/out/1x/0/0/0.png").hasPrefix("HTTP/1.1 200"))
    let sample = try Sample(rows: 20)
    try FileManager.default.removeItem(atPath: sample.folder.path("places.csv"))
    let failed = try Program.run("preview", sample.pipeline, "--no-open")
    #expect(failed.status == 66 && failed.errors.contains("places.csv"), "\(failed)")
  }

  @Test(
    "quadrille preview paints the tiles of data where the page looks, and leaves nothing behind",
    .enabled(if: Self.hasLeaflet))
  func data() throws {
    let preview = try RunningPreview(isBuilt: false, file: "places.csv")
    let catalogue = try preview.get("/catalogue.json")
    #expect(catalogue.contains(#""id": "places""#), "\(catalogue)")
    #expect(try preview.get("/tiles/places/2x/0/0/0.png").hasPrefix("HTTP/1.1 200"))
    #expect(try preview.get("/tiles/places/1x/0/0/0.grid.json").contains("\"keys\""))
    #expect(try preview.get("/tilesets/places/search.json?q=place").contains("\"lat\""))
    let names = try FileManager.default.contentsOfDirectory(atPath: preview.sample.folder.url.path)
    #expect(!names.contains { $0.hasSuffix(".mbtiles") }, "\(names)")
    // The server is a child here.
    #expect(preview.end() == 128 + SIGTERM)
    #expect(throws: (any Error).self) { try preview.get("/") }
  }

  @Test(
    "quadrille preview takes the next port where one is taken, and says so",
    .enabled(if: Self.hasLeaflet))
  func taken() throws {
    let first = try RunningPreview()
    let second = try RunningPreview(port: first.port)
    #expect(second.port > first.port)
    #expect(
      second.errors.contains("Port \(first.port) is taken; the page is on port \(second.port)."))
  }

  @Test(
    "quadrille preview --watch builds again when data or pipeline change, and keeps the last map",
    .enabled(if: Self.hasLeaflet))
  func watches() throws {
    let preview = try RunningPreview(options: ["--watch"])
    #expect(try preview.state(when: { !$0.isEmpty }).contains(#""generation": 0"#))
    let data = preview.sample.folder.path("places.csv")
    let lines = String(decoding: try preview.sample.folder.bytes("places.csv"), as: UTF8.self)
      .split(separator: "\n")
    try preview.sample.folder.write(
      lines.dropLast(5).joined(separator: "\n") + "\n", to: "places.csv")
    let built = try preview.state { $0.contains(#""generation": 1"#) }
    #expect(built != "", "\(preview.errors)")
    try FileManager.default.removeItem(atPath: data)
    #expect(try preview.state { $0.contains("places.csv") } != "")
    #expect(try preview.get("/tiles/out/1x/0/0/0.png").hasPrefix("HTTP/1.1 200"))
  }

  @Test(
    "quadrille preview serves a pipeline's output, only to this machine's own address",
    .enabled(if: Self.hasLeaflet)
  )
  func serves() throws {
    let preview = try RunningPreview()
    let page = try preview.get("/")
    #expect(
      page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.contains("<title>Quadrille preview</title>"))
    let catalogue = try preview.get("/catalogue.json", host: "localhost:\(preview.port)")
    #expect(catalogue.contains(#""id": "out""#), "\(catalogue)")
    #expect(try preview.get("/", host: "evil.example").hasPrefix("HTTP/1.1 421"))
    #expect(try preview.get("/../sample.yml").hasPrefix("HTTP/1.1 404"))
  }

  @Test(
    "quadrille preview answers HEAD with the length of GET and no body",
    .enabled(if: Self.hasLeaflet)
  )
  func head() throws {
    let preview = try RunningPreview()
    for path in ["/", "/tiles/out/1x/0/0/0.png", "/nowhere"] {
      let whole = try preview.get(path)
      let head = try preview.get(path, method: "HEAD")
      func length(_ answer: String) -> Substring? {
        answer.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }
      }
      #expect(head.hasSuffix("\r\n\r\n") && whole.hasPrefix(head), "\(path): \(head)")
      #expect(length(head) != nil && length(head) != "Content-Length: 0", "\(path): \(head)")
    }
  }

  @Test(
    "quadrille preview answers while others send endless lines and half heads",
    .enabled(if: Self.hasLeaflet)
  )
  func hostile() throws {
    let preview = try RunningPreview()
    let host = "Host: 127.0.0.1:\(preview.port)\r\n"
    let halves = try (0..<40).map { _ in try preview.connection("GET / HTTP/1.1\r\n\(host)") }
    defer { for half in halves { try? half.close() } }
    let long = "/" + String(repeating: "a", count: 200_000)
    #expect(try preview.get(long).hasPrefix("HTTP/1.1 414 "))
    #expect(try preview.get(long, host: "evil.example").hasPrefix("HTTP/1.1 414 "))
    #expect(try preview.get("/", host: "a\r\nHost: b").hasPrefix("HTTP/1.1 400 "))
    #expect(try preview.get("/").hasPrefix("HTTP/1.1 200 "))
  }

  @Test(
    "the page opens while 256 connections are held, and tiles beyond are refused by a sentence",
    .enabled(if: Self.hasLeaflet)
  )
  func crowded() throws {
    let preview = try RunningPreview(isBuilt: false, file: "places.csv")
    let head = "Host: 127.0.0.1:\(preview.port)\r\nUser-Agent: crowd\r\n"
    // More than a client may wait for at a time; the last ones are answered by a refusal.
    let tiles = try (0..<100).map { number in
      try preview.connection(
        "GET /tiles/places/2x/4/\(number % 16)/\(number / 16).png HTTP/1.1\r\n\(head)\r\n")
    }
    let halves = try (0..<156).map { _ in try preview.connection("GET / HTTP/1.1\r\n\(head)") }
    defer { for half in tiles + halves { try? half.close() } }
    for path in ["/", "/catalogue.json"] {
      #expect(try preview.get(path).hasPrefix("HTTP/1.1 200 "), "\(path)")
    }
    let late = try preview.get("/tiles/places/2x/5/0/0.png")
    #expect(late.hasPrefix("HTTP/1.1 200 ") || late.contains("Too many tiles are asked for"))
    for tile in tiles {
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      let count = try buffer.withUnsafeMutableBytes { try tile.read(into: $0) }
      let answer = String(decoding: buffer[..<count], as: UTF8.self)
      #expect(
        ["200", "404"].contains(answer.dropFirst(9).prefix(3))
          || answer.contains("Too many tiles are asked for"), "\(answer)")
    }
    // Beyond all that it keeps, the server still says so, and the places of the reserve come back.
    let more = try (0..<80).map { _ in try preview.connection("GET / HTTP/1.1\r\n\(head)") }
    defer { for half in more { try? half.close() } }
    var isOpen = false
    for _ in 0..<100 where !isOpen {
      let page = (try? preview.get("/")) ?? ""
      isOpen = page.hasPrefix("HTTP/1.1 200 ")
      #expect(isOpen || page.isEmpty || page.contains("Too many tiles are asked for"), "\(page)")
      usleep(100_000)
    }
    #expect(isOpen)
  }

  @Test(
    "quadrille preview exports a folder and a ZIP, and prints the totals",
    .enabled(if: Self.hasLeaflet))
  func exports() throws {
    let sample = try Sample(rows: 20)
    try sample.build()
    let run = try Program.run(
      "preview", sample.archive, "--export", sample.folder.path("page"), "-z", "1")
    #expect(run.status == 0 && run.output.contains("page.zip"), "\(run)")
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path("page"))
    #expect(names.contains("index.html") && names.contains("tiles") && names.contains("leaflet"))
    let again = try Program.run("preview", sample.archive, "--export", sample.folder.path("page"))
    #expect(again.status == 73 && again.errorLines.count == 1, "\(again)")
  }

  private static var hasLeaflet: Bool {
    ["/usr/share/javascript/leaflet", "/usr/share/nodejs/leaflet/dist"].contains {
      FileManager.default.fileExists(atPath: "\($0)/leaflet.css")
    }
  }
}

/// A preview of what a small pipeline made, on a port of its own; it ends with the object.
private final class RunningPreview {
  let port: Int
  let sample: Sample
  private let run: Program.Run

  /// - Parameter file: the file of the sample that is shown; `nil` for the pipeline.
  init(
    isBuilt: Bool = true, port: Int = 0, file: String? = nil, options: [String] = []
  ) throws {
    sample = try Sample(rows: 20)
    if isBuilt { try sample.build() }
    let shown = if let file { sample.folder.path(file) } else { sample.pipeline }
    run = try Program.Run(["preview", shown, "--no-open", "--port", "\(port)"] + options)
    guard let port = Self.address(of: run)?.port else {
      run.process.terminate()
      throw SampleFailure(message: "the preview prints no address")
    }
    self.port = port
  }

  deinit { run.process.terminate() }

  /// Asks the program to end, and waits for its exit status.
  func end() -> Int32 {
    run.process.terminate()
    return run.process.waitUntilExit()
  }

  /// What the program has said on standard error.
  var errors: String { run.errorsSoFar }

  /// The state of the watch once it is as wanted; empty where it never is.
  func state(when isWanted: (String) -> Bool) throws -> String {
    for _ in 0..<300 {
      let answer = try get("/watch.json")
      if isWanted(answer) { return answer }
      usleep(100_000)
    }
    return ""
  }

  /// The address that the program prints first.
  private static func address(of run: Program.Run) -> URL? {
    for _ in 0..<200 {
      let line = run.outputSoFar.split(separator: "\n").first
      if let line, let url = URL(string: String(line)) { return url }
      usleep(50_000)
    }
    return nil
  }

  /// The whole answer to a request on a connection of its own; the host is the address by default.
  func get(_ path: String, method: String = "GET", host: String? = nil) throws -> String {
    let file = try connection(
      "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n"
        + "Connection: close\r\n\r\n")
    defer { try? file.close() }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
      if count == 0 { return String(decoding: answer, as: UTF8.self) }
      answer += buffer[..<count]
    }
  }

  /// A connection on which a text was sent.
  func connection(_ text: String) throws -> FileDescriptor {
    #if canImport(Glibc)
      let socket = Platform.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let socket = Platform.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    let file = FileDescriptor(rawValue: socket)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      try? file.close()
      throw SampleFailure(message: "no connection to port \(port)")
    }
    try file.writeAll(Array(text.utf8))
    return file
  }
}
