import HelixModel
import HelixStore
import HelixTerminal

extension MailPlace {
    var target: UITarget {
        var target = UITarget()
        if let draft {
            (target.id, target.ids) = (draft.text, [draft.text])
            target.values["now"] = sendsNow ? "--now" : ""
            for name in ["to", "cc", "subject"] { target.values[name] = reader?.fields[name] ?? "" }
            return target
        }
        let place = rows.place(list.cursor)
        if let id = isReading ? reader?.id : place?.id { target.id = id.text }
        if let place, items[place.number]?.message.flags.contains(.draft) == true {
            target.values["draft"] = place.id.text
        }
        if !isReading, !marked.isEmpty {
            // Marks may lie in a part of the list that is not read yet: they count all the same.
            let listed = rows.places.filter { marked.contains($0.id) }.map(\.id)
            target.ids = (listed + marked.subtracting(listed).sorted()).map(\.text)
        } else if isReading, let id = reader?.id {
            target.ids = [id.text]
        } else {
            target.ids = rows.ids(of: list.cursor).map(\.text)
        }
        return target
    }

    mutating func press(_ motion: UIMotion) -> UIAnswer {
        if draft != nil { return pressInReview(motion) }
        return isReading ? pressInReader(motion) : pressInList(motion)
    }

    private mutating func pressInReview(_ motion: UIMotion) -> UIAnswer {
        guard motion == .back else {
            _ = reader?.text.move(motion)
            return .none
        }
        (draft, reader) = (nil, nil)
        resize(width: width, height: height)
        return .loadTelling("Kept as a draft.")
    }

    private mutating func pressInList(_ motion: UIMotion) -> UIAnswer {
        if list.move(motion) { return .load }
        switch motion {
        case .open: return openReader()
        case .mark:
            for id in rows.ids(of: list.cursor) where marked.remove(id) == nil { marked.insert(id) }
            list.go(to: list.cursor + 1)
            return .load
        case .unmark: marked = []
        case .markPattern: return .ask(.pattern, question: "Mark:", initial: "")
        case .search:
            if typed.isEmpty { beforeSearch = rows.place(list.cursor)?.id }
            return .ask(.search, question: "/", initial: typed)
        case .foldAll:
            let chosen = rows.place(list.cursor)?.id
            rows.isFolded.toggle()
            list.count = rows.rows.count
            list.go(to: chosen.flatMap { rows.row(of: $0) } ?? 0)
            return .load
        case .fold:
            guard rows.isFolded else { return .refused("Conversations are not folded; X folds them.") }
            rows.toggle(list.cursor)
            list.count = rows.rows.count
            list.settle()
            return .load
        case .preview:
            preview = preview == .none ? .below : preview == .below ? .beside : .none
            resize(width: width, height: height)
            return .load
        case .boxes:
            wantsBoxes = true
            return .load
        case .triage:
            guard !rows.rows.isEmpty else { return .refused("There is nothing to triage.") }
            isTriage = true
            return openReader()
        case .back:
            if !marked.isEmpty {
                marked = []
                return .none
            }
            if !typed.isEmpty {
                typed = ""
                return .load
            }
            if source != .inbox {
                source = .inbox
                return .load
            }
            return .leave
        default: break
        }
        return .none
    }

    private mutating func openReader() -> UIAnswer {
        guard rows.place(list.cursor) != nil else { return .refused("There is no message.") }
        (isReading, reader) = (true, nil)
        return .load
    }

    private mutating func pressInReader(_ motion: UIMotion) -> UIAnswer {
        switch motion {
        case .back:
            (isReading, isTriage) = (false, false)
            reader = nil
            resize(width: width, height: height)
            return .load
        case .pageDown where reader?.text.isAtEnd == true: return step(1)
        case .next: return step(1)
        case .previous: return step(-1)
        case .fold:
            guard reader?.isPartial == false else { return .none }
            (showsQuotes, readerTop, reader) = (!showsQuotes, reader?.text.top ?? 0, nil)
            return .load
        case .links:
            guard let links = reader?.links, !links.isEmpty else { return .refused("The message has no links.") }
            return .choose(
                UIChooser(
                    "Links",
                    links.enumerated().map { place, address in
                        UIChooser.Choice(
                            name: "\(place + 1) \(address)",
                            effect: .call(
                                UICall(
                                    words: ["mail", "open", reader?.id.text ?? "", "--link", "\(place + 1)"],
                                    needsTerminal: true)))
                    }))
        default: _ = reader?.text.move(motion)
        }
        return .none
    }

    /// Goes to another message.
    private mutating func step(_ count: Int) -> UIAnswer {
        // The cursor is on the message after one that is gone.
        let next = list.cursor + (isReaderGone && count > 0 ? count - 1 : count)
        guard rows.rows.indices.contains(next) else {
            if isTriage, count > 0 {
                (isReading, isTriage, reader) = (false, false, nil)
                resize(width: width, height: height)
                return .refused("That was the last message.")
            }
            return .refused(count > 0 ? "This is the last message." : "This is the first message.")
        }
        list.go(to: next)
        reader = nil
        return .load
    }

    mutating func take(text: String?, for purpose: UIPurpose, isFinal: Bool) -> UIAnswer {
        switch purpose {
        case .search:
            typed = text ?? ""
            isTyping = !isFinal
            isAccepted = isFinal && typed.last.map { $0.isLetter || $0.isNumber } ?? false
            // The letter is seen at once, and searched when no other one follows.
            isSearchPending = isTyping
            return isTyping ? .none : .load
        case .pattern:
            guard isFinal, let text, !text.trimmingBlanks().isEmpty else { return .none }
            pattern = text
            return .load
        default: return .none
        }
    }

    mutating func take(_ mouse: MouseEvent) -> UIAnswer {
        if isReading || draft != nil || preview != .none && readerArea.contains(x: mouse.x, y: mouse.y) {
            if mouse.kind == .wheelDown { _ = reader?.text.move(.down) }
            if mouse.kind == .wheelUp { _ = reader?.text.move(.up) }
            return .none
        }
        switch mouse.kind {
        case .wheelDown: return pressInList(.down)
        case .wheelUp: return pressInList(.up)
        case .press:
            let row = list.top + mouse.y - listArea.y
            guard list.shown.contains(row) else { return .none }
            if row == list.cursor { return openReader() }
            list.go(to: row)
            return .load
        case .drag, .release: return .none
        }
    }

    /// The mailboxes and saved searches to choose from.
    func choices(_ store: Store) throws -> [UIChooser.Choice] {
        let boxes = try store.mailboxes()
        var choices = [UIChooser.Choice(name: "Inbox", detail: "all inboxes", effect: .open(.inbox))]
        choices += boxes.map { box in
            let unread = box.unread > 0 ? "\(box.unread) unread of \(box.count)" : "\(box.count)"
            return UIChooser.Choice(
                name: (hasSeveralAccounts ? box.account + "/" : "") + box.mailbox.name, detail: unread,
                effect: .open(.mailbox(account: box.account, name: box.mailbox.name)))
        }
        choices += try store.savedSearches().map {
            UIChooser.Choice(name: "@" + $0.name, detail: $0.query, effect: .open(.search("@" + $0.name)))
        }
        choices.append(
            UIChooser.Choice(name: "Snoozed", detail: "until their times", effect: .open(.search("is:snoozed"))))
        choices.append(UIChooser.Choice(name: "All mail", detail: "every mailbox", effect: .open(.search(""))))
        return choices
    }
}
