/// The version of this program, as `--version` and archives tell it.
package enum PipelineVersion {
  package static let current = "0.2.0"
}
