import ArgumentParser

@main
struct Quadrille: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "quadrille")
}
