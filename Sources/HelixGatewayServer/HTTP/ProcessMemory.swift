import CMemory
import FoundationEssentials
import Glibc

/// The memory usage of the gateway's process, in bytes.
struct ProcessMemory {
    /// The resident memory, as the system counts it; nil if unknown.
    let resident: Int?
    /// The allocated memory; nil if the C library does not report it.
    let allocated: Int?

    /// The current usage.
    static var now: ProcessMemory {
        // proc_pid_statm(5): the second number is the resident pages.
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        let allocated = helix_memory_in_use()
        return ProcessMemory(resident: resident, allocated: allocated > 0 ? Int(allocated) : nil)
    }
}
