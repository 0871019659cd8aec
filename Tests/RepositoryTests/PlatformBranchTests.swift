import Foundation
import TestSupport
import Testing

/// Typechecks what is compiled only on Apple's systems, against modules that declare what it uses of them
/// (Tests/PlatformStubs). Nothing of it is run.
@Suite("Branches for other platforms", .enabled(if: modules != nil, "no modules of a build"))
struct PlatformBranchTests {
  /// The targets whose branches are checked.
  private static let targets = [
    "Columns", "Files", "Hashing", "QuadrilleClient", "Runs", "Workers",
  ]

  /// The targets with branches that are not checked, with the reason.
  private static let exceptions = [
    "Children": "declarations of posix_spawn", "Platform": "it exports the C library",
    "Preview": "its resources are generated",
    "Reuse": "a field of stat, as in Files, and the path of the program",
    "quadrille": "signals and threads, as in Workers", "quadrille-preview": "the same",
  ]

  /// The stubs, each after those that it imports.
  private static let stubs = [
    "CryptoKit", "Darwin", "CoreLocation", "CoreGraphics", "ImageIO", "UIKit", "MapKit", "MapLibre",
    "SwiftUI",
  ]

  private static var branch: Regex<Substring> {
    /#(?:if|elseif) .*canImport\((?:Darwin|CryptoKit|MapKit|MapLibre|UIKit)\)/
  }

  @Test("every target that has one is checked, or is an exception with a reason")
  func complete() throws {
    var found: Set<String> = []
    for file in try Repository.files(in: "Sources", suffix: ".swift")
    where try Repository.text(file).contains(Self.branch) {
      found.insert(String(file.split(separator: "/")[1]))
    }
    #expect(found == Set(Self.targets).union(Self.exceptions.keys))
  }

  @Test("they compile, as far as stubs of the platforms' modules tell")
  func compiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "stubs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in Self.stubs {
      let source = Repository.root.appending(path: "Tests/PlatformStubs/\(name).swift").path
      let outcome = try Self.compile(
        ["-emit-module", "-parse-as-library", "-module-name", name, "-o"]
          + [folder.appending(path: "\(name).swiftmodule").path, source], stubs: folder)
      #expect(outcome.status == 0, "\(name): \(outcome.errors)")
    }
    for target in Self.targets {
      let copies = try Self.copies(of: target, into: folder.appending(path: target))
      let outcome = try Self.compile(
        ["-typecheck", "-module-name", target, "-Xfrontend", "-import-module", "-Xfrontend"]
          + ["Darwin"] + copies, stubs: folder)
      #expect(outcome.status == 0, "\(target): \(outcome.errors)")
    }
    try Self.checkApp(folder)
    // A branch that is wrong is noticed.
    let wrong = folder.appending(path: "wrong.swift")
    try "#if canImport(CryptoKit)\nimport CryptoKit\nstruct MD5 { var hasher = MD5() }\n#endif\n"
      .write(to: wrong, atomically: true, encoding: .utf8)
    let outcome = try Self.compile(
      ["-typecheck", "-module-name", "Wrong", wrong.path], stubs: folder)
    #expect(outcome.status != 0)
  }

  /// Compiles the app of Examples/MapApp, which has at most 200 lines, over the library.
  private static func checkApp(_ folder: URL) throws {
    let library = folder.appending(path: "Library")
    let copies = try copies(of: "QuadrilleClient", into: library)
    var outcome = try compile(
      ["-emit-module", "-parse-as-library", "-module-name", "QuadrilleClient", "-o"]
        + [folder.appending(path: "QuadrilleClient.swiftmodule").path, "-Xfrontend"]
        + ["-import-module", "-Xfrontend", "Darwin"] + copies, stubs: folder)
    #expect(outcome.status == 0, "the library for the app: \(outcome.errors)")
    let sources = try Repository.files(in: "Examples/MapApp/Sources", suffix: ".swift")
    let lines = try sources.reduce(0) { try $0 + Repository.text($1).split(separator: "\n").count }
    #expect(sources.count > 1 && lines <= 200)
    outcome = try compile(
      ["-typecheck", "-parse-as-library", "-module-name", "MapApp"]
        + sources.map { Repository.root.appending(path: $0).path }, stubs: folder)
    #expect(outcome.status == 0, "the app: \(outcome.errors)")
  }

  /// Copies the files of a target; on Linux their branches for Linux are left out.
  private static func copies(of target: String, into folder: URL) throws -> [String] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try Repository.files(in: "Sources/\(target)", suffix: ".swift").map { file in
      let copy = folder.appending(path: file.replacing("/", with: "-"))
      try Repository.text(file).replacing("os(Linux)", with: "false")
        .write(to: copy, atomically: true, encoding: .utf8)
      return copy.path
    }
  }

  /// Runs the compiler once for all files; else it would be started for each, and read all others.
  private static func compile(
    _ arguments: [String], stubs: URL
  ) throws -> (status: Int32, errors: String) {
    let features = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]
    let words =
      ["swiftc", "-whole-module-optimization", "-swift-version", "6"]
      + ["-I", stubs.path, "-I", modules?.path ?? ""]
      + ["-package-name", Repository.root.lastPathComponent.lowercased()]
      + features.flatMap { ["-enable-upcoming-feature", $0] } + moduleMaps + arguments
    let told = try Program.runInstalled(words)
    let lines = (told.output + told.errors).split(separator: "\n")
    return (
      told.status,
      lines.filter { $0.contains("error:") }.prefix(5).joined(separator: "\n")
    )
  }

  /// The options that name the module maps of C targets, of this package and others.
  private static let moduleMaps: [String] = {
    guard let modules else { return [] }
    let build = modules.deletingLastPathComponent()
    let scratch = build.deletingLastPathComponent().deletingLastPathComponent()
    return [
      Repository.root.appending(path: "Sources"), build, scratch.appending(path: "checkouts"),
    ]
    .flatMap { folder in
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return (paths ?? []).filter { path in
        path.hasSuffix("module.modulemap")
          && path.split(separator: "/").contains {
            $0.wholeMatch(of: /C[A-Z]\w*(?:\.build)?/) != nil
          }
      }.map { folder.appending(path: $0).path }
    }.sorted().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }()
}

/// The folder of the modules that the tests were built with, if a compiler is there; `nil` otherwise.
private let modules: URL? = {
  let bundle =
    Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    ?? URL(filePath: CommandLine.arguments[0])
  let folder = bundle.deletingLastPathComponent().appending(path: "Modules")
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  let hasCompiler = path.split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/swiftc")
  }
  guard hasCompiler, FileManager.default.fileExists(atPath: folder.path) else { return nil }
  return folder.resolvingSymlinksInPath()
}()
