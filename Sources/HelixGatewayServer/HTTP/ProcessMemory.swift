import CMemory
import Foundation

/// How much memory the gateway's process takes, in bytes.
struct ProcessMemory {
    /// What is resident, as the system counts it; nil where it does not say.
    let resident: Int?
    /// What is allocated and not given back; nil where the C library does not say.
    let allocated: Int?

    /// What it is now.
    static var now: ProcessMemory {
        // proc_pid_statm(5): the second number is the resident pages.
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        let allocated = helix_memory_in_use()
        return ProcessMemory(resident: resident, allocated: allocated > 0 ? Int(allocated) : nil)
    }
}
