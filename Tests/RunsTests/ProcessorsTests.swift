import Testing

@testable import Runs

@Suite("The number of processors")
struct ProcessorsTests {
  @Test("the least of the limits counts, but never less than one processor")
  func limits() {
    #expect(Processors.limited(8, by: [nil, 4, 6]) == 4)
    #expect(Processors.limited(8, by: [nil, nil]) == 8)
    #expect(Processors.limited(2, by: [64]) == 2)
    #expect(Processors.limited(4, by: [0, -3]) == 4)
    #expect(Processors.limited(0, by: []) == 1)
    #expect(Processors.available >= 1)
  }

  @Test(
    "the affinity mask of a process is counted",
    arguments: [
      ("Name:\tx\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n", 2),
      ("Cpus_allowed:\t0000000f,ffffffff\n", 36), ("Cpus_allowed:\t00000100\n", 1),
      ("Cpus_allowed:\tx\n", nil), ("", nil),
    ] as [(String, Int?)])
  func affinity(_ status: String, _ expected: Int?) {
    #expect(Processors.affinity(status: status) == expected)
  }

  @Test(
    "the quota of the innermost and of outer control groups is found, rounded up",
    arguments: [
      ("0::/a/b\n", ["/sys/fs/cgroup/a/b/cpu.max": "150000 100000\n"], 2),
      ("0::/a/b\n", ["/sys/fs/cgroup/a/cpu.max": "100000 100000"], 1),
      (
        "0::/a/b\n",
        ["/sys/fs/cgroup/a/cpu.max": "300000 100000", "/sys/fs/cgroup/a/b/cpu.max": "max 100000"],
        3
      ),
      ("0::/\n", ["/sys/fs/cgroup/cpu.max": "50000 100000\n"], 1),
      (
        "3:cpu,cpuacct:/job\n1:memory:/x\n",
        [
          "/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us": "400000\n",
          "/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us": "100000\n",
        ], 4
      ),
      (
        "3:cpu:/\n",
        [
          "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
          "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        ], nil
      ),
      ("0::/\n", ["/sys/fs/cgroup/cpu.max": "max 100000\n"], nil),
      ("0::/\n", ["/sys/fs/cgroup/cpu.max": "1e300 1\n"], nil),
      ("0::/\n", ["/sys/fs/cgroup/cpu.max": "1 0\n"], nil),
      ("nonsense", ["/sys/fs/cgroup/cpu.max": "1 1"], nil),
      ("", [:], nil),
    ] as [(String, [String: String], Int?)])
  func quota(_ groups: String, _ files: [String: String], _ expected: Int?) {
    #expect(Processors.quota(groups: groups) { files[$0] } == expected)
  }
}
