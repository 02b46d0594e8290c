import { parseArgs } from "node:util";
import { roleName } from "@packhouse/contract/roles";
import { pino } from "pino";
import { systemClock } from "./clock.ts";
import type { Db } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { openGround } from "./ground.ts";
import { readSettings, WrongSettings } from "./settings.ts";
import { generatePassword, hashPassword } from "./sign-in/password.ts";
import { createPerson, LoginTaken, setPassword } from "./sign-in/people.ts";

const usage = `npm run person -- add LOGIN [--name NAME] [--email ADDRESS] [--role ${roleName.options.join("|")}] [--password PASSWORD]
npm run person -- password LOGIN [--password PASSWORD]
Without --password one is generated and printed. It may also come from the variable PERSON_PASSWORD.
`;

// OWASP ASVS 5.0, 6.2.1.
const shortestPassword = 8;

/** What somebody at the terminal can mend; shown without a stack. */
class Mistake extends Error {}

const commands = {
  /** Adds a person who signs in by password. */
  async add(parameters: string[]): Promise<string> {
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
    const login = onlyOne(positionals);
    const role = roleName.safeParse(values.role);
    if (!role.success) throw new Mistake(usage);
    const { name, email } = values;
    const { hash, told } = await chosenPassword(values.password);
    await inDatabase((db) =>
      createPerson(db, systemClock, { login, name, email, role: role.data, passwordHash: hash }),
    );
    return `${login} can sign in as ${role.data}${told}`;
  },

  /** Gives somebody another password; whoever is signed in with the old one is signed out. */
  async password(parameters: string[]): Promise<string> {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { password: { type: "string" } },
    });
    const login = onlyOne(positionals);
    const { hash, told } = await chosenPassword(values.password);
    if (!(await inDatabase((db) => setPassword(db, login, hash)))) throw new Mistake(`There is no ${login}.`);
    return `${login} has another password${told}`;
  },
};

function onlyOne([login, ...others]: string[]): string {
  if (!login || others.length > 0) throw new Mistake(usage);
  return login;
}

async function chosenPassword(option: string | undefined): Promise<{ hash: string; told: string }> {
  const given = option ?? process.env.PERSON_PASSWORD;
  if (given !== undefined && given.length < shortestPassword)
    throw new Mistake(`A password has ${shortestPassword} characters at least.`);
  const password = given ?? generatePassword();
  return { hash: await hashPassword(password), told: given ? "" : `; password: ${password}` };
}

/** Works beside a running server, too. */
async function inDatabase<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  const ground = await openGround(readSettings(process.env), pino({ level: "warn" }));
  try {
    await migrate(ground.database.db);
    return await work(ground.database.db);
  } finally {
    await ground.close();
  }
}

const [command = "", ...parameters] = process.argv.slice(2);
try {
  const run = Object.entries(commands).find(([name]) => name === command)?.[1];
  if (!run) throw new Mistake(usage);
  process.stdout.write(`${await run(parameters)}\n`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const misspelled = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  const expected =
    misspelled || error instanceof Mistake || error instanceof LoginTaken || error instanceof WrongSettings;
  process.stderr.write(`${expected ? error.message : error.stack}\n`);
  process.exit(1);
}
