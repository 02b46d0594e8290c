import { rankOf, roleName } from "@packhouse/contract/roles";
import { z } from "zod";
import { systemClock } from "../clock.ts";
import { changeAccount, resetPassword, resetSecondFactors } from "../users/operate-accounts.ts";
import { chosenPassword, passwordDetails, passwordOptions } from "./chosen-password.ts";
import { argument, command, type Surroundings } from "./command.ts";
import { inInstallation } from "./installation.ts";

const login = argument(z.string(), "Whose account it is.");

export const adminPassword = command({
  name: "admin password",
  summary: "Gives somebody another password, and signs him out everywhere.",
  details: passwordDetails,
  arguments: { login },
  options: passwordOptions,
  async run({ arguments: { login }, options: { "password-stdin": fromInput }, ...rest }) {
    const { hash, told } = await chosenPassword(rest, fromInput);
    await inInstallation(rest.environment, ({ db, settings }) =>
      resetPassword({ db, settings, clock: systemClock }, login, hash),
    );
    rest.print(`${login} has another password${told}`);
  },
});

export const adminResetSecondFactors = command({
  name: "admin reset-second-factors",
  summary: "Removes the second factors of a user who has lost them, and ends the user's sessions.",
  details:
    "The password alone signs in again. Users whose role requires a second factor add a new one at their next sign-in.",
  arguments: { login },
  async run({ arguments: { login }, environment, print }) {
    const removed = await inInstallation(environment, ({ db, settings }) =>
      resetSecondFactors({ db, settings, clock: systemClock }, login),
    );
    print(removed > 0 ? `${login} has no second factors any more.` : `${login} has no second factors.`);
  },
});

export const adminRole = command({
  name: "admin role",
  summary: "Gives somebody another role.",
  details: "Maintainer records that belong to the role before go with it. The last active administrator stays.",
  arguments: { login, role: argument(roleName, `${roleName.options.join(", ")}.`) },
  run: ({ arguments: { login, role }, ...rest }) =>
    change(rest, login, { rank: rankOf(role) }, `${login} has the role ${role}`),
});

export const adminDeactivate = command({
  name: "admin deactivate",
  summary: "Keeps somebody from signing in; his sessions and access tokens end.",
  details: "The last active administrator stays.",
  arguments: { login },
  run: ({ arguments: { login }, ...rest }) => change(rest, login, { active: false }, `${login} is deactivated`),
});

export const adminActivate = command({
  name: "admin activate",
  summary: "Lets somebody sign in again who was deactivated.",
  arguments: { login },
  run: ({ arguments: { login }, ...rest }) => change(rest, login, { active: true }, `${login} is active`),
});

async function change(
  { environment, print }: Surroundings,
  login: string,
  wanted: Parameters<typeof changeAccount>[2],
  said: string,
): Promise<void> {
  const changed = await inInstallation(environment, ({ db, settings }) =>
    changeAccount({ db, settings, clock: systemClock }, login, wanted),
  );
  print(changed ? `${said}.` : `${said} already.`);
}
