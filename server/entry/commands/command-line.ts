import { parseArgs } from "node:util";
import { failureAround } from "../../platform/backends/outages.ts";
import { Mistake, obstacleIn } from "../../platform/errors/operator-error.ts";
import { productVersion } from "../../platform/product-version.ts";
import type { Command, Surroundings } from "./command.ts";
import { helpOf, overviewOf } from "./help.ts";

/** What ended for a reason that whoever called it can mend. */
const wrongUse = 2;
const defect = 1;
const failedAround = 3;
const inWords = {
  full: "There is no room left",
  unavailable: "The database or the storage cannot be reached, or has stopped answering",
};

/** Runs the command that the words name and gives its exit code. */
export async function runCommandLine(
  commands: readonly Command[],
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    return await dispatch(commands, words, surroundings);
  } catch (error) {
    if (error instanceof Mistake) {
      surroundings.note(error.message);
      return wrongUse;
    }
    const obstacle = obstacleIn(error);
    if (obstacle) {
      surroundings.note(obstacle.message);
      return failedAround;
    }
    const failure = failureAround(error);
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    surroundings.note(failure ? `${inWords[failure]}: ${message}` : stack);
    return failure ? failedAround : defect;
  }
}

async function dispatch(
  commands: readonly Command[],
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const [first, ...others] = words;
  if (first === undefined || (first === "--help" && others.length === 0)) {
    surroundings.print(overviewOf(commands));
    return 0;
  }
  if (first === "--version" && others.length === 0) {
    surroundings.print(productVersion);
    return 0;
  }
  const named = commands.find(({ name }) => name.split(" ").every((word, index) => words[index] === word));
  if (named) {
    const parameters = words.slice(named.name.split(" ").length);
    if (asksForHelp(parameters)) {
      surroundings.print(helpOf(named));
      return 0;
    }
    return named.run(parse(named, parameters), surroundings);
  }
  if (!commands.some(({ name }) => name.startsWith(`${first} `)))
    throw new Mistake(`There is no command ${first}. \`packhouse --help\` lists what there is.`);
  const [verb] = others;
  if (verb !== undefined && verb !== "--help")
    throw new Mistake(`There is no command ${first} ${verb}. \`packhouse ${first}\` lists what there is.`);
  surroundings.print(overviewOf(commands, first));
  return 0;
}

/** What stands behind `--` is no option. */
function asksForHelp(parameters: readonly string[]): boolean {
  const end = parameters.indexOf("--");
  return parameters.slice(0, end === -1 ? undefined : end).includes("--help");
}

function parse(command: Command, parameters: readonly string[]) {
  const { values, positionals } = wellFormed(command, parameters);
  const names = Object.keys(command.arguments);
  const [tooMuch] = positionals.slice(names.length);
  if (tooMuch !== undefined) throw misused(command, `${tooMuch} is one argument too many`);
  const missing = names.find(
    (name, index) => positionals[index] === undefined && !command.arguments[name]?.schema.safeParse(undefined).success,
  );
  if (missing !== undefined) throw misused(command, `${missing.toUpperCase()} is missing`);
  return {
    options: { ...values },
    arguments: Object.fromEntries(names.map((name, index) => [name, positionals[index]])),
  };
}

function wellFormed(command: Command, parameters: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    return parseArgs({ args: [...parameters], options, allowPositionals: true });
  } catch (error) {
    // Node's sentence goes on with advice for those who know its parser.
    if (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))
      throw misused(command, error.message.replace(/\. .*$/s, "").replace(/\.$/, ""));
    throw error;
  }
}

const misused = (command: Command, what: string): Mistake =>
  new Mistake(`${what}. \`packhouse ${command.name} --help\` says what it takes.`);
