import { parseArgs } from "node:util";
import { roleName } from "@packhouse/contract/roles";
import { systemClock } from "./clock.ts";
import { inDatabase, runCommand } from "./command-line.ts";
import { Mistake } from "./mistake.ts";
import { generatePassword, hashPassword } from "./sign-in/password.ts";
import { createPerson, LoginTaken, setPassword } from "./sign-in/people.ts";

const usage = `npm run person -- add LOGIN [--name NAME] [--email ADDRESS] [--role ${roleName.options.join("|")}] [--password PASSWORD]
npm run person -- password LOGIN [--password PASSWORD]
Without --password one is generated and printed. It may also come from the variable PERSON_PASSWORD.
`;

// OWASP ASVS 5.0, 6.2.1.
const shortestPassword = 8;

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
    try {
      await inDatabase(({ db }) =>
        createPerson(db, systemClock, { login, name, email, role: role.data, passwordHash: hash }),
      );
    } catch (error) {
      throw error instanceof LoginTaken ? new Mistake(error.message) : error;
    }
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
    if (!(await inDatabase(({ db }) => setPassword(db, login, hash)))) throw new Mistake(`There is no ${login}.`);
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

await runCommand(commands, usage);
