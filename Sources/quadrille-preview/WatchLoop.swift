import Definition
import Foundation
import Platform
import Preview
import Reuse
import Runs

/// Looks at pipelines, their data and their archives, builds anew what changed, and tells the page.
final class WatchLoop: Sendable {
  private let watch: PreviewWatch

  /// The pipelines that are built; archives are only looked at.
  private let pipelines: [String]
  private let archives: [String]

  /// Seconds between two looks.
  private static let interval = 0.4

  /// The number of looks that find no further change before a build begins: editors save in steps.
  private static let quietLooks = 2

  init(_ watch: PreviewWatch, pipelines: [String], archives: [String]) {
    self.watch = watch
    self.pipelines = pipelines
    self.archives = archives
  }

  /// Looks a first time, so that no later change is missed, and then until the process ends.
  func start() {
    let inputs = pipelines.map { WatchedPipeline($0) }
    let seen = inputs.map { WatchedFiles($0.files) }
    let shown = WatchedFiles(archives)
    let thread = Thread { self.run(inputs, seen, shown) }
    thread.name = "watch"
    thread.start()
  }

  private func run(_ inputs: [WatchedPipeline], _ seen: [WatchedFiles], _ shown: WatchedFiles) {
    var (inputs, seen, shown) = (inputs, seen, shown)
    // The first look builds: what is there may be newer than its archive.
    var quiet = [Int](repeating: Self.quietLooks - 1, count: pipelines.count)
    while true {
      Thread.sleep(forTimeInterval: Self.interval)
      for (number, pipeline) in pipelines.enumerated() {
        let now = WatchedFiles(inputs[number].files)
        if now != seen[number] {
          seen[number] = now
          quiet[number] = 0
          continue
        }
        guard quiet[number] < Self.quietLooks else { continue }
        quiet[number] += 1
        guard quiet[number] == Self.quietLooks else { continue }
        build(pipeline)
        let known = inputs[number].files
        inputs[number].decode()
        // What changes during the build is noticed at the next look.
        let files = inputs[number].files
        if files != known { seen[number] = WatchedFiles(files) }
      }
      let now = WatchedFiles(archives)
      guard now != shown else { continue }
      shown = now
      watch.update { $0.generation += 1 }
    }
  }

  private func build(_ pipeline: String) {
    watch.update { $0.isBuilding = true }
    let error = BuildChild.rebuild(pipeline)
    watch.update {
      $0.isBuilding = false
      $0.error = error
    }
    Console.error(error == nil ? "\(pipeline) is built." : "The last map stays.")
  }
}

/// A pipeline whose files are watched.
private struct WatchedPipeline {
  private let path: String
  private var definition: PipelineDefinition?

  init(_ path: String) {
    self.path = path
    decode()
  }

  /// Decodes the pipeline anew; the last definition stays while it cannot be decoded.
  mutating func decode() {
    definition = (try? Pipelines.definition(path)) ?? definition
  }

  /// The files that the pipeline is built from now: more may match a pattern than at the last look.
  var files: Set<String> {
    guard let definition else { return [path] }
    var files = definition.files.union([path])
    for (_, data) in definition.dataFiles { files.formUnion(data) }
    for sprite in definition.sprites { files.formUnion(sprite.inputFiles.compactMap(\.path)) }
    return files
  }
}

/// Pipeline files among the arguments.
enum Pipelines {
  /// Decodes a pipeline file.
  static func definition(_ file: String) throws(PipelineError) -> PipelineDefinition {
    try PipelineDefinition(
      contentsOf: file, environment: { name in getenv(name).map { String(cString: $0) } })
  }
}
