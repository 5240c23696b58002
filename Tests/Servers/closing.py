"""A port whose connections are closed at once, as by a proxy whose server is gone: closing.py DIR PORT"""

import socket
import sys

with socket.create_server(("127.0.0.1", int(sys.argv[2]))) as server:
    while True:
        server.accept()[0].close()
