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
    let inputs = pipelines.map { Self.inputs(of: $0) }
    let seen = zip(pipelines, inputs).map { WatchedFiles($1) }
    let shown = WatchedFiles(archives)
    let thread = Thread { self.run(inputs, seen, shown) }
    thread.name = "watch"
    thread.start()
  }

  private func run(_ inputs: [Set<String>], _ seen: [WatchedFiles], _ shown: WatchedFiles) {
    var (inputs, seen, shown) = (inputs, seen, shown)
    var quiet = [Int](repeating: Self.quietLooks, count: pipelines.count)
    while true {
      Thread.sleep(forTimeInterval: Self.interval)
      for (number, pipeline) in pipelines.enumerated() {
        let now = WatchedFiles(inputs[number])
        if now != seen[number] {
          seen[number] = now
          quiet[number] = 0
          continue
        }
        guard quiet[number] < Self.quietLooks else { continue }
        quiet[number] += 1
        guard quiet[number] == Self.quietLooks else { continue }
        build(pipeline)
        let known = inputs[number]
        inputs[number] = Self.inputs(of: pipeline, besides: known)
        // What changes during the build is noticed at the next look.
        if inputs[number] != known { seen[number] = WatchedFiles(inputs[number]) }
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

  /// Returns the files that a pipeline is built from; those known before stay while it cannot be
  /// decoded.
  private static func inputs(of pipeline: String, besides known: Set<String> = []) -> Set<String> {
    guard let definition = try? Pipelines.definition(pipeline) else {
      return known.union([pipeline])
    }
    var files = definition.files.union([pipeline])
    for source in definition.sources { files.formUnion(source.inputFiles.compactMap(\.path)) }
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
