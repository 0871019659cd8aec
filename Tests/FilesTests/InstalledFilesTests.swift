import Testing

@testable import Files

@Suite("The files installed with the program")
struct InstalledFilesTests {
  @Test(
    "the shared files of a program lie beside its bin",
    arguments: [
      ("/usr/local/bin/quadrille", "/usr/local/share/quadrille"),
      ("/bin/quadrille", "/share/quadrille"),
      ("/home/me/tools 1/bin/quadrille-preview", "/home/me/tools 1/share/quadrille"),
    ])
  func folder(program: String, expected: String) {
    #expect(InstalledFiles.folder(ofProgram: program) == expected)
  }

  @Test("the program's own folder is known")
  func own() {
    #expect(InstalledFiles.folder?.hasSuffix("/share/quadrille") == true)
  }
}
