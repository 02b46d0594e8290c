import { expect, test } from "vitest";
import { deviceName } from "./device-name.ts";

test.for([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox, Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
    "Edge, Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    "Safari, macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
    "Chrome, iPhone",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
  ["python-requests/2.32 extra", "python-requests/2.32"],
  ["Mozilla/5.0", ""],
  ["", ""],
] as const)("%s is shown as %s", ([agent, name]) => {
  expect(deviceName(agent)).toBe(name);
});
