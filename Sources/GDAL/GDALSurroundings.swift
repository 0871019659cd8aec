package import SystemPackage

/// The surroundings of the programs of GDAL within a run.
package struct GDALSurroundings: Sendable {
  /// The folder of the temporary files.
  package var folder: FilePath

  /// Texts that no message may show.
  package var secrets: [String] = []

  /// The size of the cache in which GDAL keeps blocks of images, in megabytes.
  package var blockCache = 128

  /// Called several times per second; an error that it throws ends the program.
  package var checkpoint: @Sendable () throws -> Void = {}

  package init(folder: FilePath) { self.folder = folder }
}
