import Glibc
import HelixTerminal

extension CommandContext {
    /// Starts the watch in the background, if the settings say so, it does not run, and it could tell people without a terminal.
    ///
    /// Only commands at a terminal do, and none of an agent. `HELIX_BACKGROUND=off` prevents it.
    func startWatch() {
        guard configuration.bool(.watchAutostart), invocation.ownsProcess, invocation.agent == nil,
            console.isOutputTerminal, environment["HELIX_BACKGROUND"] != "off", access(paths.store, F_OK) == 0,
            !WatchLock.isHeld(beside: paths.store),
            DesktopChannel.isThere(environment)
                || configuration.text(.notifyPush)?.isEmpty == false || !HookRunner.kinds(configuration).isEmpty
        else { return }
        ChildProcess.detach(["watch", "run", "--quiet"])
    }
}
