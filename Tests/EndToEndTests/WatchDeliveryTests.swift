import Foundation
import TestSupport
import Testing

/// Notices reach a real notification server over D-Bus, a push server and a Web hook; buttons run commands.
@Suite struct WatchDeliveryTests {
    private static let server = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/notification_server.py")
        .path

    private func home() throws -> HelixHome {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        _ = try home.run("watch", "--once")
        _ = try home.run("cal", "add", "Meet <Ana> & Bo 2030-03-05 10:00", "--alarm", "15m")
        home.environment["HELIX_NOW"] = "2030-03-05T09:45:30"
        return home
    }

    @Test(arguments: [("Snooze", "snooze"), ("Dismiss", "dismiss")])
    func buttonsOfNotificationsRunCommands(_ button: String, _ verb: String) throws {
        let home = try home()
        let shown = try home.run(
            program: "/usr/bin/python3",
            [Self.server, button, "timeout", "-s", "KILL", "12", HelixHome.binary.path, "watch", "--no-sync"])
        let notification = try #require(
            try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any], "\(shown)")
        #expect(
            notification["summary"] as? String == "Meet <Ana> & Bo" && notification["body"] as? String == "at 10:00")
        #expect(notification["buttons"] as? [String] == ["Snooze", "Dismiss"])
        let history = try home.run("history").output
        #expect(history.contains("\(verb) 'Meet"), "\(history)")
        #expect(
            try home.run("reminders", "list", "--from", "2030-03-05", "--to", "2030-03-06").output.contains("09:55")
                == (verb == "snooze"))
    }

    @Test func aBusWithoutAServerIsSaidAndTheNoticeWaits() throws {
        let home = try home()
        home.environment["HELIX_NOTIFY_TERMINAL"] = "never"
        let failed = try home.run(
            program: "/usr/bin/dbus-run-session", ["--", HelixHome.binary.path, "watch", "--once"])
        #expect(failed.status != 0 && failed.errors.contains("notify-send cannot show notifications"), "\(failed)")
        #expect(try home.run("watch", "log").output.contains("not announced yet"))
        home.environment["HELIX_NOTIFY_TERMINAL"] = "auto"
        #expect(try home.run("watch", "--once").output.contains("Meet"))
    }

    @Test func pushServersAndWebHooksGetNotices() throws {
        let home = try home()
        let sink = try TestServer("notice_sink.py", ports: 1)
        let url = "http://127.0.0.1:\(sink.ports[0])"
        func requests() throws -> [[String: Any]] {
            let text =
                (try? String(contentsOf: sink.folder.appendingPathComponent("requests.jsonl"), encoding: .utf8)) ?? ""
            return try text.split(separator: "\n").compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }
        _ = try home.run("config", "set", "notify.push", "\(url)/topic")
        _ = try home.run("config", "set", "notify.push-token-command", "echo tk_secret")
        _ = try home.run("config", "set", "notify.webhook", "\(url)/fail")
        // The Web hook fails twice, and gets the notice at the third time.
        for minute in 46..<50 {
            home.environment["HELIX_NOW"] = "2030-03-05T09:\(minute):30"
            _ = try home.run("watch", "--once")
        }
        let all = try requests()
        let push = all.filter { $0["path"] as? String == "/topic" }
        #expect(push.count == 1)
        let headers = push.first?["headers"] as? [String: String]
        #expect(headers?["title"] == "Meet <Ana> & Bo" && headers?["authorization"] == "Bearer tk_secret", "\(all)")
        #expect(headers?["priority"] == "high" && (push.first?["body"] as? String)?.contains("at 10:00") == true)
        let hooks = all.filter { $0["path"] as? String == "/fail" }
        #expect(hooks.map { $0["failed"] as? Bool } == [true, true, false])
        let body = try #require(hooks.last?["body"] as? String)
        let notice = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        #expect(notice?["kind"] as? String == "reminder" && notice?["time"] as? String == "2030-03-05T09:45:00Z")
        // A server that is away keeps the notice for later.
        home.environment["HELIX_NOTIFY_TERMINAL"] = "never"
        _ = try home.run("config", "set", "notify.push", "\(url)/refuse")
        _ = try home.run("tasks", "add", "Tea", "--due", "2030-03-05 9:55")
        home.environment["HELIX_NOW"] = "2030-03-05T09:55:30"
        let refused = try home.run("watch", "--once")
        #expect(refused.status != 0 && refused.errors.contains("HTTP 500"), "\(refused)")
        _ = try home.run("config", "set", "notify.push", "\(url)/topic")
        #expect(try home.run("watch", "--once").status == 0)
        #expect(try requests().filter { $0["path"] as? String == "/topic" }.count == 2)
    }

    /// A watch that is killed at any moment announces what it has not announced, and no hook is left out.
    @Test func killedWatchesLoseNothing() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        let file = home.folder.appendingPathComponent("got").path
        _ = try home.run("config", "set", "hooks.task-done", "sleep 0.05; cat >> '\(file)'")
        _ = try home.run("watch", "--once")
        for number in 0..<20 { _ = try home.run("tasks", "add", "Job \(number)") }
        _ = try home.run("tasks", "done", "text:Job")
        for round in 1...8 {
            _ = try home.run(
                program: "/usr/bin/timeout", ["-s", "KILL", "0.\(round)", HelixHome.binary.path, "watch", "--once"])
        }
        #expect(try home.run("watch", "--once").status == 0)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let numbers = lines.compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["notice"] as? Int
        }
        // In order, and each at least once: the one at which it was killed may come twice.
        #expect(Set(numbers).count == 20 && numbers == numbers.sorted(), "\(numbers)")
        #expect(try home.run("doctor").status == 0)
    }
}
