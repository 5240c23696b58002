import HelixCommands

HelixProgram.main()
