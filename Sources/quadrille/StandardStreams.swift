import Platform

/// The three streams that every process is promised, and some do not get.
enum StandardStreams {
  /// Puts something in the place of streams that are closed, before another file takes their
  /// numbers and receives what was meant for the terminal.
  ///
  /// Standard error may be missing without harm; who closes standard output and still has something
  /// written there is told so, since the stand-in may only be read.
  static func fill() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
      // The lowest free number, which is that of the stream. It stays open to the end.
      _ = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
