/// The scripts by which shells complete command lines.
enum CompletionScript {
  /// Returns the script that some arguments ask for; `nil` for all others.
  ///
  /// - Parameter text: the script of the argument parser.
  static func requested(by arguments: [String], _ text: String) -> String? {
    guard arguments.first?.hasPrefix("--generate-completion-script") == true else { return nil }
    // The file of `--source NAME=FILE` begins within a word. Bash divides words at `=`, so that the
    // script does not see whose value it completes, here and in `--output=FILE`; then files are
    // offered, as for commands without a script. Fish does the right thing by itself.
    return text.replacing("complete -o filenames -F", with: "complete -o default -o filenames -F")
      .replacing("=FILE:_files'", with: "=FILE:{compset -P \"*=\"; _files}'")
  }
}
