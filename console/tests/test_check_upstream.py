"""`manage.py check_upstream`: its messages about a host that can't be used."""

import datetime as dt
import ssl
from contextlib import closing, suppress

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.management import CommandError, call_command
from django.test import override_settings

from upstream.config import TransportConfig
from upstream.tests.conftest import Service, ok
from upstream.transport import Transport

NOTICE = b'{"active": false}'
SIGNS = x509.KeyUsage(
    digital_signature=False, content_commitment=False, key_encipherment=False, data_encipherment=False,
    key_agreement=False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False,
)  # fmt: skip


def certificate(folder, *, without=(), critical=True, host="localhost"):
    """Write a certificate for localhost, and that of its CA, without some of their extensions; return the paths."""
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A CA")])
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    ca_id = x509.SubjectKeyIdentifier.from_public_key(ca_key.public_key())

    def signed(subject, public_key, extensions):
        now = dt.datetime.now(dt.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(ca_name)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
        )
        for which, (extension, is_critical) in extensions.items():
            if which not in without:
                builder = builder.add_extension(extension, critical=is_critical)
        return builder.sign(ca_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    ca = {
        "CA": (x509.BasicConstraints(ca=True, path_length=0), critical),
        "CA's key usage": (SIGNS, True),
        "CA's key ID": (ca_id, False),
    }
    leaf = {
        "name": (x509.SubjectAlternativeName([x509.DNSName(host)]), False),
        "authority's key ID": (x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(ca_id), False),
    }
    plain, none = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "ca.pem").write_bytes(signed(ca_name, ca_key.public_key(), ca))
    (folder / "cert.pem").write_bytes(signed(name, key.public_key(), leaf))
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, plain, none))
    return folder / "ca.pem", folder / "cert.pem", folder / "key.pem"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """Check a service with such a certificate, as strictly as Python 3.13 does; return what is written."""
    create = ssl.create_default_context

    def strict_context(*args, **kwargs):
        context = create(*args, **kwargs)
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        return context

    monkeypatch.setattr(ssl, "create_default_context", strict_context)

    def go(**lacks):
        ca, cert, key = certificate(tmp_path, **lacks)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        with closing(Service(tls=context)) as service:
            service.handle = lambda sock, request: ok(NOTICE)
            url = f"https://localhost:{service.port}"
            transport = Transport(TransportConfig(url, "", insecure_loopback=True, ca_bundle=str(ca)))
            monkeypatch.setattr("console.management.commands.check_upstream.transport", transport)
            with override_settings(UPSTREAM=transport.config), suppress(CommandError):
                call_command("check_upstream")
            transport.close()
        written = capsys.readouterr()
        return written.out + written.err

    return go


def test_a_good_certificate_is_ok(check):
    assert check().startswith("DOMAIN_HANDLER_URL: ok")


@pytest.mark.parametrize(
    ("lacks", "reason"),
    [
        ({"without": ["authority's key ID"]}, "Missing Authority Key Identifier"),
        ({"without": ["CA's key ID"]}, "Missing Subject Key Identifier"),
        ({"without": ["CA's key usage"]}, "Path length given without key usage keyCertSign"),
        ({"critical": False}, "Basic Constraints of CA cert not marked critical"),
    ],
)
def test_a_certificate_that_only_newer_versions_of_python_refuse_is_explained(check, lacks, reason):
    written = check(**lacks)
    assert reason in written
    assert "Python 3.13 and newer reject this certificate" in written


def test_another_bad_certificate_is_not_explained_by_the_version_of_python(check):
    written = check(host="elsewhere.example")
    assert "SSLCertVerificationError" in written
    assert "Python" not in written
