import ArgumentParser

/// `helix tasks`
struct Tasks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tasks", abstract: "Manage tasks, boards and dependencies.",
        subcommands: [
            TasksBoard.self, TasksAdd.self, TasksList.self, TasksNext.self, TasksShow.self, TasksEdit.self,
            TasksDone.self,
            TasksReopen.self, TasksDrop.self, TasksDelete.self, TasksMove.self, TasksStart.self, TasksStop.self,
            TasksSchedule.self, TasksDepend.self, TasksUndepend.self,
            TasksSearch.self, TasksStats.self, TasksImport.self, TasksExport.self, TasksColumns.self, TasksBoards.self,
            TasksView.self,
        ])
}
