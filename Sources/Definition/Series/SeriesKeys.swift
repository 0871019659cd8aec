import Features
import Overlays

/// The keys of an `image-series` in addition to those of an image.
package enum SeriesKeys {
  package static let keys = own + shared

  private static let own = [
    KeySpecification(
      "frames",
      .oneOf([
        .string, .list(of: .oneOf([.string, .object(listed)]), count: 1...100_000),
        .object(capabilities),
      ]),
      isRequired: true,
      "A glob of images or of their JSON files, a list of names or {time, image}, the path of a "
        + "frames.json, or {capabilities, layer, template, key}."),
    KeySpecification("time", .string, "The strptime pattern of the instant in a frame's name."),
    KeySpecification(
      "onDuplicate", .choice(DuplicateFramePolicy.allCases.map(\.rawValue)),
      default: .string("refuse"),
      "What two frames of one instant do: the build fails, or the last one counts."),
    KeySpecification(
      "every", .integer(1...3_155_760_000),
      "Seconds from frame to frame; the step that occurs most by default."),
  ]

  /// The keys of frames of images as of records.
  static let shared = [
    KeySpecification(
      "onMissing", .choice(MissingFramePolicy.allCases.map(\.rawValue)), default: .string("skip"),
      "What a missing or broken frame does: it is skipped, held over, or fails the build."),
    KeySpecification("keep", .integer(1...100_000), "How many of the newest frames are kept."),
    KeySpecification(
      "frameDuration", .integer(1...86_400_000), default: .number(1000),
      "How long a frame is shown, in milliseconds."),
    KeySpecification(
      "loop", .boolean, default: .bool(true), "Whether the first frame follows the last."),
    KeySpecification(
      "default", .string, default: .string("latest"),
      "The frame to show first: first, latest or an instant."),
  ]

  static let listed = ObjectSpecification(
    "a frame",
    [
      KeySpecification(
        "image", .string, isRequired: true, "An image file, relative to this one, or a url."),
      KeySpecification("time", .string, "Its instant as ISO 8601; UTC without a zone."),
    ])

  static let capabilities = ObjectSpecification(
    "frames",
    [
      KeySpecification(
        "capabilities", .string, isRequired: true, "The capabilities JSON of a weather service."),
      KeySpecification(
        "layer", .string, isRequired: true, "A layer by its display name or service name."),
      KeySpecification(
        "template", .string,
        "The address of an image with {layer} {format} {time} {run} {timestep} {key}; the BaseUrl "
          + "of the capabilities by default."),
      KeySpecification("key", .string, "The value of {key}; never shown."),
    ])
}
