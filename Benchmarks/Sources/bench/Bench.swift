import Foundation

/// Measures the release build and prints tables for docs/speed.md.
@main
struct Bench {
  static func main() {
    do {
      let settings = try Settings(arguments: Array(CommandLine.arguments.dropFirst()))
      try run(settings)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ settings: Settings) throws {
    let workshop = try Workshop(settings)
    let load = Machine.load ?? 0
    // A quarter of a core is what a desktop or an agent in the background takes.
    let isQuiet = load < 0.25
    if !isQuiet {
      workshop.tell("the machine is busy (load \(load)): wall times will be too long.")
    }
    var measurements = Measurements(workshop: workshop, settings: settings)
    var tables = try measurements.run()
    if settings.parts.contains(.peers) {
      let pairing = Pairing(workshop: workshop, runs: settings.runs)
      if let table = try pairing.run() { tables.append(table) }
    }
    var note = "\(Machine.description); median of \(settings.runs) runs (smallest–largest)"
    if !isQuiet { note += "; other work was running, so wall times are too long" }
    let arguments = CommandLine.arguments.dropFirst().map { " \($0)" }.joined()
    print("\(note). Reproduce with `Benchmarks/run\(arguments)`.\n")
    print(tables.joined(separator: "\n\n"))
  }
}
