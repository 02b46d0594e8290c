import { roleOfRank } from "@packhouse/contract/roles";
import { listAccounts } from "../../../features/users/operate-accounts.ts";
import { command, flag } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const adminList = command({
  name: "admin list",
  summary: "Lists the accounts.",
  options: { json: flag("Prints the accounts as JSON.") },
  async run({ environment, options, print }) {
    const accounts = await inInstallation(environment, async ({ db }) =>
      (await listAccounts(db)).map((it) => ({
        login: it.login,
        name: it.name,
        email: it.email,
        role: roleOfRank(it.rank).name,
        active: it.active,
        issuer: it.issuer,
        lastSignedInOn: it.last_signed_in_on?.toISOString() ?? null,
      })),
    );
    if (options.json) return print(JSON.stringify(accounts, undefined, 2));
    for (const { login, name, role, active, lastSignedInOn } of accounts)
      print([login, role, active ? "active" : "deactivated", lastSignedInOn ?? "never signed in", name].join("\t"));
  },
});
