import Foundation
import Testing

@Suite("ARCHITECTURE.md and Package.swift")
struct ArchitectureTests {
  private static let begin = "<!-- targets: written by `make architecture` -->\n"
  private static let end = "\n\n<!-- end of targets -->"

  private func graph() -> TargetGraph {
    #expect(PackageManifest.current.targets.count > 40)
    return TargetGraph(.current)
  }

  @Test("no target imports a target of a higher layer, and each target has a layer")
  func layers() {
    for fault in graph().faults { Issue.record("\(fault)") }
  }

  /// SwiftPM admits an import of what a declared dependency imports itself.
  @Test("the code of each target imports just the targets that Package.swift declares")
  func imports() throws {
    let targets = PackageManifest.current.targets
    let names = Set(targets.map(\.name))
    var faults: [String] = []
    for target in targets {
      let files = try Repository.files(in: target.folder, suffix: ".swift")
      if files.isEmpty { continue }
      let imported = Set(try files.flatMap { Self.imports(in: try Repository.text($0)) })
        .intersection(names)
      let declared = Set(target.dependencies.filter { !Self.programs.contains($0) })
      faults += imported.subtracting(declared).map { "\(target.name) imports \($0) undeclared" }
      faults += declared.subtracting(imported).map { "\(target.name) declares \($0) in vain" }
    }
    #expect(faults.sorted() == [])
  }

  /// Programs that tests start, and so need to be built.
  private static let programs: Set = [
    "embedding-example", "expression-fixture", "quadrille", "quadrille-preview", "update-fixture",
  ]

  /// The modules that the text of a file imports.
  private static func imports(in text: String) -> [String] {
    let line = /\s*(?:@\w+(?:\(\w+\))? +|package +|public +|internal +)*import +(\w+)/
    return text.split(separator: "\n").compactMap { $0.prefixMatch(of: line).map { String($0.1) } }
  }

  @Test(
    "imports are found whatever stands before them",
    arguments: [
      ("import Files", ["Files"]), ("package import A\n@testable import B", ["A", "B"]),
      ("#if os(Linux)\n  import CCrypto\n#endif", ["CCrypto"]),
      ("@_exported public import Failures", ["Failures"]), ("// import Files", []),
      ("let text = \"import Files\"", []),
    ])
  func importsOfText(text: String, modules: [String]) {
    #expect(Self.imports(in: text) == modules)
  }

  /// With `QUADRILLE_BLESS=1`, as `make architecture` sets it, the block is written instead.
  @Test("ARCHITECTURE.md shows the targets of Package.swift")
  func picture() throws {
    let document = try Repository.text("ARCHITECTURE.md")
    guard let head = document.range(of: Self.begin), let tail = document.range(of: Self.end) else {
      Issue.record("ARCHITECTURE.md lacks the marks of its targets: \(Self.begin)")
      return
    }
    let block = head.upperBound..<tail.lowerBound
    let picture = graph().markdown
    guard ProcessInfo.processInfo.environment["QUADRILLE_BLESS"] == "1" else {
      let isCurrent = document[block] == picture
      #expect(isCurrent, "the targets of ARCHITECTURE.md are out of date; run 'make architecture'")
      return
    }
    try document.replacingCharacters(in: block, with: picture)
      .write(
        to: Repository.root.appendingPathComponent("ARCHITECTURE.md"), atomically: true,
        encoding: .utf8)
  }

  @Test(
    "a target that imports upward, sideways or forward is found",
    arguments: [
      ("", ""),
      (#".target(name: "Low", dependencies: ["High"]),"#, "which is above it (top)"),
      (#".target(name: "Left", dependencies: ["Right"]),"#, "'middle' imports another"),
      (#".target(name: "First", dependencies: ["Low"]),"#, "lists behind it"),
      (#".target(name: "Elsewhere"),"#, "Elsewhere is in no layer"),
      (#".target(name: "Late", dependencies: ["Low"]),"#, "lists Late before Low"),
    ])
  func faults(declaration: String, fault: String) {
    func layer(_ name: String, isSideBySide: Bool = false, _ members: [String]) -> Layer {
      Layer(name: name, isSideBySide: isSideBySide, members: members.map { .init($0, "") })
    }
    let layers = [
      layer("bottom", ["First", "Low"]),
      layer("middle", isSideBySide: true, ["Right", "Left"]),
      layer("top", ["Late", "High"]),
    ]
    let text = """
      // .target(name: "Commented"),
      \(declaration)
      .target(
        name: "Low", dependencies: [.product(name: "Low", package: "other (1)"), crypto]),
      .target(name: "Right", dependencies: ["Low"]),
      .target(name: "High", dependencies: [.target(name: "Right"), "Low"]),
      .testTarget(name: "LowTests", dependencies: ["High"]),
      .target(name: "Support", dependencies: ["High"], path: "Tests/Support"),
      """
    let faults = TargetGraph(PackageManifest(text), layers: layers).faults
    if fault.isEmpty {
      #expect(faults == [])
    } else {
      #expect(faults.contains { $0.contains(fault) }, "\(faults)")
    }
  }
}
