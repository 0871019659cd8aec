import Features
import Foundation
import JSON
import SystemPackage
import TestSupport
import Tiling

@testable import Definition
@testable import Reuse

/// A cache folder of one test, and what to put into it.
struct ArtifactSample {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: ".quadrille-cache/artifacts/kept.txt")
  }

  static let place = ".quadrille-cache/artifacts"

  /// A cache, as one run has it.
  func cache(
    budget: CacheSize = .standard, isEnabled: Bool = true, program: String = "this"
  ) -> ArtifactCache {
    ArtifactCache(
      folder: FilePath(folder.path(Self.place)), budget: budget, isEnabled: isEnabled,
      identity: { program })
  }

  func key(_ parts: String..., program: String = "this") -> ArtifactKey {
    ArtifactKey(kind: .records, parts, program: program)
  }

  /// The path of an artifact's file.
  func path(_ key: ArtifactKey) -> String { folder.path("\(Self.place)/\(key.fileName)") }

  func exists(_ key: ArtifactKey) -> Bool { FileManager.default.fileExists(atPath: path(key)) }

  /// The names in the cache folder, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(Self.place)).sorted()
  }

  /// The body of an artifact with columns of several types.
  static func writer(seed: UInt64 = 1, rows: Int = 40) -> ArtifactWriter {
    var random = SplitMix64(seed: seed)
    var writer = ArtifactWriter()
    writer.append("text \(seed)")
    writer.append(Column((0..<rows).map { _ in random.next() }))
    writer.append(Column((0..<rows).map { _ in UInt8(random.below(256)) }))
    writer.append(-rows)
    return writer
  }

  /// Whether an artifact holds what ``writer(seed:rows:)`` gave.
  static func holds(_ cache: ArtifactCache, _ key: ArtifactKey, seed: UInt64 = 1) -> Bool {
    let text = cache.value(key) { reader throws(ArtifactDamage) in
      let text = try reader.text()
      _ = try reader.column(of: UInt64.self)
      _ = try reader.column(of: UInt8.self)
      _ = try reader.integer()
      return text
    }
    return text == "text \(seed)"
  }

  /// Sets the time of an artifact's last use, in seconds since 1970.
  func use(_ key: ArtifactKey, at seconds: TimeInterval) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path(key))
  }
}
