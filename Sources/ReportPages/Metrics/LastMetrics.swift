/// The file of metrics of the last run, as far as the next one needs it: lines in this program's
/// own format.
struct LastMetrics {
  private let lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n").filter { $0.hasPrefix("quadrille_") }
  }

  /// Returns the lines of a family and a pipeline, each with its line feed.
  func lines(of family: MetricFamily, pipeline: String) -> [String] {
    let start = MetricSample.start(family, pipeline: pipeline)
    var seen: Set<Substring> = []
    return lines.filter { line in
      guard line.hasPrefix(start), let next = line.dropFirst(start.count).first,
        next == "," || next == "}", let end = line.lastIndex(of: "}"),
        let value = Double(line[line.index(after: end)...].drop { $0 == " " }), value.isFinite
      else { return false }
      // Two samples of the same labels would make the whole file invalid.
      return seen.insert(line[...end]).inserted
    }.map { "\($0)\n" }
  }

  /// Returns the name that the pipeline of a file had.
  func name(ofFile file: String) -> String? {
    let start = "\(MetricFamily.info.rawValue){pipeline=\""
    let mark = "\",file=\"\(MetricSample.escaped(file))\","
    for line in lines where line.hasPrefix(start) {
      guard let range = line.firstRange(of: mark) else { continue }
      return MetricSample.unescaped(
        line[line.index(line.startIndex, offsetBy: start.count)..<range.lowerBound])
    }
    return nil
  }
}
