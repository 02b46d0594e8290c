import { describe, expect, test } from "vitest";
import { isMailAddress } from "./mail-address.ts";

describe("a mail address", () => {
  test.each(["mara@example.org", "m.l+packages@mail.example.org", "zoë@exämple.org", "root@build-host"])(
    "may be %s",
    (text) => expect(isMailAddress(text)).toBe(true),
  );
  test.each([
    "",
    "mara",
    "@example.org",
    "mara@",
    "a@b@example.org",
    "mara@example.org, eve@example.org",
    "Mara <mara@example.org>",
    "mara@example.org\r\nBcc: eve@example.org",
    '"a b"@example.org',
    "a(comment)@example.org",
    "mara@example..org",
    `${"x".repeat(250)}@example.org`,
  ])("may not be %j", (text) => expect(isMailAddress(text)).toBe(false));
});
