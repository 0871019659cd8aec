import Platform

/// The program's output: the address and summaries on standard output, everything else on standard
/// error.
enum Console {
  static func say(_ text: String) { write("\(text)\n", to: STDOUT_FILENO) }

  static func error(_ text: String) { write("\(text)\n", to: STDERR_FILENO) }

  private static func write(_ text: String, to stream: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Platform.write(stream, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
