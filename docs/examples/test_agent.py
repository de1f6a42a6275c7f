"""A test of an agent with pytest. CAREEM_MCP names the program."""

import json
import os
import subprocess

import pytest

PROGRAM = os.environ.get("CAREEM_MCP", "careem-mcp")


class Twin:
    def __init__(self, folder):
        self.env = os.environ | {
            "CAREEM_MCP_OVERRIDES": str(folder / "overrides.json"),
            "CAREEM_MCP_CALLS": str(folder / "calls.jsonl"),
        }
        self.server = subprocess.Popen(
            [PROGRAM, "start", "--port", "0", "--log", "json"],
            env=self.env,
            stderr=subprocess.PIPE,
            text=True,
        )
        # The first line of the log says where the server listens.
        self.url = json.loads(self.server.stderr.readline())["url"]

    def run(self, *args):
        return subprocess.run([PROGRAM, *args], env=self.env, check=True, text=True, capture_output=True).stdout


@pytest.fixture
def twin(tmp_path):
    twin = Twin(tmp_path)
    yield twin
    twin.server.terminate()
    twin.server.communicate()


def test_a_declined_card_is_not_tried_twice(twin):
    # Your agent goes here; this one pays with the card that is declined.
    answer = twin.run(
        "call", "checkout_place_order", "basket_id=BSK-30101", "locationUuid=LOC-50001",
        "payment_method_id=PM-1002", "--url", twin.url,
    )
    assert "declined" in answer
    twin.run("verify", "checkout_place_order", "--times", "1", "--args", "payment_method_id=PM-1002")
