"""Fixtures that these tests share with those of hedgerow."""

from tests.cli.conftest import folder, hedgerow_command
from tests.conftest import _one_thread, data_folder

__all__ = ["_one_thread", "data_folder", "folder", "hedgerow_command"]
