import Children
import Features
import Files
import Foundation
import SystemPackage

/// A run of a program of GDAL in a ``WorkFolder``.
struct GDALRun {
  var program: GDALProgram
  let folder: WorkFolder
  let surroundings: GDALSurroundings

  /// The file or table that is read, for messages.
  let file: String

  /// Variables in addition to those of every run.
  var environment: [String: String] = [:]

  /// The seconds without a sign of life after which the program is killed.
  var silence: Double

  /// The bytes that must stay free on the disk of the folder.
  private static let reserve = 64 << 20

  /// The environment of every run: no settings of the user apply, nothing is fetched from the
  /// network, and no current date gets into a file.
  private var variables: [String: String] {
    let home = folder.path.string
    // No server listens at this address.
    let nowhere = "http://127.0.0.1:9"
    return [
      "PATH": InstalledProgram.searchPath, "LANG": "C.UTF-8", "TZ": "UTC", "TMPDIR": home,
      "CPL_TMPDIR": home, "HOME": home, "OGR_CURRENT_DATE": "2000-01-01T00:00:00.000Z",
      "OGR_SQLITE_SYNCHRONOUS": "OFF", "OGR_SQLITE_JOURNAL": "OFF", "GDAL_PAM_ENABLED": "NO",
      "GDAL_HTTP_PROXY": nowhere, "GDAL_HTTPS_PROXY": nowhere, "GDAL_HTTP_MAX_RETRY": "0",
      "PROJ_NETWORK": "OFF",
    ].merging(environment) { $1 }
  }

  /// Runs the program and returns its standard output.
  ///
  /// - Parameters:
  ///   - input: the name of the file that it reads as its standard input; `nil` for an empty one.
  ///   - written: the file that it writes, whose growth is a sign of life.
  /// - Throws: ``SourceError``, and what the checkpoint throws.
  @discardableResult
  func output(
    _ arguments: [String], input: String? = nil, writing written: String? = nil
  ) throws -> String {
    var command = ChildCommand(
      try program.installed(toRead: file), arguments, in: folder.path)
    command.environment = variables
    command.input = input.map { folder.path.appending($0) }
    command.silence = silence
    if let free = FreeSpace(folder.path)?.bytes {
      command.fileLimit = min(command.fileLimit, max(free - min(Self.reserve, free / 2), 1))
    }
    let outcome: ChildOutcome
    do {
      let watched = written.map { folder.path.appending($0) }
      outcome = try command.run(
        growth: { watched.flatMap { FileStatus($0)?.size } ?? 0 },
        checkpoint: surroundings.checkpoint)
    } catch let fault as ChildFault {
      throw SourceError(fault, file: file)
    }
    switch outcome.end {
    case .status(0): return String(decoding: outcome.output, as: UTF8.self)
    case .status: throw GDALMessage(outcome.messages, hiding: hidden).error(of: program, file: file)
    case .signal(let number): throw SourceError(signal: number, of: program, folder, file: file)
    }
  }

  /// The texts that no message shows: secrets, and the name of the temporary folder.
  private var hidden: [String] { surroundings.secrets + [folder.path.string + "/"] }
}

extension SourceError {
  fileprivate init(_ fault: ChildFault, file: String) {
    switch fault {
    case .isMissing(let program):
      self.init(code: .configuration, file: file, message: "needs the program \(program)")
    case .cannotStart(let program, let error):
      self.init(
        code: .io, file: file, message: "is read by \(program), which cannot start: \(error)")
    case .wasSilent(let program, let seconds):
      self.init(
        code: .io, file: file,
        message: "was not read: \(program) did nothing for \(Int(seconds)) seconds and was ended; "
          + "'timeout' gives it longer")
    case .wroteTooMuch(let program, let bytes):
      self.init(
        code: .badData, file: file,
        message: "was not read: \(program) wrote more than \(bytes) bytes of text and was ended")
    }
  }

  fileprivate init(signal: Int32, of program: GDALProgram, _ folder: WorkFolder, file: String) {
    let place = folder.path.removingLastComponent()
    let message =
      signal == SIGXFSZ
      ? "does not fit into \(place) when it is converted; free some space there or choose another "
        + "folder with --tmpdir"
      : "was not read: \(program.rawValue) was ended by signal \(signal); if there is memory enough, "
        + "the file is damaged or GDAL has a fault"
    self.init(code: .io, file: file, message: message)
  }
}
