import Foundation
import Testing

/// The package of the library for apps alone, whose sources are links to those of this one. `make
/// test-client` builds it.
@Suite("clients/swift")
struct ClientPackageTests {
  private static let folder = "clients/swift"

  @Test("its targets are the client and what that imports, declared as in Package.swift")
  func targets() throws {
    let whole = PackageManifest.current.targets
    let own = PackageManifest(try Repository.text("\(Self.folder)/Package.swift")).targets
    var needed: Set = ["QuadrilleClient"]
    for target in whole.reversed() where needed.contains(target.name) {
      needed.formUnion(target.dependencies)
    }
    #expect(own == whole.filter { needed.contains($0.name) })
    #expect(Set(own.map(\.name)) == needed)
  }

  @Test("it depends on no package")
  func dependencies() throws {
    #expect(try !Repository.text("\(Self.folder)/Package.swift").contains(".package("))
  }

  @Test("each of its targets is a link to the sources of this package")
  func links() throws {
    let own = PackageManifest(try Repository.text("\(Self.folder)/Package.swift")).targets
    let sources = Repository.root.appending(path: "\(Self.folder)/Sources").path
    let names = try FileManager.default.contentsOfDirectory(atPath: sources).sorted()
    #expect(names == own.map(\.name).sorted())
    for name in names {
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: "\(sources)/\(name)")
          == "../../../Sources/\(name)")
    }
  }
}
