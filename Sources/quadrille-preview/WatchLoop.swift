import Definition
import Foundation
import Inputs
import Preview
import Runs

/// Looks at pipelines, their data and their archives, builds anew what changed, and tells the page.
final class WatchLoop: Sendable {
  private let watch: PreviewWatch

  private let pipelines: Pipelines

  /// The pipelines that are built; archives are only looked at.
  private let files: [String]
  private let archives: [String]

  /// Seconds between two looks.
  private static let interval = 0.4

  init(
    _ watch: PreviewWatch, _ pipelines: Pipelines, _ files: [String], archives: [String]
  ) {
    self.watch = watch
    self.pipelines = pipelines
    self.files = files
    self.archives = archives
  }

  /// Looks at the archives a first time, so that no later change is missed, and then at everything
  /// until the process ends.
  func start() {
    let shown = WatchedFiles(archives)
    let thread = Thread { self.run(shown) }
    thread.name = "watch"
    thread.start()
  }

  private func run(_ shown: WatchedFiles) {
    let watched = files.map { WatchedPipeline($0, pipelines) }
    var shown = shown
    while true {
      Thread.sleep(forTimeInterval: Self.interval)
      look(at: watched)
      tell(of: &shown)
    }
  }

  // Functions of the endless loop are not inlined: the optimizer's work on it would take minutes of
  // a release build.

  @inline(never)
  private func look(at watched: [WatchedPipeline]) {
    for pipeline in watched where pipeline.isDue() {
      build(pipeline.path)
      pipeline.decode()
    }
  }

  /// Has the page load the archives again if they were replaced.
  @inline(never)
  private func tell(of shown: inout WatchedFiles) {
    let now = WatchedFiles(archives)
    guard now != shown else { return }
    shown = now
    watch.update { $0.generation += 1 }
  }

  private func build(_ pipeline: String) {
    watch.update { $0.isBuilding = true }
    let error = BuildChild.rebuild(pipeline, pipelines.arguments)
    watch.update {
      $0.isBuilding = false
      $0.error = error
    }
    Console.error(error == nil ? "\(pipeline) is built." : "The last map stays.")
  }
}

/// A pipeline whose files are watched.
private final class WatchedPipeline {
  let path: String
  private let pipelines: Pipelines
  private var definition: PipelineDefinition?
  private var seen = WatchedFiles([])

  /// The number of looks since the last change. The first look builds: what is there may be newer
  /// than its archive.
  private var quiet = WatchedPipeline.quietLooks - 1

  /// The number of looks that find no further change before a build begins: editors save in steps.
  private static let quietLooks = 2

  init(_ path: String, _ pipelines: Pipelines) {
    self.path = path
    self.pipelines = pipelines
    decode()
    seen = WatchedFiles(files)
  }

  /// Looks at the files.
  ///
  /// - Returns: whether they changed and stayed so for a while.
  func isDue() -> Bool {
    let now = WatchedFiles(files)
    if now != seen {
      seen = now
      quiet = 0
      return false
    }
    guard quiet < Self.quietLooks else { return false }
    quiet += 1
    return quiet == Self.quietLooks
  }

  /// Decodes the pipeline anew; the last definition stays while it cannot be decoded.
  ///
  /// What changes during a build is noticed at the next look, unless the pipeline names other files
  /// now.
  func decode() {
    let before = files
    definition = (try? pipelines.definition(path)) ?? definition
    let after = files
    if after != before { seen = WatchedFiles(after) }
  }

  /// The files that the pipeline is built from now: more may match a pattern than at the last look.
  private var files: Set<String> {
    definition.map { $0.inputFiles.union([path]) } ?? [path]
  }
}

extension PipelineDefinition {
  /// The files of the pipeline, of its data and of its images, as they are now.
  var inputFiles: Set<String> {
    var inputs = files
    for (_, data) in dataFiles { inputs.formUnion(data) }
    for sprite in sprites { inputs.formUnion(sprite.files) }
    return inputs
  }
}

/// The pipeline files among the arguments, with the data that these give to their sources.
struct Pipelines: Sendable {
  private let replacements: [SourceReplacement]

  /// The options by which a build replaces the same data.
  let arguments: [String]

  /// - Parameter sources: texts `NAME=FILE`.
  init(_ sources: [String]) {
    replacements = sources.compactMap { SourceReplacement($0) }
    arguments = sources.flatMap { ["--source", $0] }
  }

  /// Decodes a pipeline file.
  func definition(_ file: String) throws(PipelineError) -> PipelineDefinition {
    try PipelineDefinition(
      contentsOf: file, replacing: replacements,
      environment: { name in getenv(name).map { String(cString: $0) } })
  }
}
