import Foundation
import Testing

/// The Java reader is copied into apps for Android 6.0; Tests/Readers compares all of its calls with a list.
@Suite("The Java reader on Android")
struct JavaReaderTests {
  /// Packages that Android 6.0 lacks.
  private static let later = [
    "java.nio.file", "java.util.function", "java.util.stream", "java.util.Base64", "java.time",
    "java.net.http", "java.util.Optional",
  ]

  /// Those that apps leave out, and the one that is loaded only where the system has its packages.
  private static let others = ["JdbcDatabase.java", "Replay.java", "ModernDisk.java"]

  @Test("it imports no package that came to Android after API 23")
  func packages() throws {
    let files = try Repository.files(in: "clients/java", suffix: ".java").filter { file in
      !Self.others.contains { file.hasSuffix("/\($0)") }
    }
    #expect(files.count > 8)
    var found: [String] = []
    for file in files {
      let text = try Repository.text(file)
      found += Self.later.filter { text.contains("import \($0)") }.map { "\(file): \($0)" }
    }
    #expect(found == [])
  }

  @Test("the page says the least version of Android, and that no library has to be desugared")
  func page() throws {
    let text = try Repository.text("docs/clients.md")
    #expect(text.contains("`minSdk` 23") && text.contains("desugared"))
  }
}
