import Glibc
import HelixModel
import HelixSecurity
import HelixTerminal

/// The loop of `helix ui`: draws the state, and waits for keys.
final class UISession {
    private let context: CommandContext
    private let screen: FullScreen
    private let worker: UIWorker
    private var touched = ContinuousClock.now - .seconds(60)

    init(_ screen: FullScreen, _ worker: UIWorker) {
        (self.screen, self.worker, context) = (screen, worker, worker.context)
        worker.lend = { [unowned self] body in
            screen.close()
            body()
            screen.open()
            resize()
        }
        worker.data.isInterrupted = { [unowned screen, unowned worker] in worker.data.isIdle && screen.hasInput }
        worker.settingsDidChange = { configuration in
            guard let colors = try? configuration.themeColors() else { return screen.set(colors: nil) }
            screen.set(colors: colors)
        }
    }

    /// Runs until the person quits.
    /// - Throws: ``HelixError`` if the screen cannot be written.
    func run() throws {
        defer { screen.close() }
        resize()
        while !worker.program.isOver {
            do {
                if worker.needsLoad { try worker.load() }
                try draw()
            } catch let error as HelixError where error.code == .locked {
                unlock()
                continue
            }
            // Waiting work begins after a short pause, so that a fast hand never waits for it.
            let hasWork = worker.hasWaitingWork
            let (keys, notices) = screen.events(
                within: hasWork ? worker.pause : worker.isBusy ? 200 : 1000,
                besides: worker.chat.map { [$0.descriptor] } ?? [])
            if screen.images != worker.data.images {
                worker.data.images = screen.images
                worker.needsLoad = true
            }
            worker.listen()
            if hasWork, keys.isEmpty, notices.isEmpty {
                do { _ = try worker.doWaitingWork() } catch let error as HelixError where error.code == .locked {
                    unlock()
                }
                continue
            }
            for notice in notices {
                switch notice {
                case .resized: resize()
                case .resumed: screen.forget()
                case .stop: suspend()
                case .end: return
                }
            }
            if !keys.isEmpty { touch() }
            for (place, key) in keys.enumerated() {
                for effect in worker.program.take(key) { perform(effect) }
                if worker.program.isOver { return }
                // The next key of a paste or of a fast hand may need what this one asked for.
                if worker.needsLoad, place < keys.count - 1 { try? worker.load() }
            }
            if keys.isEmpty { look() }
        }
    }

    private func perform(_ effect: UIProgram.Effect) {
        switch effect {
        case .redraw: screen.forget()
        case .suspend: suspend()
        default: worker.perform(effect)
        }
    }

    private func draw() throws {
        guard screen.draw(UIFrame.draw(worker.program, for: worker.viewer)) else {
            throw HelixError(.io, "the screen cannot be written")
        }
        worker.program.didShow()
    }

    private func resize() {
        let (width, height) = screen.size
        worker.program.resize(width: width, height: height)
        worker.runner.width = max(20, width - 2)
        worker.needsLoad = true
    }

    private func suspend() {
        worker.close()
        screen.suspend()
        resize()
    }

    /// Looks for what changed while no key was pressed.
    private func look() {
        if context.invocation.lock?.reason != nil { return unlock() }
        worker.look()
    }

    /// Keeps helix unlocked while somebody uses the keys.
    private func touch() {
        guard let lock = context.invocation.lock, touched.duration(to: .now) > .seconds(5) else { return }
        touched = .now
        if lock.reason == nil { lock.session.touch() }
    }

    /// Asks for the passphrase, on the usual screen: nothing of the store is seen meanwhile.
    private func unlock() {
        worker.close()
        screen.close()
        while true {
            do {
                _ = try context.invocation.admit(.asks)
                break
            } catch {
                let reason = (error as? HelixError)?.message ?? "\(error)"
                context.console.report("helix: \(SafeText.line(reason))\n")
                guard context.console.line("Enter tries again, q quits") == "" else {
                    _ = worker.program.perform(.program(.quit))
                    return
                }
            }
        }
        screen.open()
        resize()
    }
}
