import Archives
public import Foundation
import Pipeline
import Runs

/// The findings of a verification in an archive.
public struct ArchiveVerification: Hashable, Sendable {
  /// Sentences about faults, each with its tile, row or key; empty for a sound archive.
  public let faults: [String]

  /// Sentences about what some readers do not support.
  public let warnings: [String]

  /// A summary in one line.
  public let conclusion: String

  /// Whether the archive has no fault.
  public var isSound: Bool { faults.isEmpty }

  init(_ summary: VerificationSummary) {
    faults = summary.faults
    warnings = summary.warnings
    conclusion = summary.conclusion
  }
}

extension TileArchive {
  /// Verifies everything that an archive declares about itself, as the command `quadrille verify`
  /// does: structure, metadata, digests, and that every picture can be decoded; blocks the thread.
  ///
  /// - Parameters:
  ///   - url: an MBTiles or PMTiles file, or the manifest of an image series.
  ///   - cancellation: ends the call from another thread.
  /// - Throws: ``QuadrilleError`` if the file cannot be read at all; faults in it are in
  ///   ``ArchiveVerification/faults``.
  /// - Complexity: O(bytes).
  public static func verify(
    _ url: URL, cancellation: RunCancellation = RunCancellation()
  ) throws(QuadrilleError) -> ArchiveVerification {
    try publicly { () throws(PipelineError) in
      let path = try url.filePath()
      return try cancellation.run(maxSeconds: nil) { flag throws(PipelineError) in
        ArchiveVerification(
          try PipelineRunner.verify(archive: path, cancellation: flag, progress: { _ in }))
      }
    }
  }

  /// Verifies an archive on a thread of its own; ends when the task is cancelled.
  ///
  /// See ``verify(_:cancellation:)``.
  public static func verify(_ url: URL) async throws(QuadrilleError) -> ArchiveVerification {
    try await TilePipeline.run { (cancellation) throws(QuadrilleError) in
      try verify(url, cancellation: cancellation)
    }
  }
}
