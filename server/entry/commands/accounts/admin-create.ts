import { longestName } from "@packhouse/contract/limits";
import { roleName } from "@packhouse/contract/roles";
import { z } from "zod";
import { createAccount } from "../../../features/users/operate-accounts.ts";
import { systemClock } from "../../../platform/clock.ts";
import { argument, command, flag, option } from "../command.ts";
import { inInstallation } from "../installation.ts";
import { chosenPassword, passwordDetails, passwordOptions } from "./chosen-password.ts";

const filled = z.string().trim().min(1).max(longestName);

export const adminCreate = command({
  name: "admin create",
  summary: "Creates an account that signs in with a password.",
  details: passwordDetails,
  arguments: { login: argument(filled, "Name that the user signs in with.") },
  options: {
    name: option(filled.optional(), "NAME", "Full name (default: the login)."),
    email: option(filled.optional(), "ADDRESS", "Email address."),
    role: option(roleName.default("user"), "ROLE", `${roleName.options.join(", ")} (default: user).`),
    ...passwordOptions,
    "allow-lookalike": flag("Accepts a login that looks like an existing one."),
  },
  async run({ arguments: { login }, options, ...rest }) {
    const { name, email, role, "password-stdin": fromInput, "allow-lookalike": allowLookalike } = options;
    const { hash, suffix } = await chosenPassword(rest, fromInput, { login, name, email });
    await inInstallation(rest.environment, ({ db, settings }) =>
      createAccount(
        { db, settings, clock: systemClock },
        { login, name, email, role, passwordHash: hash },
        { allowLookalikes: allowLookalike || settings["auth.lookalikeLogins"] },
      ),
    );
    rest.print(`${login} can sign in as ${role}${suffix}`);
  },
});
