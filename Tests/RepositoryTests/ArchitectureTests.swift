import Foundation
import Testing

@Suite("ARCHITECTURE.md and Package.swift")
struct ArchitectureTests {
  private static let begin = "<!-- targets: written by `make architecture` -->\n"
  private static let end = "\n\n<!-- end of targets -->"

  private func graph() throws -> TargetGraph {
    let manifest = PackageManifest(try Repository.text("Package.swift"))
    #expect(manifest.targets.count > 40)
    return TargetGraph(manifest)
  }

  @Test("no target imports a target of a higher layer, and each target has a layer")
  func layers() throws {
    for fault in try graph().faults { Issue.record("\(fault)") }
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
    let picture = try graph().markdown
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
