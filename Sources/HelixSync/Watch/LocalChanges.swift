import FoundationEssentials
import Glibc
import HelixModel
import HelixNetwork
import HelixStore

/// Detects changes in the store, except those of a sync.
final class LocalChanges {
    /// Becomes readable when the store's files change.
    let descriptor: Int32
    private let path: String
    private var last: Int64 = -1

    init(_ path: String) {
        self.path = path
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        let folder = path.deletingLastPathComponent
        if descriptor >= 0 { inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY) | UInt32(IN_CREATE)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Ignores all changes up to now.
    func settle() {
        drain()
        last = newest()
    }

    /// Whether there is a new change.
    ///
    /// A file is written before its content can be read: SQLite publishes the commit in shared memory, without a file event.
    /// After a write this checks again for a second.
    func isNews() -> Bool {
        for pause in [0, 2, 5, 10, 20, 40, 80, 160, 320, 400] {
            usleep(UInt32(pause) * 1000)
            drain()
            if newest() != last { return true }
        }
        return false
    }

    /// Waits for a new change, or for the timeout.
    func wait(seconds: Int) { wait(milliseconds: seconds * 1000) }

    /// Waits for a new change, or for the timeout.
    /// - Parameter alsoNetwork: whether a network change ends it, too.
    func wait(milliseconds: Int, alsoNetwork: Bool = false) {
        let network = alsoNetwork ? NetworkChanges.open() : -1
        defer { if network >= 0 { close(network) } }
        let end = Date().addingTimeInterval(Double(milliseconds) / 1000)
        while true {
            let left = end.timeIntervalSinceNow
            if left <= 0 { return }
            var places = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: network, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&places, 2, Int32(min(left, 3600) * 1000) + 1) > 0 else { continue }
            if places[1].revents != 0 { return }
            if isNews() { return }
        }
    }

    private func newest() -> Int64 { (try? Store(path: path, now: Instant(0)).newestChange()) ?? last }

    private func drain() {
        var bytes = [UInt8](repeating: 0, count: 8192)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
