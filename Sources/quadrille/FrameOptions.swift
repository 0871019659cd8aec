import ArgumentParser
import Definition

/// The frame of a series that a single picture or an answer shows.
struct FrameOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The instant of the frame to draw; the default frame without.", valueName: "time"))
  var frame: String?

  @Option(help: ArgumentHelp("The series that it belongs to; the first without.", valueName: "id"))
  var series: String?
}

extension BuildOptions {
  /// Returns the options for a picture of a frame.
  func showing(_ frame: FrameOptions) -> BuildOptions {
    var options = self
    options.frame = frame.frame
    options.series = frame.series
    return options
  }
}
