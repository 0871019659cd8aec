import Definition
public import Foundation
import Runs

/// The settings of one run, in place of those of the pipeline.
public struct BuildSettings: Hashable, Sendable {
  /// The file of the archive, ending in `.mbtiles`, or in `.pmtiles` for a pipeline without taps; `nil`
  /// for `output.path` of the pipeline.
  public var output: URL?

  /// The first zoom, 0 … 22; `nil` for the pipeline's.
  public var minZoom: Int?

  /// The last zoom, 0 … 22; `nil` for the pipeline's.
  public var maxZoom: Int?

  /// The number of worker threads; 0 for one per core. The bytes of the archive do not depend on it.
  public var threads = 0

  /// Whether to build even if nothing changed since the last build.
  public var force = false

  /// Whether to use the files of earlier runs in `.quadrille-cache` beside the archive, and to keep
  /// such files for the next one. They save time; the bytes are the same.
  public var usesCache = true

  /// Whether remote data comes from the cache only.
  public var offline = false

  /// Whether to publish even if more tiles change than `expect` allows, and after a rollback.
  public var acceptsChanges = false

  /// The time limit in seconds, from the beginning of the run; `nil` for none.
  public var maxSeconds: Double?

  /// The folder for temporary files other than the archive's own; `nil` for the system's.
  public var temporaryFolder: URL?

  /// Creates settings that change nothing but the file of the archive.
  public init(output: URL? = nil) { self.output = output }

  /// The settings as options of the program.
  ///
  /// - Throws: ``PipelineError`` with code `usage` for an address that is no file's.
  func options() throws(PipelineError) -> BuildOptions {
    var options = BuildOptions()
    options.output = try output?.filePath()
    options.minZoom = minZoom
    options.maxZoom = maxZoom
    options.threads = max(0, threads)
    options.force = force
    options.noCache = !usesCache
    options.offline = offline
    options.acceptsChanges = acceptsChanges
    options.temporaryFolder = try temporaryFolder?.filePath()
    return options
  }
}
