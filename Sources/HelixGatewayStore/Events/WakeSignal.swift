import Glibc

/// A signal that wakes a thread, and is remembered until the thread waits.
///
/// `@unchecked`: a semaphore is made for several threads.
final class WakeSignal: @unchecked Sendable {
    private let value = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(value, 0, 0) }

    deinit {
        sem_destroy(value)
        value.deallocate()
    }

    func signal() { sem_post(value) }
    func wait() { while sem_wait(value) != 0, errno == EINTR {} }
}
