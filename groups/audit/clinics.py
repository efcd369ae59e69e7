"""Clinics in audit entries."""

from console.audit.content import Ref
from upstream.resources.clinics import Clinic


def clinic_ref(clinic: Clinic) -> Ref:
    return Ref(clinic.id, clinic.name)
