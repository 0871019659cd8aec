/// The version of this program, as written by `--version` and into archives.
package enum PipelineVersion {
  package static let current = "0.2.0"
}
