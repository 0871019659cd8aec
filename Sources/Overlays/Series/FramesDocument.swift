package import Features
package import Tiling

/// A list of frames in a file beside the images, usually `frames.json`.
///
/// Either a list, or an object with a list `frames`. A frame is a name, whose time the pattern
/// reads, or an object:
///
/// | Key | Meaning |
/// |---|---|
/// | `image`, `file`, `url`, `path` | the image, relative to the document |
/// | `time`, `date`, `instant` | ISO 8601, or seconds since 1970 |
///
/// The first existing name counts; without a time the pattern reads the image's name.
///
/// Beside the list, `bbox` or `bounds` gives the corners and `size` the pixels of all images. Other
/// keys are ignored.
package struct FramesDocument: Hashable, Sendable {
  /// The frames in the order of the document.
  package let entries: [FrameEntry]

  /// The bounds of the images in degrees, according to the document.
  package let bounds: GeoBounds?

  /// The size of every image, according to the document.
  package let size: ImageSize?

  /// - Parameters:
  ///   - document: the parsed file.
  ///   - name: the file's name in messages.
  ///   - pattern: reads the times of frames without one.
  /// - Throws: ``SeriesError`` with the place in the document.
  package init(
    _ document: PropertyValue, name: String, pattern: TimePattern? = nil,
    limits: SeriesLimits = SeriesLimits()
  ) throws(SeriesError) {
    do throws(SeriesError) {
      let root = DocumentValue(document)
      if root.member("frames")?.elements().first?.member("sha256") != nil {
        throw root.refused("is a manifest of built archives; name the images that they are made of")
      }
      let frames = try Self.list(of: root)
      try limits.check(frames: frames.count)
      var entries: [FrameEntry] = []
      entries.reserveCapacity(frames.count)
      for frame in frames {
        entries.append(try Self.entry(frame, name: name, pattern: pattern))
      }
      self.entries = entries
      bounds = try root.member("bbox", "bounds").map(Self.box)
      size = try root.member("size").map(Self.size)
    } catch {
      throw error.at(name)
    }
  }

  private static func list(of root: DocumentValue) throws(SeriesError) -> [DocumentValue] {
    let list: DocumentValue
    if case .array = root.value { list = root } else { list = try root.required("frames") }
    guard case .array = list.value else {
      throw list.refused("is \(list.value.typeName), where a list of frames is needed")
    }
    return list.elements()
  }

  private static func entry(
    _ frame: DocumentValue, name: String, pattern: TimePattern?
  ) throws(SeriesError) -> FrameEntry {
    let place = "\(name): \(frame.path)"
    let image: String
    var time: FrameTime?
    if case .string(let text) = frame.value {
      image = text
    } else {
      guard let member = frame.member("image", "file", "url", "path") else {
        throw frame.refused("has no 'image'")
      }
      image = try member.text()
      time = try frame.member("time", "date", "instant")?.time()
    }
    if let time {
      return FrameEntry(time: time, location: FrameLocation(image), place: place)
    }
    do throws(SeriesError) {
      let entry = try FrameEntry(ListedFrame(image: image), pattern: pattern)
      return FrameEntry(time: entry.time, location: entry.location, place: place)
    } catch {
      throw error.at(frame.path)
    }
  }

  private static func box(_ value: DocumentValue) throws(SeriesError) -> GeoBounds {
    let numbers = try value.elements().map { element throws(SeriesError) in try element.number() }
    guard numbers.count == 4, numbers[1] < numbers[3], numbers.allSatisfy({ abs($0) <= 360 }),
      numbers[0] != numbers[2]
    else { throw value.refused("is no box of west, south, east, north in degrees") }
    return GeoBounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }

  private static func size(_ value: DocumentValue) throws(SeriesError) -> ImageSize {
    let sides = try value.elements().map { element throws(SeriesError) in
      try element.integer(in: 1...0x7FFF_FFFF)
    }
    guard sides.count == 2 else { throw value.refused("is no list of width and height") }
    return ImageSize(width: sides[0], height: sides[1])
  }
}

extension FrameEntry {
  /// Creates a frame whose time is in a JSON file with the same name, as `2016112000.json` beside
  /// `2016112000.png`.
  ///
  /// The members `image` (or `file`, `url`, `path`) and `time` (or `date`, `instant`) are read;
  /// without the first, the image has the document's name with
  /// `imageExtension`.
  ///
  /// - Parameter name: the path of the JSON file.
  package init(
    sidecar document: PropertyValue, name: String, imageExtension: String = "png"
  ) throws(SeriesError) {
    let root = DocumentValue(document)
    do throws(SeriesError) {
      guard let time = root.member("time", "date", "instant") else {
        throw root.refused("has no 'time'")
      }
      let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
      let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
      let image = try root.member("image", "file", "url", "path").map {
        member throws(SeriesError) in
        folder + (try member.text())
      }
      self.init(
        time: try time.time(), location: .file(image ?? "\(stem).\(imageExtension)"), place: name)
    } catch {
      throw error.at(name)
    }
  }
}
