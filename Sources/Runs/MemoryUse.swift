import Platform

/// The memory that the process holds, in bytes.
package struct MemoryUse: Hashable, Sendable {
  /// Memory of the process alone, which the system can only move to swap. On macOS its physical
  /// footprint.
  package var anonymous = 0

  /// Resident pages of files: the archive, caches, inputs and scratch files that are mapped. The
  /// system takes them back when it needs room.
  package var mapped = 0

  package init(anonymous: Int = 0, mapped: Int = 0) {
    self.anonymous = anonymous
    self.mapped = mapped
  }

  /// Returns the maximum of both uses, number by number.
  package func maximum(_ other: MemoryUse) -> MemoryUse {
    var maximum = self
    maximum.formMaximum(other)
    return maximum
  }

  /// Replaces each number by the one of another use if that is greater.
  package mutating func formMaximum(_ other: MemoryUse) {
    anonymous = max(anonymous, other.anonymous)
    mapped = max(mapped, other.mapped)
  }
}

/// A reader of the process's ``MemoryUse``, which opens its file once.
struct MemoryGauge: ~Copyable {
  #if os(Linux)
    private let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)

    deinit {
      if file >= 0 { close(file) }
    }

    /// The present use; zeros where the system does not report it.
    var use: MemoryUse {
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(file, $0.baseAddress, $0.count, 0)
      }
      // Pages: all, resident, of these those of files (proc(5)).
      let pages = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " ")).prefix(3).map {
        Int(String(decoding: $0, as: UTF8.self)) ?? 0
      }
      guard pages.count == 3 else { return MemoryUse() }
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      return MemoryUse(anonymous: max(0, pages[1] - pages[2]) * page, mapped: pages[2] * page)
    }
  #elseif canImport(Darwin)
    /// The present use; zeros where the system does not report it.
    var use: MemoryUse {
      var usage = rusage_info_v4()
      let status = unsafe withUnsafeMutablePointer(to: &usage) {
        unsafe $0.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
          unsafe proc_pid_rusage(getpid(), RUSAGE_INFO_V4, $0)
        }
      }
      guard status == 0 else { return MemoryUse() }
      let (own, resident) = (Int(usage.ri_phys_footprint), Int(usage.ri_resident_size))
      return MemoryUse(anonymous: own, mapped: max(0, resident - own))
    }
  #else
    var use: MemoryUse { MemoryUse() }
  #endif
}
