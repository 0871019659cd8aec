import Platform

/// The three standard streams, some of which a process may lack.
enum StandardStreams {
  /// Replaces closed streams, before another file gets their numbers and receives the output meant
  /// for the terminal.
  ///
  /// Standard error may be missing without harm; a run with closed standard output that writes a
  /// result to it gets an error, since the replacement is read-only.
  static func fill() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
      // The lowest free number, which is that of the stream. It stays open to the end.
      _ = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
