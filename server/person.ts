import { parseArgs } from "node:util";
import { roleName } from "@packhouse/contract/roles";
import { pino } from "pino";
import { systemClock } from "./clock.ts";
import { migrate } from "./db/migrate.ts";
import { openGround } from "./ground.ts";
import { readSettings, WrongSettings } from "./settings.ts";
import { generatePassword, hashPassword } from "./sign-in/password.ts";
import { createPerson, LoginTaken } from "./sign-in/people.ts";

const usage = `npm run person -- add LOGIN [--name NAME] [--email ADDRESS] [--role ${roleName.options.join("|")}] [--password PASSWORD]
Without --password one is generated and printed. It may also come from the variable PERSON_PASSWORD.
`;

/** Adds a person who signs in by password; works beside a running server too. */
async function add(parameters: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: parameters,
    allowPositionals: true,
    options: {
      name: { type: "string" },
      email: { type: "string" },
      role: { type: "string", default: "user" },
      password: { type: "string" },
    },
  });
  const [login] = positionals;
  const role = roleName.safeParse(values.role);
  if (!login || positionals.length !== 1 || !role.success) throw new Error(usage);

  const given = values.password ?? process.env.PERSON_PASSWORD;
  const password = given ?? generatePassword();
  const ground = await openGround(readSettings(process.env), pino({ level: "warn" }));
  try {
    await migrate(ground.database.db);
    await createPerson(ground.database.db, systemClock, {
      login,
      name: values.name,
      email: values.email,
      role: role.data,
      passwordHash: await hashPassword(password),
    });
  } finally {
    await ground.close();
  }
  process.stdout.write(`${login} can sign in as ${role.data}${given ? "" : `; password: ${password}`}\n`);
}

const [command, ...parameters] = process.argv.slice(2);
try {
  if (command !== "add") throw new Error(usage);
  await add(parameters);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const expected = error instanceof LoginTaken || error instanceof WrongSettings || error.message === usage;
  process.stderr.write(expected ? `${error.message}\n` : `${error.stack}\n`);
  process.exit(1);
}
