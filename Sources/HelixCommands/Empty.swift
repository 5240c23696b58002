import ArgumentParser
import GRDB
import TOMLKit
