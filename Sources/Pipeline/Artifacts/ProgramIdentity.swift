/// Which program this is, so that one that was built anew does not read what an older one made.
enum ProgramIdentity {
  /// The version, with device, inode, size and times of the file that this process was started
  /// from; `nil` if the system does not tell, and then nothing is cached.
  ///
  /// A linker, a package manager or a copy changes at least the time of the last change, which no
  /// program can set. Hashing the 56 MB instead would take 30 ms of every run.
  static let text: String? = {
    guard let path = InputDigests.program, let status = try? InputStatus(path: path) else {
      return nil
    }
    return [
      PipelineVersion.current, "\(status.device)", "\(status.inode)", "\(status.size)",
      "\(status.modified)", "\(status.changed)",
    ].joined(separator: " ")
  }()
}
