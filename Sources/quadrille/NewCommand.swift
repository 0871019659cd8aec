import ArgumentParser
import Drafts
import Files
import Pipeline
import Platform
import Reports
import Runs
import SystemPackage
import Tiling

/// The command `quadrille new FILE…`.
struct NewCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Draft a pipeline from files of data.",
    discussion: """
      Looks at CSV, GeoJSON and GeoPackage files, images with a world file and folders of frames, and \
      writes a pipeline that builds at once: delimiter, encoding, columns and zooms are found in the \
      data, many points become clusters, a column of numbers gives classes of colours, one of names \
      gives labels. Several files become several sources, images below areas below lines below points. \
      Tiles (MBTiles, PMTiles, a folder) get a style for their layers, or one layer of their pictures.

        quadrille new stores.csv
        quadrille new districts.geojson rivers.gpkg stores.csv -o city.yml
        quadrille new stores.csv -o - | less
        quadrille new berlin.pmtiles
        quadrille new stores.csv --over berlin.pmtiles
        quadrille new incomes.csv --join districts.geojson
        curl https://example.org/stores.csv | quadrille new - -o stores.yml
      """)

  @Argument(help: ArgumentHelp("Files or folders of data.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The pipeline file to write, - for standard output; the name of the first file with .yml, in "
        + "the current folder, by default.", valueName: "pipeline"), completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace a pipeline file that exists.")
  var force = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The box in degrees of images that do not say where they lie.", valueName: "w,s,e,n"),
    transform: TileRangeOptions.bounds)
  var bounds: GeoBounds?

  @Option(
    help: ArgumentHelp(
      "The column that decides the colours; the most interesting one by default.",
      valueName: "column"))
  var colorBy: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Join points to lines; by default those that follow one another as a track does.")
  var lines: Bool?

  @Option(
    help: ArgumentHelp(
      "The coordinate reference system of data that does not name its own, such as EPSG:25832.",
      valueName: "system"))
  var crs: String?

  @Option(
    help: ArgumentHelp("The column of longitudes in a table, or of x.", valueName: "column"))
  var x: String?

  @Option(help: ArgumentHelp("The column of latitudes in a table, or of y.", valueName: "column"))
  var y: String?

  @Flag(
    help: ArgumentHelp(
      "Ask up to three questions about what was not certain, in a terminal; Return keeps the answer."
    ))
  var interactive = false

  @OptionGroup var columns: DraftColumns

  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    let target = output ?? PipelineDraft.Request.pipelineName(of: files)
    let isPrinted = target == "-"
    if !isPrinted { try refuse(target) }
    var request = PipelineDraft.Request(
      files: files, pipeline: isPrinted ? PipelineDraft.Request.pipelineName(of: files) : target,
      currentFolder: CurrentFolder.path)
    request.bounds = bounds
    request.ground = columns.over
    request.choices.answersQuestions = interactive
    request.choices.colorBy = colorBy
    request.choices.lines = lines
    request.choices.crs = crs
    (request.choices.x, request.choices.y) = (x, y)
    columns.add(to: &request.choices)
    if interactive { try refuseQuestions() }
    func drafted() throws(PipelineError) -> PipelineDraft {
      let draft = try PipelineRunner.draft(
        request, cancellation: session.cancellation, progress: session.progress)
      session.terminal.endProgress()
      return draft
    }
    var draft = try drafted()
    if interactive, try ask(draft.questions, &request.choices, session.terminal) {
      draft = try drafted()
    }
    if isPrinted { return try session.terminal.write(Array(draft.text.utf8)) }
    try ReportFile.write(draft.text, to: target)
    guard !terminal.quiet else { return }
    for choice in draft.choices { try session.terminal.show(choice) }
    try session.terminal.show("\(target): \(draft.summary)")
    try session.terminal.show("next: quadrille build \(target)")
  }

  /// Refuses to ask where nobody can answer.
  private func refuseQuestions() throws(PipelineError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, output != "-" else {
      throw PipelineError(
        .usage,
        "'--interactive' asks in a terminal and writes a file. Leave it out: the draft says what was "
          + "chosen, and the flags choose else.")
    }
  }

  /// Asks the questions about a draft.
  ///
  /// - Returns: whether an answer is not the draft's.
  private func ask(
    _ questions: [DraftQuestion], _ choices: inout PipelineDraft.Choices, _ terminal: Terminal
  ) throws(PipelineError) -> Bool {
    var isChanged = false
    for question in questions {
      let answers = question.answers.enumerated().map { "  \($0 + 1) \($1.text)" }
      try terminal.show(([question.text] + answers).joined(separator: "\n"))
      let number = readLine().flatMap { Int($0) } ?? 1
      guard question.answers.indices.contains(number - 1) else {
        throw PipelineError(
          .usage,
          "'\(number)' is no answer: they are 1 to \(question.answers.count). Nothing was written.")
      }
      question.answers[number - 1].choose(&choices)
      isChanged = isChanged || number > 1
    }
    return isChanged
  }

  /// Throws where a file would be lost.
  private func refuse(_ target: String) throws(PipelineError) {
    if let fault = TargetFault(FilePath(target)) {
      throw PipelineError(.cannotCreate, fault.sentence(FilePath(target)))
    }
    if files.contains(where: { FilePlace.areSame($0, target) }) {
      throw PipelineError(.usage, "'\(target)' is one of the files. Name another with --output.")
    }
    if let ending = FileEnding(target), ending.isOfFile, !["yml", "yaml"].contains(ending.text) {
      throw PipelineError(
        .usage,
        "'\(target)' ends in .\(ending.text), and a pipeline is written as YAML. Name it "
          + "\(target.dropLast(ending.text.count))yml.")
    }
    guard FileStatus(FilePath(target), followsLinks: false) != nil else { return }
    guard !force else { return }
    throw PipelineError(
      .cannotCreate, "the file exists. Name another with --output, or replace it with --force.",
      at: DocumentPlace(file: target))
  }
}

/// The choices among the parts of the data and its columns.
struct DraftColumns: ParsableArguments {
  @Option(help: ArgumentHelp("The column that holds the geometry of a table.", valueName: "column"))
  var geometry: String?

  @Option(help: ArgumentHelp("The layer of a file of several, or the table.", valueName: "name"))
  var layer: String?

  @Option(
    help: ArgumentHelp(
      "Vector tiles under the data, in a quiet style for their layers: .mbtiles, .pmtiles, a folder or "
        + "a TileJSON.", valueName: "tiles"), completion: .file())
  var over: String?

  @Option(help: ArgumentHelp("The sheet of a spreadsheet; all by default.", valueName: "name"))
  var sheet: String?

  @Option(
    help: ArgumentHelp("The encoding of the texts, such as windows-1250.", valueName: "encoding"))
  var encoding: String?

  @Option(
    help: ArgumentHelp(
      "The column that decides the sizes of points and the widths of lines.", valueName: "column"))
  var sizeBy: String?

  @Option(help: ArgumentHelp("The column of the labels.", valueName: "column"))
  var label: String?

  @Option(
    help: ArgumentHelp(
      "The column whose values are the tracks that points are joined to.", valueName: "column"))
  var groupBy: String?

  @Option(
    help: ArgumentHelp(
      "The places to which the file, a table, is joined by the keys that both have.",
      valueName: "file"), completion: .file())
  var join: String?

  @Option(
    help: ArgumentHelp(
      "What stands for points that crowd: donuts of a column with 2 to 6 values, or hexagons; bubbles "
        + "by default. Or time: a map for each step of a column of instants.", valueName: "look"))
  var look: PipelineDraft.Look?

  @Option(
    help: ArgumentHelp("The first and the last zoom, such as 4-12.", valueName: "zooms"),
    transform: zoomRange)
  var zooms: ClosedRange<Int>?

  /// Returns the zooms of a text such as `4-12` or `12`.
  private static func zoomRange(_ text: String) throws -> ClosedRange<Int> {
    let numbers = text.split(separator: "-").map { Int($0) }
    guard let first = numbers.first ?? nil, let last = numbers.last ?? nil, numbers.count <= 2,
      first >= 0, first <= last, last <= TileCoord.maxZoom
    else {
      throw ValidationError("Zooms are two numbers from 0 to \(TileCoord.maxZoom), such as 4-12.")
    }
    return first...last
  }

  func add(to choices: inout PipelineDraft.Choices) {
    choices.geometry = geometry
    (choices.layer, choices.sheet, choices.encoding) = (layer, sheet, encoding)
    (choices.sizeBy, choices.label, choices.groupBy) = (sizeBy, label, groupBy)
    (choices.zooms, choices.join, choices.look) = (zooms, join, look)
  }
}

extension PipelineDraft.Look: ExpressibleByArgument {}

/// The current folder of the process.
enum CurrentFolder {
  /// Its absolute path; `/` where the system does not tell.
  static var path: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }
}
