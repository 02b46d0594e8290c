"""OpenStack Swift in one process, for tests: the proxy that speaks S3, and an account, a container and an object server
with one disk between them. Swift's own programs are one process each, which takes longer to start than many tests.

Its parameters: the folder with the four configurations, and the ports as JSON.
"""

import json
import sys

import eventlet.wsgi
from swift.common.utils import NullLogger, eventlet_monkey_patch, get_hub

eventlet.hubs.use_hub(get_hub())
eventlet_monkey_patch()

from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol, get_socket, loadapp

folder, ports = sys.argv[1], json.loads(sys.argv[2])


def make_ring(part):
    """One copy of everything, on the one disk."""
    builder = RingBuilder(4, 1, 0)
    builder.add_dev(dict(region=1, zone=1, ip="127.0.0.1", port=ports[part], device="disk", weight=1.0))
    builder.rebalance()
    builder.get_ring().save(f"{folder}/{part}.ring.gz")


def serve(part):
    app = loadapp(f"{folder}/{part}-server.conf", global_conf={"log_name": part})
    socket = get_socket({"bind_ip": "127.0.0.1", "bind_port": ports[part]})
    # Swift's own programs say these, too: clients of S3 look for an ETag, not an Etag.
    eventlet.wsgi.server(socket, app, NullLogger(), protocol=SwiftHttpProtocol, capitalize_response_headers=False)


for part in ("account", "container", "object"):
    make_ring(part)
for thread in [eventlet.spawn(serve, part) for part in ("account", "container", "object", "proxy")]:
    thread.wait()
