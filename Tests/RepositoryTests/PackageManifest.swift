import Foundation

/// The targets of Package.swift, read as text: a test that started SwiftPM would wait for the build
/// that runs it.
struct PackageManifest {
  /// A target of the package.
  struct Target: Hashable {
    /// Its name as imports spell it.
    let name: String
    /// The targets of this package that it may import, in the order of the file.
    let dependencies: [String]
    /// The folder of its files, from the root.
    let folder: String
    /// Whether it is no part of the programs: tests, their support, and fuzzers.
    let isForTests: Bool
  }

  /// The targets of this checkout; none where there is no Package.swift.
  static let current = PackageManifest((try? Repository.text("Package.swift")) ?? "")

  /// In the order of the file.
  let targets: [Target]

  /// Reads the calls `.target(…)`, `.executableTarget(…)`, `.systemLibrary(…)` and `.testTarget(…)`.
  ///
  /// - Complexity: O(length of the text).
  init(_ text: String) {
    let code = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }.joined(separator: "\n")
    let declarations = Self.calls(in: code).compactMap { kind, arguments in
      arguments.prefixMatch(of: /\s*name:\s*"([^"]+)"/).map { (kind, String($0.1), arguments) }
    }
    let names = Set(declarations.map(\.1))
    targets = declarations.map { kind, name, arguments in
      let list =
        arguments.firstMatch(of: /dependencies:\s*\[/)
        .flatMap { Self.bracketed(arguments[$0.range.upperBound...]) } ?? ""
      let own = list.replacing(/\.product\(name:\s*"[^"]*",\s*package:\s*"[^"]*"/, with: "")
      let dependencies = own.matches(of: /"([^"]+)"/).map { String($0.1) }
      let path = arguments.firstMatch(of: /path:\s*"([^"]+)"/).map { String($0.1) } ?? ""
      return Target(
        name: name, dependencies: dependencies.filter(names.contains),
        folder: path.isEmpty ? "\(kind == "testTarget" ? "Tests" : "Sources")/\(name)" : path,
        isForTests: kind == "testTarget"
          || ["Tests/", "Fuzzing/", "Benchmarks/", "Examples/"].contains { path.hasPrefix($0) })
    }
  }

  /// The declarations of targets with what stands between their brackets. A `.target(…)` within one
  /// is a dependency.
  private static func calls(in code: String) -> [(kind: Substring, arguments: Substring)] {
    var calls: [(Substring, Substring)] = []
    var rest = code[...]
    while let match = rest.firstMatch(
      of: /\.(target|executableTarget|systemLibrary|testTarget)\(/)
    {
      rest = rest[match.range.upperBound...]
      guard let arguments = bracketed(rest) else { break }
      calls.append((match.1, arguments))
      rest = rest[arguments.endIndex...]
    }
    return calls
  }

  /// The text up to the bracket that closes what was opened before it; `nil` without one.
  private static func bracketed(_ text: Substring) -> Substring? {
    var depth = 0
    var isInString = false
    for index in text.indices {
      switch text[index] {
      case "\"": isInString.toggle()
      case "(", "[": depth += isInString ? 0 : 1
      case ")", "]":
        if isInString { continue }
        if depth == 0 { return text[..<index] }
        depth -= 1
      default: break
      }
    }
    return nil
  }
}
