import Platform
import Reuse
import Runs

extension PlanDocument.Program {
  /// The running program.
  ///
  /// - Throws: ``PipelineError`` where its file cannot be read.
  static func current() throws(PipelineError) -> PlanDocument.Program {
    guard let sha256 = try ProgramIdentity.sha256() else {
      throw PipelineError(
        .permission,
        "the program's own file cannot be read, whose SHA-256 is part of every plan. Give this user "
          + "read permission.")
    }
    return Self(
      version: PipelineVersion.current, sha256: sha256, machine: ownMachine,
      file: ProgramIdentity.text)
  }

  private static var ownMachine: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Whether the file of the running program is the very one that made the plan: reading it would
  /// take as long as painting some thousand tiles.
  var isThisFile: Bool {
    file != nil && file == ProgramIdentity.text && machine == Self.ownMachine
  }
}
