import Runs
import Testing

@testable import Shards

@Suite("The number of a shard")
struct ShardNumberTests {
  @Test(
    "@env takes the number from each engine's variables",
    arguments: [
      (
        [
          "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "2",
          "SLURM_ARRAY_TASK_COUNT": "9",
        ], 3
      ),
      (
        [
          "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_STEP": "1",
          "SLURM_ARRAY_TASK_COUNT": "9",
        ], 0
      ),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "8"], 8),
      (["JOB_COMPLETION_INDEX": "5"], 5),
      (["BATCH_TASK_INDEX": "4", "BATCH_TASK_COUNT": "9"], 4),
      (["CLOUD_RUN_TASK_INDEX": "2", "CLOUD_RUN_TASK_COUNT": "9"], 2),
      (["PBS_ARRAY_INDEX": "6"], 6),
      (["SGE_TASK_ID": "1", "SGE_TASK_LAST": "9"], 0),
      (["SGE_TASK_ID": "undefined", "LSB_JOBINDEX": "3"], 2),
      (["LSB_JOBINDEX": "0", "PARALLEL_SEQ": "9"], 8),
      (["OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "9"], 1),
      (["PMI_RANK": "1", "PMI_SIZE": "9"], 1),
      (["PARALLEL_SEQ": "1"], 0),
    ])
  func engines(_ variables: [String: String], _ expected: Int) throws {
    #expect(
      try ShardNumber.parse("@env", count: 9, environment: { variables[$0] }) == expected)
  }

  @Test(
    "@env refuses another number of jobs, no engine, and numbers that are none",
    arguments: [
      [:], ["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "8"],
      ["AWS_BATCH_JOB_ARRAY_INDEX": "x"], ["PARALLEL_SEQ": "0"],
      ["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "2"],
    ])
  func refusals(_ variables: [String: String]) {
    #expect {
      try ShardNumber.parse("@env", count: 9, environment: { variables[$0] })
    } throws: { error in
      (error as? PipelineError)?.exitCode == 64
    }
  }

  @Test("a number is taken as it is, other text is refused")
  func numbers() throws {
    #expect(try ShardNumber.parse("3", count: 9, environment: { _ in "7" }) == 3)
    for text in ["-1", "", "a", "1.5", "@environment"] {
      #expect(throws: PipelineError.self) {
        try ShardNumber.parse(text, count: 9, environment: { _ in "7" })
      }
    }
  }
}
