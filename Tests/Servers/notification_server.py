"""A D-Bus session with a server of desktop notifications (freedesktop.org), for the tests of 'helix watch'.

notification_server.py PRESSED COMMAND…  runs a command in a session of its own, prints each notification as a line of JSON,
and presses the button with the label PRESSED ('' for none) of each that has it. It ends two seconds after the command.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


class Server(dbus.service.Object):
    def __init__(self, bus, pressed):
        super().__init__(bus, "/org/freedesktop/Notifications")
        self.pressed = pressed
        self.last = 0

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("helix tests", "helix", "1", "1.2")

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "body-markup"]

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        self.last += 1
        number = self.last
        buttons = {str(actions[i + 1]): str(actions[i]) for i in range(0, len(actions) - 1, 2)}
        print(json.dumps({
            "app": str(app), "summary": str(summary), "body": str(body), "buttons": list(buttons),
            "urgency": int(hints.get("urgency", 1)),
        }), flush=True)
        if self.pressed in buttons:
            GLib.timeout_add(300, self.press, number, buttons[self.pressed])
        else:
            GLib.timeout_add(500, self.close, number)
        return dbus.UInt32(number)

    def press(self, number, action):
        self.ActionInvoked(number, action)
        self.NotificationClosed(number, 2)
        return False

    def close(self, number):
        self.NotificationClosed(number, 1)
        return False

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass


def main():
    pressed, command = sys.argv[1], sys.argv[2:]
    folder = tempfile.mkdtemp()
    address = f"unix:path={folder}/bus"
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", f"--address={address}", "--print-address"],
        stdout=subprocess.PIPE, text=True)
    daemon.stdout.readline()
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    name = dbus.service.BusName(NAME, bus)
    server = Server(bus, pressed)
    loop = GLib.MainLoop()
    status = []

    def run():
        result = subprocess.run(command, stdout=sys.stderr)
        status.append(result.returncode)
        GLib.timeout_add(2000, loop.quit)

    threading.Thread(target=run).start()
    loop.run()
    del name, server
    daemon.terminate()
    sys.exit(status[0])


main()
