package import Runs
package import Tiling

/// What the command line changes for one run.
package struct BuildOptions: Hashable, Sendable {
  /// The archive's path, relative to the current folder; `nil` as the file says.
  package var output: String?

  package var minZoom: Int?
  package var maxZoom: Int?

  /// The side of a tile in style px, 256 or 512; `nil` as the file says.
  package var tileSize: Int?

  /// Only tiles that touch this box; `nil` as the file says.
  package var bounds: GeoBounds?

  /// Worker threads; 0 for one a core.
  package var threads = 0

  /// Builds even if nothing changed.
  package var force = false

  /// Also writes what leads from the archives before to the new one.
  package var writesDeltas = false

  /// Also keeps a few of the tiles that differ from the last archive, for a report with pictures.
  package var picturesChanges = false

  /// Neither reads nor writes caches.
  package var noCache = false

  /// Whether an input with the size, times and inode of an earlier run has its SHA-256 too.
  package var trustsFileTimes = false

  /// What the artifacts of earlier stages may take beside the archive.
  package var cacheSize = CacheSize.standard

  /// Remote data comes from the cache only.
  package var offline = false

  /// Remote data must be what the lock file says.
  package var locked = false

  /// What to do while another run holds the archive.
  package var whenLocked = LockPolicy.fail

  /// Publishes even where more tiles change than `expect` allows, and after a rollback.
  package var acceptsChanges = false

  /// The folder for temporary files other than the archive's own; `nil` for the system's.
  package var temporaryFolder: String?

  /// The instant of the frame to draw where one picture is asked for; `nil` for the default one.
  package var frame: String?

  /// The series that it belongs to; `nil` for the first.
  package var series: String?

  package init() {}
}

extension PipelineDefinition {
  /// The definition with the changes of the command line.
  ///
  /// - Throws: ``PipelineError`` with code `usage` if they make no sense with it.
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
    guard changed.tiles.minZoom <= changed.tiles.maxZoom else {
      throw PipelineError(
        .usage,
        "the zooms are \(changed.tiles.minZoom) to \(changed.tiles.maxZoom): the first is deeper "
          + "than the last. Set -Z and -z so that they fit the pipeline.")
    }
    changed.tiles.bounds = options.bounds ?? tiles.bounds
    changed.tiles.tileSize = options.tileSize ?? tiles.tileSize
    return changed
  }
}
