"""Drives a headless Chromium by its DevTools protocol."""

import base64
import io
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request

import numpy as np
import websocket
from PIL import Image

PATIENCE = 60
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--remote-allow-origins=*",
    "--remote-debugging-port=0",
]


class Chromium:
    """A browser of its own, with a profile that is thrown away."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        command = [program, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = os.path.join(self.profile, "DevToolsActivePort")
        end = time.monotonic() + PATIENCE
        while not (os.path.exists(told) and open(told, encoding="utf-8").read().count("\n")):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError("chromium does not start")
            time.sleep(0.1)
        with open(told, encoding="utf-8") as file:
            self.address = f"http://127.0.0.1:{file.readline().strip()}"

    def page(self, width=512, height=512, density=1):
        request = urllib.request.Request(f"{self.address}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            page = Page(json.load(answer)["webSocketDebuggerUrl"])
        page.resize(width, height, density)
        return page

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A tab: what it asked the network for, what it said on the console, and what it shows."""

    def __init__(self, address):
        self.socket = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self.number, self.requests, self.complaints, self.failures, self.shown = 0, [], [], [], []
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility", "DOM"):
            self.send(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Page.close")
        finally:
            self.socket.close()

    def tell(self, method, **parameters):
        """Sends a command; its number."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        return self.number

    def send(self, method, **parameters):
        """The answer to a command; events that come before it are kept."""
        number = self.tell(method, **parameters)
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.note(message)

    def note(self, event):
        """Keeps what tests ask about."""
        name, told = event.get("method"), event.get("params", {})
        if name == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif name == "Page.screencastFrame":
            self.shown.append(told["data"])
            self.tell("Page.screencastFrameAck", sessionId=told["sessionId"])
        elif name == "Network.loadingFailed" and not told.get("canceled"):
            self.failures.append(told.get("errorText"))
        elif name == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif name == "Runtime.consoleAPICalled" and told["type"] in ("error", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in told["args"]))
        elif name == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.complaints.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")

    def resize(self, width, height, density=1):
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density, mobile=False
        )

    def colours(self, scheme):
        """`light` or `dark`, as the system would say."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, url):
        self.send("Page.navigate", url=url)

    def run(self, script):
        """The value of an expression, awaited."""
        told = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in told:
            details = told["exceptionDetails"]
            raise RuntimeError(f"{script}: {details.get('exception', {}).get('description', details['text'])}")
        return told["result"].get("value")

    def wait(self, condition, patience=PATIENCE):
        """Waits until an expression is true; what it is at last."""
        end = time.monotonic() + patience
        while True:
            value = self.run(condition)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"not within {patience} s: {condition}; the page said {self.complaints[-5:]}")
            time.sleep(0.05)

    @staticmethod
    def picture(data):
        """The pixels of a PNG in base64, RGB."""
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))

    def screenshot(self):
        """What is seen, RGB, in device pixels."""
        return self.picture(self.send("Page.captureScreenshot", format="png")["data"])

    def frames(self, script):
        """What is seen, frame by frame, while a script runs and half a second after it; RGB."""
        self.shown = []
        self.send("Page.startScreencast", format="png", everyNthFrame=1)
        self.run(script)
        self.run("new Promise((done) => setTimeout(done, 500))")
        self.send("Page.stopScreencast")
        return [self.picture(data) for data in self.shown]

    def click(self, x, y):
        """A press and release of the left button, in CSS px."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, start, end, steps=8):
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=start[0], y=start[1])
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", clickCount=1)
        for i in range(1, steps + 1):
            x, y = (a + (b - a) * i / steps for a, b in zip(start, end))
            self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    def key(self, name, code=None, text=None, number=0):
        """Presses and releases a key, such as ArrowRight or Tab."""
        numbers = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                   "ArrowDown": 40, "Home": 36, "End": 35}  # fmt: skip
        texts = {"Enter": "\r", " ": " "}
        told = {"key": name, "code": code or ("Space" if name == " " else name),
                "windowsVirtualKeyCode": number or numbers.get(name, ord(name[0].upper()))}  # fmt: skip
        text = text or texts.get(name) or (name if len(name) == 1 else None)
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **told, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **told)
