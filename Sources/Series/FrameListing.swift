import Definition
import Features
import Fetching
import Foundation
import Ingest
import Inputs
import Overlays
import Runs
import SystemPackage
import Tiling

/// The frames that a series lists, before any image is read.
struct FrameListing {
  /// The frames in the order of their source.
  let entries: [FrameEntry]

  /// The folder to which paths of the entries are relative.
  let folder: FilePath

  /// The bounds of the images, if the list gives them.
  var bounds: GeoBounds?

  /// The size of every image, if the list gives it.
  var size: ImageSize?

  private let fetch: FrameFetch?

  /// The URL of the list itself, to which URLs in it are relative; `nil` for local lists.
  private var base: URL?

  /// The maximum bytes of a list; 100,000 frames take some 10 MB.
  private static let maxBytes = 64 << 20

  /// Reads folders and lists.
  ///
  /// - Throws: ``PipelineError`` without the key of a service.
  init(_ series: SeriesDefinition, fetch: FrameFetch?) throws(PipelineError) {
    self.fetch = fetch
    let pipelineFolder = FilePath(series.folder)
    do {
      switch series.frames {
      case .files(let glob):
        guard let pattern = series.pattern else {
          throw PipelineError(.bug, "a glob of frames has no pattern of times.", at: series.place)
        }
        folder = pipelineFolder
        do {
          entries = try FrameSource.files(glob, folder: series.folder, pattern: pattern).entries()
        } catch {
          var failure = PipelineError(error, at: series.place)
          if error.code == .badTime {
            failure.message += " Narrow 'frames', fix 'time', or move the file away."
          }
          throw failure
        }
      case .sidecars(let glob):
        folder = pipelineFolder
        entries = try glob.files(in: series.folder).map { name in
          let path = pipelineFolder.pushing(FilePath(name)).string
          return try FrameEntry(sidecar: try Self.json(path), name: name)
        }
      case .list(let frames):
        folder = pipelineFolder
        entries = try FrameSource.list(frames, pattern: series.pattern).entries()
      case .document(let location):
        let path = try Self.file(location, with: fetch, for: series.place)
        folder = FilePath(path).removingLastComponent()
        if case .url(let url) = location { base = URL(string: url) }
        let name = Self.name(of: location, at: path)
        let document = try FramesDocument(
          try Self.json(path, name: name), name: name, pattern: series.pattern)
        entries = document.entries
        (bounds, size) = (document.bounds, document.size)
      case .capabilities(let service):
        folder = pipelineFolder
        let path = try Self.file(service.document, with: fetch, for: series.place)
        let name = Self.name(of: service.document, at: path)
        let document = try Self.json(path, name: name)
        let template = try service.template ?? Self.template(of: document, name, service, series)
        entries = try FrameSource.capabilities(
          document, name: name, layer: service.layer, template: template, secret: service.secret
        ).entries()
      case .records:
        throw PipelineError(.bug, "the frames of records are listed nowhere.", at: series.place)
      }
    } catch let error as PipelineError {
      throw error
    } catch let error as SeriesError {
      throw PipelineError(error, at: error.code == .badPattern ? series.place : nil)
    } catch {
      throw PipelineError(wrapping: error)
    }
    guard !entries.isEmpty else {
      throw PipelineError(
        .missingInput, "no file is a frame of the series. Check 'frames' and its folder.",
        at: series.place)
    }
  }

  /// Creates the listing of another process, whose images are at known paths.
  init(_ entries: [FrameEntry], bounds: GeoBounds?, size: ImageSize?) {
    self.entries = entries
    self.bounds = bounds
    self.size = size
    folder = ""
    fetch = nil
  }

  /// Returns the path of a frame's file.
  ///
  /// - Throws: `FetchError` where it is at a URL and cannot be fetched.
  func path(of entry: FrameEntry, for place: DocumentPlace) throws -> String {
    switch entry.location {
    case .file(let path):
      guard let base else { return resolve(path) }
      // The names that a server sends are URLs, never files of this machine.
      guard let url = URL(string: path, relativeTo: base)?.absoluteString,
        DataLocation.isAddress(url)
      else {
        throw PipelineError(
          .badData, "the frame '\(path)' of a list behind a url is not an address.", at: place)
      }
      return try Self.fetched(RedactedURL(url), .image, with: fetch, for: place)
    case .url(let url):
      // A template may make paths of images that another program has fetched.
      let text = url.revealed()
      guard !DataLocation.isAddress(text) else {
        return try Self.fetched(url, .image, with: fetch, for: place)
      }
      return resolve(text)
    }
  }

  private func resolve(_ path: String) -> String {
    folder.pushing(FilePath(path)).lexicallyNormalized().string
  }

  private static func file(
    _ location: DataLocation, with fetch: FrameFetch?, for place: DocumentPlace
  ) throws -> String {
    switch location {
    case .file(let path): return path
    case .url(let url): return try fetched(RedactedURL(url), .json, with: fetch, for: place)
    case .patterns, .inline, .standardInput, .memory, .connection, .none:
      throw PipelineError(.bug, "a list of frames is nowhere.", at: place)
    }
  }

  /// Returns the template of the service's own document.
  ///
  /// - Throws: an error where it would send the key to another server than the document's.
  private static func template(
    of document: PropertyValue, _ path: String, _ service: SeriesDefinition.Capabilities,
    _ series: SeriesDefinition
  ) throws -> FrameTemplate {
    let template: FrameTemplate
    do throws(SeriesError) {
      template = try CapabilitiesDocument(document, name: path).template()
    } catch {
      // The document may contain the key in any text that an error repeats.
      throw service.secret.map { SeriesError(error.code, $0.hidden(in: error.message)) } ?? error
    }
    if service.secret != nil, case .url(let url) = service.document {
      guard let address = template.address, let own = RemoteAddress(url),
        own.sharesSecrets(with: address)
      else {
        throw series.place.fault(
          "the BaseUrl of the capabilities leads to another scheme, host or port, to which the key "
            + "is not sent; write it as 'template' if that is meant.")
      }
    }
    return template
  }

  private static func fetched(
    _ url: RedactedURL, _ kind: ContentKind, with fetch: FrameFetch?, for place: DocumentPlace
  ) throws -> String {
    guard let fetch else {
      throw PipelineError(.bug, "nothing can be fetched in this run.", at: place)
    }
    return try fetch.file(of: url, kind: kind)
  }

  /// Returns the name of a list in messages: that of the pipeline, not of its copy in the cache.
  private static func name(of location: DataLocation, at path: String) -> String {
    if case .url(let url) = location { RedactedURL(url).description } else { path }
  }

  /// - Parameter name: the name of the file in messages; its path by default.
  private static func json(_ path: String, name: String? = nil) throws -> PropertyValue {
    let bytes = try DocumentFile.bytes(of: path, limit: maxBytes)
    return try JSONValueParser.parse(bytes, name: name ?? path)
  }
}

extension FrameTemplate {
  /// The scheme, host and port that all its addresses have; `nil` where they contain a placeholder.
  fileprivate var address: RemoteAddress? {
    guard let host = start.firstRange(of: "://")?.upperBound,
      let end = start[host...].firstIndex(where: { "/?#".contains($0) })
    else { return nil }
    return RemoteAddress(String(start[..<end]))
  }
}
