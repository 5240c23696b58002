import ArgumentParser

/// The commands that can be created without the argument parser, with no options or only the most usual ones.
///
/// The parser takes 2 ms of a program that takes 8, and even looking one up in the tree of commands takes 1: these are the
/// most frequent commands, also in prompts and scripts. A test runs each of them both ways.
enum PlainForms {
    /// The command that the arguments name, if it has a plain form.
    static func command(_ arguments: [String]) -> (any HelixCommand)? {
        guard let found = type(arguments) else { return nil }
        let takesFlag = { (word: String) in
            var (output, list) = (OutputOptions.unset, ListOptions.unset)
            return output.take(word, nil) || list.take(word, nil)
        }
        var words: [String] = []
        var options: [(name: String, value: String?)] = []
        var rest = arguments.dropFirst(found.count)
        while let word = rest.popFirst() {
            guard word.hasPrefix("-") else {
                words.append(word)
                continue
            }
            if let place = word.firstIndex(of: "="), word.hasPrefix("--") {
                let value = String(word[word.index(after: place)...])
                if value.isEmpty { return nil }
                options.append((String(word[..<place]), value))
            } else if found.type.plainFlags.contains(word) || takesFlag(word) {
                options.append((word, nil))
            } else {
                guard word.hasPrefix("--"), word.count > 2, let value = rest.popFirst(), !value.hasPrefix("-") else {
                    return nil
                }
                options.append((word, value))
            }
        }
        guard var command = found.type.plain(words) else { return nil }
        for (name, value) in options where !take(name, value, of: &command) { return nil }
        // The parser words what is wrong.
        guard options.isEmpty || isValid(command) else { return nil }
        return command
    }

    private static func take(_ name: String, _ value: String?, of command: inout any HelixCommand) -> Bool {
        if let value {
            return command.take(name, value) || command.output.take(name, value) || command.take(list: name, value)
        }
        if Swift.type(of: command).plainFlags.contains(name) {
            command.take(flag: name)
            return true
        }
        return command.output.take(name, nil) || command.take(list: name, nil)
    }

    private static func isValid(_ command: any HelixCommand) -> Bool {
        do {
            try command.output.validate()
            try command.listOptions?.validate()
            var command = command
            try command.validate()
            return true
        } catch { return false }
    }

    /// The command that the first words name, and the number of these words.
    static func type(_ arguments: [String]) -> (type: any HelixCommand.Type, count: Int)? {
        guard let noun = arguments.first else { return nil }
        if let type = single(noun) { return (type, 1) }
        guard arguments.count > 1 else { return nil }
        if noun == "mail", arguments[1] == "search", arguments.count > 2, MailSearch.verbs.contains(arguments[2]) {
            return nil
        }
        return type(noun, arguments[1]).map { ($0, 2) }
    }

    /// Whether a word is a noun or a command, without a look-up in the tree.
    static func isNoun(_ word: String) -> Bool {
        switch word {
        case "cal", "mail", "tasks", "time", "projects", "chat", "today", "status", "search", "show", "undo", "sync",
            "ui":
            true
        default: false
        }
    }

    private static func single(_ name: String) -> (any HelixCommand.Type)? {
        switch name {
        case "today": Today.self
        case "status": Status.self
        case "search": Search.self
        case "ui": UICommand.self
        default: nil
        }
    }

    private static func type(_ noun: String, _ verb: String) -> (any HelixCommand.Type)? {
        switch (noun, verb) {
        case ("cal", "week"): CalWeek.self
        case ("cal", "day"): CalDay.self
        case ("cal", "month"): CalMonth.self
        case ("cal", "agenda"): CalAgenda.self
        case ("cal", "add"): CalAdd.self
        case ("cal", "search"): CalSearch.self
        case ("cal", "conflicts"): CalConflicts.self
        case ("mail", "list"): MailList.self
        case ("mail", "inbox"): MailInbox.self
        case ("mail", "unread"): MailUnread.self
        case ("mail", "search"): MailSearchRun.self
        case ("mail", "read"): MailRead.self
        case ("chat", "list"): ChatList.self
        case ("chat", "show"): ChatShow.self
        case ("chat", "send"): ChatSend.self
        case ("chat", "read"): ChatRead.self
        case ("chat", "search"): ChatSearch.self
        case ("tasks", "list"): TasksList.self
        case ("tasks", "next"): TasksNext.self
        case ("tasks", "search"): TasksSearch.self
        case ("tasks", "add"): TasksAdd.self
        case ("tasks", "edit"): TasksEdit.self
        case ("tasks", "done"): TasksDone.self
        case ("tasks", "move"): TasksMove.self
        case ("tasks", "board"): TasksBoard.self
        case ("time", "start"): TimeStart.self
        case ("time", "stop"): TimeStop.self
        case ("time", "status"): TimeStatus.self
        case ("time", "log"): TimeLog.self
        case ("time", "report"): TimeReport.self
        default: nil
        }
    }
}
