import { parseArgs } from "node:util";
import { outageKind } from "../../platform/backends/outages.ts";
import { OperatorError, obstacleIn } from "../../platform/errors/operator-error.ts";
import { productVersion } from "../../platform/product-version.ts";
import type { Command, CommandIo } from "./command.ts";
import { helpOf, overviewOf } from "./help.ts";

/** The exit code of failures that the operator can fix. */
const wrongUse = 2;
const defect = 1;
const failedAround = 3;
const inWords = {
  full: "There is no space left",
  database: "The database cannot be reached, or has stopped responding",
  storage: "The storage cannot be reached, or has stopped responding",
};

/** Runs the command that the arguments name and returns its exit code. */
export async function runCommandLine(
  commands: readonly Command[],
  words: readonly string[],
  io: CommandIo,
): Promise<number> {
  try {
    return await dispatch(commands, words, io);
  } catch (error) {
    if (error instanceof OperatorError) {
      io.note(error.message);
      return wrongUse;
    }
    const obstacle = obstacleIn(error);
    if (obstacle) {
      io.note(obstacle.message);
      return failedAround;
    }
    const failure = outageKind(error);
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    io.note(failure ? `${inWords[failure]}: ${message}` : stack);
    return failure ? failedAround : defect;
  }
}

async function dispatch(commands: readonly Command[], words: readonly string[], io: CommandIo): Promise<number> {
  const [first, ...others] = words;
  if (first === undefined || (first === "--help" && others.length === 0)) {
    io.print(overviewOf(commands));
    return 0;
  }
  if (first === "--version" && others.length === 0) {
    io.print(productVersion);
    return 0;
  }
  const named = commands.find(({ name }) => name.split(" ").every((word, index) => words[index] === word));
  if (named) {
    const parameters = words.slice(named.name.split(" ").length);
    if (asksForHelp(parameters)) {
      io.print(helpOf(named));
      return 0;
    }
    return named.run(parse(named, parameters), io);
  }
  if (!commands.some(({ name }) => name.startsWith(`${first} `)))
    throw new OperatorError(`There is no command ${first}. \`packhouse --help\` lists the commands.`);
  const [verb] = others;
  if (verb !== undefined && verb !== "--help")
    throw new OperatorError(`There is no command ${first} ${verb}. \`packhouse ${first}\` lists the commands.`);
  io.print(overviewOf(commands, first));
  return 0;
}

/** What follows `--` is not an option. */
function asksForHelp(parameters: readonly string[]): boolean {
  const end = parameters.indexOf("--");
  return parameters.slice(0, end === -1 ? undefined : end).includes("--help");
}

function parse(command: Command, parameters: readonly string[]) {
  const { values, positionals } = wellFormed(command, parameters);
  const names = Object.keys(command.arguments);
  const [tooMuch] = positionals.slice(names.length);
  if (tooMuch !== undefined) throw misused(command, `${tooMuch} is an unexpected argument`);
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
    // Node's message continues with advice about its parser.
    if (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))
      throw misused(command, error.message.replace(/\. .*$/s, "").replace(/\.$/, ""));
    throw error;
  }
}

const misused = (command: Command, what: string): OperatorError =>
  new OperatorError(`${what}. \`packhouse ${command.name} --help\` shows its arguments.`);
