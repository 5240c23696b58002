import Foundation
import TestSupport
import Testing

/// An agent with a shell: the profile of a process above holds whatever the agent does with its own environment.
@Suite struct AgentConfinementTests {
    private func shell(_ home: HelixHome, _ script: String) throws -> HelixHome.Result {
        try home.run(program: "/bin/sh", ["-c", script.replacingOccurrences(of: "helix", with: "\"$HELIX\"")])
    }

    private func home() throws -> HelixHome {
        let home = try HelixHome()
        home.environment["HELIX"] = HelixHome.binary.path
        _ = try home.run("tasks", "add", "Plan")
        _ = try home.run("config", "set", "agent.wide.change", "all")
        home.environment["HELIX_AS"] = "read-only"
        return home
    }

    @Test func theEnvironmentOfAnAgentDoesNotFreeIt() throws {
        let home = try home()
        for script in [
            "helix tasks add x; exit $?", "env -u HELIX_AS helix tasks add x; exit $?",
            "HELIX_AS= helix tasks add x; exit $?",
            "HELIX_AS=wide helix tasks add x; exit $?", "helix --as wide tasks add x; exit $?",
            "env -i HOME=$HOME HELIX_HOME=$HELIX_HOME helix tasks add x; exit $?",
            "unset HELIX_AS; sh -c 'helix --as wide tasks add x; exit $?'; exit $?",
            "unset HELIX_AS; (helix tasks add x; exit $?) | cat; helix tasks add x; exit $?",
            "unset HELIX_AS; timeout 9 setsid -w helix tasks add x; exit $?",
        ] {
            let result = try shell(home, script)
            #expect(result.status == 77, "\(script): \(result.output)\(result.errors)")
        }
        home.environment["HELIX_AS"] = nil
        #expect(try home.run("tasks", "list", "--ids").output.split(separator: "\n").count == 1)
    }

    @Test func commandsOfOneAgentAreOneRun() throws {
        let home = try home()
        home.environment["HELIX_AS"] = "wide"
        _ = try shell(home, "helix tasks add one; sh -c 'helix tasks add two; true'; true")
        _ = try shell(home, "helix tasks add three; true")
        home.environment["HELIX_AS"] = nil
        let runs = try home.run("history", "--by", "wide", "--json").items().compactMap { $0["run"] as? String }
        #expect(runs.count == 3 && Set(runs).count == 2, "\(runs)")
        let run = try #require(runs.last)
        #expect(try home.run("undo", "--run", run).status == 0)
        let left = try home.run("tasks", "list").output
        #expect(left.contains("three") && !left.contains("one") && !left.contains("two"), "\(left)")
    }

    /// The completion of a shell shows an agent no more than a list does.
    @Test func completionIsConfined() throws {
        let home = try home()
        home.environment["HELIX_AS"] = nil
        _ = try home.run("config", "set", "agent.wide.read", "calendar")
        home.environment["SAP_SHELL"] = "zsh"
        let words = ["---completion", "tasks", "show", "--", "positional@0", "3", "0", "helix", "tasks", "show", ""]
        #expect(try home.run(words).output.contains("Plan"))
        for profile in ["wide", "nobody"] {
            home.environment["HELIX_AS"] = profile
            let confined = try home.run(words)
            #expect(!confined.output.contains("Plan"), "\(profile): \(confined.output)")
        }
    }
}
