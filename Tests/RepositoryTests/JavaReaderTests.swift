import Foundation
import Testing

/// The Java reader is copied into apps for Android 8.0, which has the library of Java 8 and no more.
@Suite("The Java reader on Android")
struct JavaReaderTests {
  /// Members that came to Android after API 26, with Java 9 to 21, and packages that it has not.
  private static let later = [
    // Collections and streams
    "List.of(", "Set.of(", "Map.of(", "Map.entry(", "Map.ofEntries(", "List.copyOf(",
    "Set.copyOf(", "Map.copyOf(", ".toList()", ".takeWhile(", ".dropWhile(", "Stream.ofNullable(",
    ".mapMulti(", "Collectors.toUnmodifiable", "Collectors.filtering(", "Collectors.flatMapping(",
    "Collectors.teeing(",
    // Optional and Objects
    ".orElseThrow()", ".ifPresentOrElse(", "Objects.requireNonNullElse", "Objects.checkIndex(",
    "Objects.checkFromToIndex(",
    // Text
    ".isBlank()", ".strip()", ".stripLeading()", ".stripTrailing()", ".repeat(", ".lines()",
    ".indent(", ".transform(", ".formatted(", ".translateEscapes(", ".stripIndent(", "HexFormat",
    ".toString(StandardCharsets",
    // Streams and files
    ".readAllBytes()", ".readNBytes(", ".transferTo(", ".skipNBytes(", ".nullInputStream(",
    ".nullOutputStream(", ".writeBytes(", "Path.of(", "Files.readString(", "Files.writeString(",
    "Files.mismatch(",
    // Numbers, arrays, threads and the network
    "BigInteger.TWO", ".sqrtAndRemainder(", "Math.fma(", "Math.clamp(", "Math.absExact(",
    "Math.ceilDiv(", "Arrays.mismatch(", "Arrays.compare(", "java.net.http", "HttpClient",
    "ProcessHandle", "VarHandle", "StackWalker", "Thread.ofVirtual(", "java.lang.foreign",
    "EdECPublicKey", "getInstance(\"Ed25519\")",
  ]

  /// Those of a desktop, which apps leave out.
  private static let others = ["JdbcDatabase.java", "Replay.java"]

  @Test("it calls nothing that came to Android after API 26")
  func members() throws {
    let files = try Repository.files(in: "clients/java", suffix: ".java").filter { file in
      !Self.others.contains { file.hasSuffix("/\($0)") }
    }
    #expect(files.count > 8)
    var found: [String] = []
    for file in files {
      let text = try Repository.text(file)
      // `readAllBytes` of Files is older than that of streams.
      let own = text.replacingOccurrences(of: "Files.readAllBytes(", with: "")
      found += Self.later.filter { own.contains($0) }.map { "\(file): \($0)" }
    }
    #expect(found == [])
  }

  @Test("the page says the least version of Android, and that no library has to be desugared")
  func page() throws {
    let text = try Repository.text("docs/clients.md")
    #expect(text.contains("`minSdk` 26") && text.contains("desugared"))
  }
}
