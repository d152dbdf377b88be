"""pyftpdlib on loopback: PORT ROOT MODE USER PASSWORD CERTIFICATE KEY."""

import logging
import os
import sys

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler, TLS_DTPHandler, TLS_FTPHandler
from pyftpdlib.servers import FTPServer


class PatientData(TLS_DTPHandler):
    """As shipped, a data connection is reset when its ClientHello comes before the transfer command."""

    def readable(self):
        return bool(self._ssl_accepting) or super().readable()


def handler_for(mode, certificate, key):
    if mode == "plain":
        return FTPHandler
    TLS_FTPHandler.certfile = certificate
    TLS_FTPHandler.keyfile = key
    if mode != "tls-as-shipped":
        TLS_FTPHandler.dtp_handler = PatientData
    required = mode == "tls-required"
    TLS_FTPHandler.tls_control_required = required
    TLS_FTPHandler.tls_data_required = required
    return TLS_FTPHandler


def main(port, root, mode, user, password, certificate, key):
    logging.basicConfig(level=logging.WARNING)
    who = DummyAuthorizer()
    who.add_anonymous(root)
    who.add_user(user, password, root, perm="elradfmwMT")
    handler = handler_for(mode, certificate, key)
    handler.authorizer = who
    handler.auth_failed_timeout = 0
    # In UTC unless a zone was given.
    handler.use_gmt_times = "TZ" not in os.environ
    FTPServer(("127.0.0.1", int(port)), handler).serve_forever()


main(*sys.argv[1:])
