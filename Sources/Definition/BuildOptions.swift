import Foundation
package import Hashing
package import Runs
package import Tiling

/// The options of the command line for one run.
package struct BuildOptions: Hashable, Sendable {
  /// The archive's path, relative to the current folder; `nil` for the one in the pipeline file.
  package var output: String?

  package var minZoom: Int?
  package var maxZoom: Int?

  /// The side of a tile in style pixels, 256 or 512; `nil` for the one in the pipeline file.
  package var tileSize: Int?

  /// The box that limits the tiles to those that touch it; `nil` for the one in the pipeline file.
  package var bounds: GeoBounds?

  /// The number of worker threads; 0 for one per core.
  package var threads = 0

  /// The number of zooms from a block of vector tiles to its tiles, so that a build reads them block
  /// by block whatever their number; `nil` to decide by that. No archive depends on it.
  package var blockDepth: Int?

  /// Whether to build even if nothing changed.
  package var force = false

  /// Whether to also write the deltas from the previous archives to the new one.
  package var writesDeltas = false

  /// The keys that sign the list of updates; part of no fingerprint, since the archive does not
  /// depend on them.
  package var signingKeys: [Ed25519.SigningKey] = []

  /// The seconds for which lists of updates are valid; `nil` for lists without an end.
  package var listSeconds: Int?

  /// The instant of publication in seconds since 1970, which ``listSeconds`` count from; `nil` for
  /// the present one.
  package var publicationTime: Int?

  /// The files of these keys, which no output may replace.
  package var keyFiles: [String] = []

  /// Whether to also keep a few of the tiles that differ from the last archive, for a report with
  /// pictures.
  package var picturesChanges = false

  /// Whether to neither read nor write caches.
  package var noCache = false

  /// Whether an input with the size, times and inode of an earlier run is assumed to have the same
  /// SHA-256.
  package var trustsFileTimes = false

  /// The maximum size of the artifacts of earlier stages that are kept beside the archive.
  package var cacheSize = CacheSize.standard

  /// The ceiling of the run's memory; `nil` for the one in the pipeline file.
  package var memory: MemoryCeiling?

  /// Whether remote data comes from the cache only.
  package var offline = false

  /// Whether remote data must match the lock file.
  package var locked = false

  /// The behaviour while another run holds the lock of the archive.
  package var whenLocked = LockPolicy.fail

  /// Whether to publish even where more tiles change than `expect` allows, and after a rollback.
  package var acceptsChanges = false

  /// The folder for temporary files other than the archive's own; `nil` for the system's.
  package var temporaryFolder: String?

  /// The part of the names of temporary files that tells runs of one process apart.
  package private(set) var runMark = ""

  /// The options with a mark of their own, for a single run.
  package var ofOneRun: BuildOptions {
    var options = self
    options.runMark = String(UInt64.random(in: .min ... .max), radix: 36)
    return options
  }

  /// The instant of the frame to draw where one picture is asked for; `nil` for the default one.
  package var frame: String?

  /// The series of ``frame``; `nil` for the first.
  package var series: String?

  package init() {}

  /// The number of worker threads: the requested one, otherwise one per core.
  package var threadCount: Int {
    threads > 0 ? threads : Processors.available
  }
}

extension PipelineDefinition {
  /// Returns the definition with the options of the command line applied.
  ///
  /// - Throws: ``PipelineError`` with code `usage` if the options contradict the definition.
  package func applying(_ options: BuildOptions) throws(PipelineError) -> PipelineDefinition {
    var changed = self
    if let path = options.output {
      if let fault = OutputDefinition.fault(of: path) {
        throw PipelineError(.usage, "--output: \(fault)")
      }
      changed.output.path = path
    }
    changed.tiles.minZoom = options.minZoom ?? tiles.minZoom
    changed.tiles.maxZoom = options.maxZoom ?? tiles.maxZoom
    if options.maxZoom != nil { (changed.endsAtImages, changed.endsAtTilesets) = (false, false) }
    guard changed.tiles.minZoom <= changed.tiles.maxZoom else {
      throw PipelineError(
        .usage,
        "the zooms are \(changed.tiles.minZoom) to \(changed.tiles.maxZoom): the first is deeper "
          + "than the last. Set -Z and -z so that they fit the pipeline.")
    }
    changed.memory = options.memory ?? memory
    changed.tiles.bounds = options.bounds ?? tiles.bounds
    changed.tiles.tileSize = options.tileSize ?? tiles.tileSize
    return changed
  }
}
