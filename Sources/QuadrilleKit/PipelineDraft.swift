import Drafts
public import Foundation
import Pipeline
import Runs

/// A pipeline that was drafted from files of data, not yet saved.
public struct PipelineDraft: Hashable, Sendable {
  /// The choices that the caller makes instead of the drafter.
  public struct Settings: Hashable, Sendable {
    /// The column that decides the colours; `nil` for the most interesting one.
    public var colorBy: String?

    /// Whether points are joined to lines; `nil` to join points that follow one another like a
    /// track.
    public var joinsPoints: Bool?

    /// The coordinate reference system of data that does not name its own, such as `EPSG:25832`.
    public var referenceSystem: String?

    /// Creates settings that leave every choice to the drafter.
    public init() {}
  }

  /// The file for which the paths in ``text`` are written.
  public let url: URL

  /// The text of the pipeline file, YAML with comments.
  public let text: String

  /// A line for each source that says what was chosen, and how to choose otherwise.
  public let choices: [String]

  /// The number of sources and layers and the zooms, in one line.
  public let summary: String

  /// Returns the drafted pipeline, which builds at once.
  public func pipeline() throws(QuadrilleError) -> TilePipeline {
    try TilePipeline(text: text, file: url)
  }
}

extension TilePipeline {
  /// Drafts a pipeline from files of data, as the command `quadrille new` does; blocks the thread.
  ///
  /// CSV, GeoJSON and GeoPackage files, what the installed GDAL reads, images with a world file and
  /// folders of frames are looked at: delimiter, encoding, columns and zooms are found in the data.
  /// Nothing is written.
  ///
  /// - Parameters:
  ///   - data: files or folders, or http(s) addresses; several become several sources.
  ///   - url: the file in which the pipeline will be saved, to which paths are relative.
  ///   - settings: choices in place of the drafter's.
  ///   - cancellation: ends the call from another thread.
  /// - Throws: ``QuadrilleError`` for data that cannot be read or drawn.
  /// - Complexity: each file is read two to ten times.
  public static func draft(
    from data: [URL], for url: URL, settings: PipelineDraft.Settings = PipelineDraft.Settings(),
    cancellation: RunCancellation = RunCancellation()
  ) throws(QuadrilleError) -> PipelineDraft {
    try publicly { () throws(PipelineError) in
      let files = try data.map { item throws(PipelineError) in
        ["http", "https"].contains(item.scheme) ? item.absoluteString : try item.filePath()
      }
      var request = Drafts.PipelineDraft.Request(
        files: files, pipeline: try url.filePath(), currentFolder: "/")
      request.choices.colorBy = settings.colorBy
      request.choices.lines = settings.joinsPoints
      request.choices.crs = settings.referenceSystem
      return try cancellation.run(maxSeconds: nil) { flag throws(PipelineError) in
        let draft = try PipelineRunner.draft(
          request, cancellation: flag, progress: { _ in })
        return PipelineDraft(
          url: url, text: draft.text, choices: draft.choices, summary: draft.summary)
      }
    }
  }

  /// Drafts a pipeline from files of data on a thread of its own; ends when the task is cancelled.
  ///
  /// See ``draft(from:for:settings:cancellation:)``.
  public static func draft(
    from data: [URL], for url: URL, settings: PipelineDraft.Settings = PipelineDraft.Settings()
  ) async throws(QuadrilleError) -> PipelineDraft {
    try await run { (cancellation) throws(QuadrilleError) in
      try draft(from: data, for: url, settings: settings, cancellation: cancellation)
    }
  }
}
