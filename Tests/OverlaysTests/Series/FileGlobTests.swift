import Foundation
import TestSupport
import Testing

@testable import Overlays

@Suite struct FileGlobTests {
  @Test(arguments: [
    ("*.png", "a.png", true), ("*.png", "a.jpg", false), ("*.png", ".png", false),
    ("*.png", "b/a.png", false), (".*", ".png", true), ("?.png", "é.png", true),
    ("?.png", "ab.png", false), ("*a*b*c", "xxaxxbxxc", true), ("*a*b*c", "xxaxxcxxb", false),
    ("[abc].png", "b.png", true), ("[!abc].png", "b.png", false), ("[^a-c].png", "d.png", true),
    ("[]].png", "].png", true), ("[a-]", "-", true), ("[!]a]", "]", false), ("[a\\]]", "]", true),
    ("\\*.png", "*.png", true), ("\\*.png", "a.png", false), ("**/*.png", "a.png", true),
    ("**/*.png", "a/b/c.png", true), ("**/*.png", "a/.b/c.png", false), ("**", "a/b", true),
    ("a/**/b/*.png", "a/b/x.png", true), ("a/**/b/*.png", "a/x/y/b/x.png", true),
    ("a/**/b/*.png", "a/x/b/y/x.png", false), ("**/**/x", "x", true), ("a**.png", "aa.png", true),
    ("/a/*.png", "/a/b.png", true), ("/a/*.png", "a/b.png", false), ("a//b", "a/b", true),
    ("A.png", "a.png", false), ("../x/*", "../x/a", true),
  ])
  func `a path matches a glob or does not`(glob: String, path: String, fits: Bool) throws {
    #expect(try FileGlob(glob).matches(path) == fits)
  }

  @Test(arguments: [
    ("[abc", "not closed"), ("[", "not closed"), ("[]", "not closed"), ("x[!", "not closed"),
    ("[z-a]", "'z-a', which runs backward"), ("", "1 to 4096"), ("a\u{0}b", "1 to 4096"),
  ])
  func `malformed globs are refused`(glob: String, reason: String) {
    let message = refusal { () throws(SeriesError) in try FileGlob(glob) }
    #expect(message.contains(reason))
  }

  @Test func `globs with many stars do not take exponential time`() throws {
    let glob = try FileGlob(String(repeating: "*a", count: 200) + "b")
    #expect(!glob.matches(String(repeating: "a", count: 2000)))
    let folders = try FileGlob(String(repeating: "**/a/", count: 50) + "b")
    #expect(!folders.matches(String(repeating: "a/", count: 200) + "c"))
  }

  private func tree() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in [
      "b.png", "a.png", "Z.png", "rain/2.png", "rain/1.png", "rain/x.txt", "rain/deep/3.png",
      "rain/.hidden/4.png", ".hidden.png", "é.png",
    ] {
      try folder.write("x", to: name)
    }
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.path("rain/deep/loop"), withDestinationPath: folder.path("rain"))
    try files.createSymbolicLink(
      atPath: folder.path("linked"), withDestinationPath: folder.path("rain"))
    try files.createSymbolicLink(
      atPath: folder.path("link.png"), withDestinationPath: folder.path("a.png"))
    try files.createSymbolicLink(
      atPath: folder.path("dead.png"), withDestinationPath: folder.path("nothing"))
    try files.createDirectory(
      atPath: folder.path("folder.png"), withIntermediateDirectories: false)
    return folder
  }

  @Test(arguments: [
    ("*.png", ["Z.png", "a.png", "b.png", "link.png", "é.png"]),
    ("rain/*", ["rain/1.png", "rain/2.png", "rain/x.txt"]),
    (
      "**/*.png",
      [
        "Z.png", "a.png", "b.png", "link.png", "rain/1.png", "rain/2.png", "rain/deep/3.png",
        "é.png",
      ]
    ),
    ("**/**/[0-9].png", ["rain/1.png", "rain/2.png", "rain/deep/3.png"]),
    ("linked/*.png", ["linked/1.png", "linked/2.png"]),
    ("r*/deep/loop/?.png", ["rain/deep/loop/1.png", "rain/deep/loop/2.png"]),
    ("rain/../a.png", ["rain/../a.png"]), ("a.png", ["a.png"]), ("none/*.png", []),
    ("a.png/*", []), ("folder.png", []),
  ])
  func `a glob search finds files in the order of their names, without cycles`(
    glob: String, paths: [String]
  ) throws {
    let folder = try tree()
    #expect(try FileGlob(glob).files(in: folder.url.path) == paths)
  }

  @Test func `a glob search finds exactly the files that match`() throws {
    let folder = try tree()
    let all = [
      "b.png", "a.png", "Z.png", "link.png", "é.png", ".hidden.png", "rain/1.png", "rain/2.png",
      "rain/x.txt", "rain/deep/3.png", "rain/.hidden/4.png",
    ]
    for text in ["*", "**", "**/?.*", "rain/**/*.png", "[a-c]*", ".*", "*/*", "**/.*/*", "[!r]*"] {
      let glob = try FileGlob(text)
      let found = Set(try glob.files(in: folder.url.path))
      for path in all { #expect(found.contains(path) == glob.matches(path), "\(text) \(path)") }
    }
  }

  @Test func `absolute globs give absolute paths`() throws {
    let folder = try tree()
    let found = try FileGlob(folder.path("rain/?.png")).files(in: "/nowhere")
    #expect(found == [folder.path("rain/1.png"), folder.path("rain/2.png")])
  }

  @Test func `limits of a glob search hold, and a missing folder is named`() throws {
    let folder = try tree()
    var limits = SeriesLimits()
    limits.maxFrames = 2
    #expect(throws: SeriesError.self) {
      try FileGlob("*.png").files(in: folder.url.path, limits: limits)
    }
    limits = SeriesLimits()
    limits.maxNames = 5
    #expect(throws: SeriesError.self) {
      try FileGlob("*").files(in: folder.url.path, limits: limits)
    }
    limits = SeriesLimits()
    limits.maxDepth = 1
    #expect(throws: SeriesError.self) {
      try FileGlob("**/x").files(in: folder.url.path, limits: limits)
    }
    let message = refusal { () throws(SeriesError) in
      try FileGlob("*.png").files(in: "/nowhere/at/all")
    }
    #expect(message.contains("'/nowhere/at/all' cannot be read"))
  }
}

/// The oracle of the listing: a match of one path.
extension FileGlob {
  /// Whether a path matches the glob; both must be relative or both absolute.
  ///
  /// - Complexity: O(components of both, multiplied, · length of the names).
  func matches(_ path: String) -> Bool {
    guard path.hasPrefix("/") == isAbsolute else { return false }
    let names = path.split(separator: "/").map(String.init)
    // The states of a non-deterministic automaton: the components that may come next.
    var states = reachable([0])
    for (index, name) in names.enumerated() {
      var next: Set<Int> = []
      for state in states where state < components.count {
        switch components[state] {
        case .folders: if index < names.count - 1, !name.hasPrefix(".") { next.insert(state) }
        case .name(let wanted): if wanted == name { next.insert(state + 1) }
        case .pattern(let symbols):
          if GlobName.matches(symbols, name) { next.insert(state + 1) }
        }
      }
      states = reachable(next)
    }
    return states.contains(components.count)
  }

  /// Returns the states, including those behind `**`, which may match no folder.
  private func reachable(_ states: Set<Int>) -> Set<Int> {
    var all = states
    for state in states {
      var state = state
      while state < components.count, components[state] == .folders {
        state += 1
        all.insert(state)
      }
    }
    return all
  }
}
