import Foundation

/// The parts of the system that vaults need, and no package can install.
public enum VaultSite {
    /// Whether the system shows file systems of programs (FUSE): a vault is tried. True without gocryptfs, which a test misses.
    public static let hasFUSE: Bool = {
        let script = """
            command -v gocryptfs > /dev/null || exit 0
            folder=$(mktemp -d)
            mkdir "$folder/cipher" "$folder/view"
            echo word | gocryptfs -init -q -scryptn 10 -passfile /dev/stdin "$folder/cipher" > /dev/null 2>&1
            echo word | gocryptfs -q -passfile /dev/stdin "$folder/cipher" "$folder/view" > /dev/null 2>&1
            status=$?
            fusermount3 -u "$folder/view" 2> /dev/null
            rm -rf "$folder"
            exit $status
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["-s", "KILL", "30", "sh", "-c", script]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Whether the tests may make a user, for the system's login.
    public static var isAdministrator: Bool { getuid() == 0 }
}
