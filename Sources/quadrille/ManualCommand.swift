import ArgumentParser
import Foundation
import Runs

/// The hidden command `quadrille manual`, by which `make install` writes the page of `man`.
struct ManualCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page.", shouldDisplay: false)

  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    let page: ManualPage
    do {
      page = try ManualPage(help: Data(Quadrille._dumpHelp().utf8))
    } catch {
      throw PipelineError(.bug, "the description of the commands cannot be read.")
    }
    try session.terminal.write(Array(page.text.utf8))
  }
}
