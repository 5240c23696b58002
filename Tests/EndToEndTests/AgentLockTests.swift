import Foundation
import TestSupport
import Testing

/// An agent with proposals keeps nobody from the store, however slowly it is fed and read.
@Suite struct AgentLockTests {
    @Test func aProposingAgentDoesNotWaitWithTheStoreLocked() throws {
        let home = try HelixHome()
        for words in [["agent.w.change", "all"], ["agent.w.changes", "propose"]] {
            try home.run(["config", "set"] + words)
        }
        try home.run("--as", "w", "tasks", "add", "pending")
        let text = home.folder.appendingPathComponent("e.ics").path
        try Data(
            "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:u\nDTSTAMP:20260101T000000Z\nDTSTART:20301128T140000Z\nSUMMARY:Fed\nEND:VEVENT\nEND:VCALENDAR\n"
                .utf8
        ).write(to: URL(fileURLWithPath: text))
        // What it reads comes after the person's change, and what it writes is read after another one.
        let script = """
            mkfifo "$0/in" "$0/out"
            "$1" --as w cal import - < "$0/in" > /dev/null 2>&1 &
            exec 3> "$0/in"
            "$1" tasks add one || exit 1
            cat "$2" >&3
            exec 3>&-
            wait
            "$1" --as w tasks list --json --limit all > "$0/out" 2> /dev/null &
            exec 4< "$0/out"
            "$1" tasks add two || exit 2
            cat <&4
            wait
            """
        for number in 0..<40 {
            try home.run("tasks", "add", "\(number) " + String(repeating: "words ", count: 300))
        }
        let result = try home.run(
            program: "/bin/sh", ["-c", script, home.folder.path, HelixHome.binary.path, text])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("\"39 words") && result.output.contains("\"pending\""))
        #expect(try home.run("--as", "w", "cal", "agenda", "2030-11-28").output.contains("Fed"))
        #expect(try home.run("--as", "w", "chat", "follow").status == 77)
        #expect(try home.run("tasks", "list").output.contains("two"))
    }
}
