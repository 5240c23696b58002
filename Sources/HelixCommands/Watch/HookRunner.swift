import FoundationEssentials
import Glibc
import HelixModel
import HelixNetwork
import HelixStore
import HelixSystem
import HelixTerminal

/// Runs the hooks of notices, in the order in which things happened: each gets its notice as JSON on standard input, at least once.
struct HookRunner {
    let context: CommandContext
    let store: Store

    /// The program of util-linux that ends a program when its parent dies.
    private static let guardian = "/usr/bin/setpriv"

    /// The most hooks of one look, so that people are told in between.
    private static let limit = 100

    /// The kinds of notices that have a hook.
    static func kinds(_ configuration: Configuration) -> Set<Notice.Kind> {
        let all = Notice.Kind.allCases
        // Each notice for people goes to the Web hook.
        let hasWebhook = configuration.text(.notifyWebhook)?.isEmpty == false
        return Set(
            all.filter { kind in
                ConfigurationKey.hook(kind).flatMap { configuration.text($0) }?.isEmpty == false
                    || hasWebhook && kind.isForPeople
            })
    }

    /// Runs the hooks that are due.
    /// - Returns: the number of notices whose hooks ran.
    /// - Throws: ``HelixError`` for errors of the store; a hook that fails is in the log.
    func run() throws -> Int {
        var count = 0
        for notice in try store.unhookedNotices(limit: HookRunner.limit) {
            let problem = problem(notice)
            let isGivenUp = try store.markHooked(notice, problem: problem)
            if let problem {
                context.note(
                    StyledText(
                        "the hook of \(notice.kind.rawValue) failed: \(problem)"
                            + (isGivenUp ? "; it is given up." : "; it is tried again."), TextStyle(.yellow)))
                // The next ones wait for it, until it is given up.
                if !isGivenUp { break }
            }
            count += 1
        }
        return count
    }

    /// Runs the hooks of a notice.
    /// - Returns: the problem; nil if all went well.
    private func problem(_ notice: Notice) -> String? {
        var json = JSONObject()
        json.set("schema", NoticeReport.schema)
        for field in NoticeItem(notice: notice).json(for: context.viewer).fields { json.set(field.name, field.value) }
        let text = JSONValue.object(json).text() + "\n"
        if let command = ConfigurationKey.hook(notice.kind).flatMap({ context.configuration.text($0) }),
            !command.isEmpty,
            let problem = run(command, text)
        {
            return problem
        }
        guard notice.kind.isForPeople, let address = context.configuration.text(.notifyWebhook), !address.isEmpty,
            let url = URL(address: address)
        else { return nil }
        do {
            let http = try HTTPClient(url, user: "", credential: .none, authorities: nil, patience: 20)
            let answer = try http.request(
                "POST", url, headers: ["Content-Type: application/json"], body: Array(text.utf8)
            ).answer
            return answer.isGood ? nil : "\(url.host ?? address) answered with HTTP \(answer.status)"
        } catch { return (error as? HelixError)?.message ?? "\(error)" }
    }

    /// Runs a command within its time limit.
    private func run(_ command: String, _ input: String) -> String? {
        let limit = context.configuration.text(.hookTimeout).flatMap { try? context.dates.duration($0) } ?? 30
        do {
            // It ends all processes of the hook, not only the shell; and a hook ends with a watch that is killed, since the next
            // one runs it again.
            let limited = ["timeout", "-k", "5", "\(max(limit, 1))", "/bin/sh", "-c", command]
            let words =
                access(HookRunner.guardian, X_OK) == 0
                ? [HookRunner.guardian, "--pdeathsig", "TERM"] + limited : limited
            let process = try Subprocess(
                words[0], Array(words.dropFirst()), input: .pipe, output: .null, errors: .pipe)
            // A hook that does not read is no failure.
            try? process.input?.write(Array(input.utf8))
            try? process.input?.close()
            let errors = process.readOutput(within: Double(limit) + 10, errors: true) ?? []
            let status = process.wait()
            if status == 0 { return nil }
            if status == 124 || status == 137 { return "it ran longer than \(limit) s" }
            let last = String(decoding: errors.suffix(4000), as: UTF8.self).split(whereSeparator: \.isNewline).last
            return "status \(status)" + (last.map { ": " + SafeText.line(String($0.prefix(200))) } ?? "")
        } catch { return "it cannot be run (\(error.systemReason))" }
    }
}
