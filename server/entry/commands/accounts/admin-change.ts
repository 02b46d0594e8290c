import { rankOf, roleName } from "@packhouse/contract/roles";
import { z } from "zod";
import { passwordLinkAddress } from "../../../features/users/issue-password.ts";
import {
  changeAccount,
  linkForAccount,
  resetPassword,
  resetSecondFactors,
} from "../../../features/users/operate-accounts.ts";
import { addressWithoutRequest } from "../../../http/addresses.ts";
import { systemClock } from "../../../platform/clock.ts";
import { argument, type CommandIo, command, flag } from "../command.ts";
import { inInstallation } from "../installation.ts";
import { chosenPassword, passwordDetails, passwordOptions } from "./chosen-password.ts";

const login = argument(z.string(), "Login of the user.");

export const adminPassword = command({
  name: "admin password",
  summary: "Sets a new password for a user, and ends their sessions and access tokens.",
  details: passwordDetails,
  arguments: { login },
  options: {
    ...passwordOptions,
    "keep-tokens": flag("Keeps the access tokens active."),
    "must-change": flag("Requires a new password at the next sign-in."),
  },
  async run({ arguments: { login }, options, ...rest }) {
    const { "password-stdin": fromInput, "keep-tokens": keepAccessTokens, "must-change": changeRequired } = options;
    const { hash, suffix } = await chosenPassword(rest, fromInput, { login });
    await inInstallation(rest.environment, ({ db, settings }) =>
      resetPassword({ db, settings, clock: systemClock }, login, hash, { keepAccessTokens, changeRequired }),
    );
    rest.print(`${login} has a new password${suffix}`);
  },
});

export const adminResetSecondFactors = command({
  name: "admin reset-second-factors",
  summary: "Removes the second factors of a user who has lost them, and ends the user's sessions.",
  details:
    "The password alone is then enough to sign in. Users whose role requires a second factor add a new one at their next sign-in.",
  arguments: { login },
  async run({ arguments: { login }, environment, print }) {
    const removed = await inInstallation(environment, ({ db, settings }) =>
      resetSecondFactors({ db, settings, clock: systemClock }, login),
    );
    print(removed > 0 ? `${login} no longer has second factors.` : `${login} has no second factors.`);
  },
});

export const adminLink = command({
  name: "admin link",
  summary: "Prints a link that lets a user set a password once.",
  details:
    "The current password and sessions stay valid until the link is used. It works for `auth.password.linkHours`.",
  arguments: { login },
  async run({ arguments: { login }, ...rest }) {
    const address = await inInstallation(rest.environment, async ({ db, settings }) => {
      const link = await linkForAccount({ db, settings, clock: systemClock }, login);
      return passwordLinkAddress(addressWithoutRequest(settings), link);
    });
    rest.print(address);
  },
});

export const adminRole = command({
  name: "admin role",
  summary: "Changes the role of a user.",
  details:
    "Maintainer assignments that belong to the previous role are removed. The last active administrator keeps the role.",
  arguments: { login, role: argument(roleName, `${roleName.options.join(", ")}.`) },
  run: ({ arguments: { login, role }, ...rest }) =>
    change(rest, login, { rank: rankOf(role) }, `${login} has the role ${role}`),
});

export const adminDeactivate = command({
  name: "admin deactivate",
  summary: "Keeps a user from signing in, and ends their sessions and access tokens.",
  details: "The last active administrator cannot be deactivated.",
  arguments: { login },
  run: ({ arguments: { login }, ...rest }) => change(rest, login, { active: false }, `${login} is deactivated`),
});

export const adminActivate = command({
  name: "admin activate",
  summary: "Lets a deactivated user sign in again.",
  arguments: { login },
  run: ({ arguments: { login }, ...rest }) => change(rest, login, { active: true }, `${login} is active`),
});

async function change(
  { environment, print }: CommandIo,
  login: string,
  wanted: Parameters<typeof changeAccount>[2],
  said: string,
): Promise<void> {
  const changed = await inInstallation(environment, ({ db, settings }) =>
    changeAccount({ db, settings, clock: systemClock }, login, wanted),
  );
  print(changed ? `${said}.` : `${said} already.`);
}
