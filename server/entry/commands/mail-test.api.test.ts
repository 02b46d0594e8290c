import { isLong } from "@packhouse/fixtures/long-form";
import { expect, test } from "vitest";
import { packhouseCommand } from "../../testing/programs/command-line.ts";
import { mailPassword, startMailServer } from "../../testing/servers/mail-server.ts";

/** Each test starts processes that load the command line. */
const slow = 120_000;

test(
  "`mail test` sends a mail, or shows why it could not",
  async () => {
    await using server = await startMailServer();
    const send = (environment: Record<string, string>, address = "mara@example.org") =>
      packhouseCommand(["mail", "test", address], { environment });

    const port = server.settings["mail.port"];
    expect(await send(server.environment)).toEqual({
      code: 0,
      out: `localhost:${port} has accepted a test mail for mara@example.org.\n`,
      err: "",
    });
    expect(server.mails[0]).toMatchObject({ to: "mara@example.org", subject: "Test mail from Packhouse" });

    const wrong = await send({ ...server.environment, PACKHOUSE_MAIL_PASSWORD: "wrong-password" });
    expect([wrong.code, wrong.out]).toEqual([2, ""]);
    expect(wrong.err).toMatch(/^localhost:\d+ did not accept it: Invalid login: 535 /);
    expect(wrong.err).not.toMatch(new RegExp(`wrong-password|${mailPassword}`));
    expect(await send({})).toMatchObject({ code: 2, err: expect.stringContaining("No mail server is set") });
    expect(await send(server.environment, "mara@example.org,eve@example.org")).toMatchObject({
      code: 2,
      err: "ADDRESS: is not a mail address.\n",
    });
    expect(server.mails.length).toBe(1);
  },
  slow,
);

test.runIf(isLong)(
  "`doctor` connects to the mail server and signs in there",
  async () => {
    await using server = await startMailServer();
    const finding = async (password: string) => {
      const environment = { ...server.environment, PACKHOUSE_MAIL_PASSWORD: password, PACKHOUSE_DATA_DIR: "/tmp/none" };
      const { out } = await packhouseCommand(["doctor"], { environment });
      return out.split("\n").find((line) => line.includes("mail server"));
    };
    expect(await finding(mailPassword)).toBe(
      `ok       mail server: localhost:${server.settings["mail.port"]} can be used.`,
    );
    expect(await finding("wrong-password")).toMatch(/^PROBLEM {2}mail server: .*Invalid login: 535 /);
    expect(server.attempts).toBe(0);
  },
  slow,
);
