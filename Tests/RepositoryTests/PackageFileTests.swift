import Foundation
import TestSupport
import Testing

/// `make deb` with a program that only repeats its arguments, since the real ones take minutes to build.
@Suite("The package for Debian", .enabled(if: canPack, "no dpkg-dev or no make"))
struct PackageFileTests {
  /// Runs a program in the checkout.
  ///
  /// - Returns: what it writes on standard output.
  @discardableResult
  private static func run(_ program: String, _ arguments: String...) throws -> String {
    try run(program, arguments)
  }

  @discardableResult
  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let told = try Program.runInstalled([program] + arguments)
    try #require(told.status == 0, "\(program) \(arguments)")
    return told.output
  }

  /// Packs into a folder, and returns the path of the package.
  private static func pack(into folder: URL, time: Int, sign: String = "") throws -> String {
    let files = FileManager.default
    let programs = folder.appendingPathComponent("build/release")
    let checkout = folder.appendingPathComponent("checkouts/Yams")
    if !files.fileExists(atPath: checkout.path) {
      try files.createDirectory(at: programs, withIntermediateDirectories: true)
      try files.createDirectory(at: checkout, withIntermediateDirectories: true)
      try "Yams may be copied.".write(
        to: checkout.appendingPathComponent("LICENSE"), atomically: true, encoding: .utf8)
      for name in ["quadrille", "quadrille-preview"] {
        try files.copyItem(atPath: "/bin/echo", toPath: programs.appendingPathComponent(name).path)
      }
    }
    try run(
      "/usr/bin/env", "SOURCE_DATE_EPOCH=\(time)", "/usr/bin/make", "-s", "deb",
      "PROGRAMS=\(programs.path)", "DEB=\(folder.path)/deb", "SIGN=\(sign)")
    let names = try files.contentsOfDirectory(atPath: "\(folder.path)/deb")
    let name = try #require(names.first { $0.hasSuffix(".deb") })
    #expect(
      try String(contentsOfFile: "\(folder.path)/deb/SHA256SUMS", encoding: .utf8)
        .hasSuffix("  \(name)\n"))
    return "\(folder.path)/deb/\(name)"
  }

  @Test(
    "make deb SIGN=KEY signs the checksums, so that openssl verifies them by the public key",
    .enabled(if: FileManager.default.isExecutableFile(atPath: openssl), "no openssl"))
  func signature() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("package-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try Self.pack(into: folder, time: 1_700_000_000)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/deb/SHA256SUMS.sig"))
    let key = "\(folder.path)/release"
    try Self.run(Self.openssl, "genpkey", "-algorithm", "ed25519", "-out", "\(key).key")
    try Self.run(Self.openssl, "pkey", "-in", "\(key).key", "-pubout", "-out", "\(key).pub")
    _ = try Self.pack(into: folder, time: 1_700_000_000, sign: "\(key).key")
    let sums = "\(folder.path)/deb/SHA256SUMS"
    let verify = [
      "pkeyutl", "-verify", "-pubin", "-inkey", "\(key).pub", "-rawin", "-in", sums, "-sigfile",
      "\(sums).sig",
    ]
    try Self.run(Self.openssl, verify)
    try "another".write(toFile: sums, atomically: true, encoding: .utf8)
    try Self.run("/bin/sh", ["-c", "! \"$0\" \"$@\"", Self.openssl] + verify)
  }

  private static let openssl = "/usr/bin/openssl"

  @Test("make deb writes the same package each time, with all that is installed and what it needs")
  func package() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("package-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let package = try Self.pack(into: folder, time: 1_700_000_000)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: package))

    func field(_ name: String) throws -> String {
      try Self.run("/usr/bin/dpkg-deb", "-f", package, name)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let version = try #require(
      Repository.text("Sources/Runs/PipelineVersion.swift")
        .split(separator: "\"").dropFirst().first)
    #expect(try field("Package") == "quadrille")
    #expect(try field("Version") == version)
    #expect(package.contains("/quadrille_\(version)_\(try field("Architecture")).deb"))
    // What the program names, with its version, and what no program names.
    #expect(try field("Depends").hasPrefix("libc6 (>= "))
    #expect(try field("Depends").contains(", fonts-dejavu-core, fonts-open-sans"))
    #expect(try field("Recommends").contains("libjs-leaflet"))

    let list = try Self.run("/usr/bin/dpkg-deb", "-c", package).split(separator: "\n")
    #expect(list.allSatisfy { $0.contains(" root/root ") && $0.contains(" 2023-11-14 22:13 ") })
    let paths = list.compactMap { $0.split(separator: " ").dropFirst(5).first.map(String.init) }
    for path in [
      "bin/quadrille", "bin/quadrille-preview", "bin/quadrille-slurm",
      "lib/systemd/system/quadrille.service", "lib/systemd/system/quadrille.timer",
      "lib/sysusers.d/quadrille.conf", "share/bash-completion/completions/quadrille",
      "share/doc/quadrille/NEWS.gz", "share/doc/quadrille/changelog.gz",
      "share/doc/quadrille/copyright", "share/fish/vendor_completions.d/quadrille.fish",
      "share/man/man1/quadrille.1.gz", "share/man/man1/quadrille-preview.1.gz",
      "share/man/man1/quadrille-slurm.1.gz", "share/quadrille/README.md",
      "share/zsh/vendor-completions/_quadrille",
    ] {
      #expect(paths.contains("./usr/\(path)"), "\(path)")
    }
    #expect(paths.allSatisfy { $0.hasPrefix("./usr/") || $0 == "./" })

    let tree = folder.appendingPathComponent("tree").path
    try Self.run("/usr/bin/dpkg-deb", "-R", package, tree)
    let sums = try Self.run(
      "/bin/sh", "-c", "cd '\(tree)' && md5sum --check --strict DEBIAN/md5sums")
    #expect(sums.contains("usr/bin/quadrille: OK"))
    let copyright = try String(
      contentsOfFile: "\(tree)/usr/share/doc/quadrille/copyright", encoding: .utf8)
    #expect(copyright.contains("MIT License") && copyright.contains("Yams may be copied."))
    #expect(copyright.contains("/usr/share/common-licenses/Apache-2.0"))
    let unit = try String(
      contentsOfFile: "\(tree)/usr/lib/systemd/system/quadrille.service", encoding: .utf8)
    #expect(unit.contains("ExecStart=/usr/bin/quadrille build "))

    let again = try Self.pack(into: folder, time: 1_700_000_000)
    #expect(try Data(contentsOf: URL(fileURLWithPath: again)) == bytes)
  }
}

/// Whether this machine can write packages.
private let canPack = ["/usr/bin/dpkg-deb", "/usr/bin/dpkg-shlibdeps", "/usr/bin/make"]
  .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
