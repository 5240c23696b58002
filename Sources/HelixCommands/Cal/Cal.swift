import ArgumentParser

/// `helix cal`
struct Cal: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cal", abstract: "Manage calendars and events.",
        subcommands: [
            CalWeek.self, CalDay.self, CalMonth.self, CalAgenda.self, CalYear.self, CalAdd.self, CalRsvp.self,
            CalInvite.self, CalEdit.self,
            CalMove.self, CalCopy.self, CalDelete.self, CalShow.self, CalSearch.self, CalConflicts.self, CalFree.self,
            CalImport.self, CalExport.self, CalCheck.self, CalStats.self, CalPrint.self,
            CalCalendars.self,
        ])
}
