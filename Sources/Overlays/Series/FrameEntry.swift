/// The location of a frame's image.
package enum FrameLocation: Hashable, Sendable, CustomStringConvertible {
  /// A path, absolute or relative to the folder from which the source of the frames was read.
  case file(String)
  case url(RedactedURL)

  /// Creates the location spelled in a list or document.
  package init(_ text: String) {
    let isAddress = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
    self = isAddress ? .url(RedactedURL(text)) : .file(text)
  }

  /// The path or the address, without its key.
  package var description: String {
    switch self {
    case .file(let path): path
    case .url(let url): url.description
    }
  }
}

/// One image of a series: the instant it shows, and its location.
package struct FrameEntry: Hashable, Sendable {
  /// The instant that the image shows.
  package let time: FrameTime

  package let location: FrameLocation

  /// The name of the frame in messages: a path, or a place in a document; never a secret.
  package let place: String

  /// The time of the model run that forecast the frame; `nil` for an observation.
  package let run: FrameTime?

  package init(
    time: FrameTime, location: FrameLocation, place: String? = nil, run: FrameTime? = nil
  ) {
    self.time = time
    self.location = location
    self.place = place ?? location.description
    self.run = run
  }

  /// Whether this frame supersedes another for the same instant: the frame of the later run does,
  /// then the frame whose location is later in byte order; the order of arrival never matters.
  func isLater(than other: FrameEntry) -> Bool {
    let (own, its) = (run?.seconds ?? .min, other.run?.seconds ?? .min)
    if own != its { return own > its }
    return other.location.description.utf8.lexicographicallyPrecedes(location.description.utf8)
  }
}

/// A name in a list of frames, with its time if the list gives one.
package struct ListedFrame: Hashable, Sendable {
  package var image: String
  package var time: String?

  /// The place of the name, such as `pipelines/rain.yml:12:5`.
  package var place: String

  package init(image: String, time: String? = nil, place: String = "") {
    self.image = image
    self.time = time
    self.place = place
  }
}

extension FrameEntry {
  /// - Parameter pattern: reads the times from names without an explicit time.
  /// - Throws: ``SeriesError`` if there is no time, or an invalid one.
  package init(
    _ listed: ListedFrame, pattern: TimePattern? = nil
  ) throws(SeriesError) {
    let location = FrameLocation(listed.image)
    let name = location.description
    do throws(SeriesError) {
      guard !listed.image.isEmpty else {
        throw SeriesError(.badDocument, "a frame has an empty name; name its image.")
      }
      let time: FrameTime
      if let text = listed.time {
        time = try FrameTime(iso8601: text)
      } else if let pattern {
        time = try pattern.time(in: name)
      } else {
        throw SeriesError(
          .badTime, "the frame '\(name)' has no time; write {time: …, image: …}, or set 'time:'.")
      }
      self.init(
        time: time, location: location, place: listed.place.isEmpty ? name : listed.place)
    } catch {
      throw error.at(listed.place)
    }
  }
}
