import Children
import Definition
import Drafts
import Files
import Foundation
import Pipeline
import Platform
import Reports
import Runs
import SystemPackage

/// A preview of files of data: a pipeline is drafted and built in a temporary folder, shown, and
/// removed with it.
struct DataPreview {
  /// The arguments of the preview.
  let arguments: [String]

  /// The places of the files of data among the arguments.
  private let places: [Int]

  /// Options of the preview that take a value.
  private static let options: Set = [
    "--port", "--export", "-Z", "--minzoom", "-z", "--maxzoom", "--max-files", "--under",
    "--under-attribution", "--source",
  ]

  /// - Returns: `nil` where no argument is data.
  init?(_ arguments: [String]) {
    self.arguments = arguments
    var places: [Int] = []
    var isValue = false
    for (place, argument) in arguments.enumerated() {
      defer { isValue = Self.options.contains(argument) }
      guard !isValue, !argument.hasPrefix("-") else { continue }
      let isFolder = (try? DataFile(argument))?.kind == .folder
      if isFolder || DataFile.isData(argument) { places.append(place) }
    }
    guard !places.isEmpty else { return nil }
    self.places = places
  }

  /// Bakes the data and shows it until the preview ends.
  ///
  /// - Parameter program: the path of the preview's program.
  /// - Returns: the exit status of the preview.
  func run(_ program: String, _ session: Session) throws(PipelineError) -> Int32 {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = places.map { arguments[$0] }
    let pipeline = "\(folder)/\(PipelineDraft.Request.pipelineName(of: files))"
    let others = arguments.enumerated().filter { !places.contains($0.offset) }.map(\.element)
    let isWatched = others.contains("--watch")
    var request = PipelineDraft.Request(
      files: files, pipeline: pipeline, currentFolder: CurrentFolder.path)
    request.isBaked = isWatched || others.contains { $0.hasPrefix("--export") }
    let draft = try PipelineRunner.draft(
      request, cancellation: session.cancellation, progress: session.progress)
    session.terminal.endProgress()
    let definition = try PipelineDefinition(
      Document(bytes: Array(draft.text.utf8), file: pipeline, environment: { _ in nil }))
    // A watched pipeline is built by the preview itself, now and whenever the data change. Another
    // one is painted on demand, where the page shows it, except that the frames of a series are
    // baked.
    if isWatched || !(request.isBaked || definition.hasSeries) {
      try Self.write(draft.text, to: pipeline)
      var mode = ["--draft"]
      if !isWatched {
        mode += ["--painted"] + files.map { "--draft-of=\($0)" }
        mode += draft.looks.map { "--draft-look=\($0.rawValue)" }
      }
      return try ChildProgram.run([program, pipeline] + mode + others, session.cancellation)
    }
    session.terminal.beginRun()
    let reports = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: session.cancellation,
      progress: session.progress)
    session.terminal.endProgress()
    for report in reports {
      for note in report.notes { session.terminal.note(note) }
    }
    let built = definition.outputPaths.compactMap(\.first)
    return try ChildProgram.run([program] + built + others, session.cancellation)
  }

  private static func write(_ text: String, to path: String) throws(PipelineError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    } catch {
      throw PipelineError(.cannotCreate, "\(path) cannot be written.", cause: "\(error)")
    }
  }

  private static func temporaryFolder() throws(PipelineError) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    StaleFiles.sweep(FilePath(parent))
    let name = RunFile.name(for: "preview", mark: "XXXXXX")
    var template = Array("\(parent)/\(name)".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw PipelineError(
        .cannotCreate, "no temporary folder can be made in \(parent). Set TMPDIR to another.",
        cause: String(cString: strerror(errno)))
    }
    return String(cString: made)
  }
}

/// A program that runs as a child of this one until it ends or this one is asked to.
enum ChildProgram {
  /// Runs a program with the streams of this process.
  ///
  /// - Parameter words: its path and its arguments.
  /// - Returns: its exit status; 128 + n if signal n ended it.
  static func run(
    _ words: [String], _ cancellation: Cancellation
  ) throws(PipelineError) -> Int32 {
    let child: ForegroundChild
    do throws(ChildFault) {
      child = try ForegroundChild(words)
    } catch {
      throw PipelineError(
        .missingInput, "the program \(words[0]) cannot be run.", cause: error.systemReason)
    }
    let status = child.wait { cancellation.isCancelled }
    return cancellation.signal == 0 ? status : 128 + cancellation.signal
  }
}
