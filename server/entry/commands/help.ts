import type { Command, Parameters } from "./command.ts";

/** The usage line: `admin create LOGIN [options]`. */
export function usageOf({ name, arguments: args, options }: Command): string {
  const words = Object.entries(args).map(([word, { schema }]) =>
    schema.safeParse(undefined).success ? `[${word.toUpperCase()}]` : word.toUpperCase(),
  );
  return ["packhouse", name, ...words, ...(Object.keys(options).length > 0 ? ["[options]"] : [])].join(" ");
}

/** The help of one command. */
export function helpOf(command: Command): string {
  return sections(
    `${command.summary}`,
    `Usage: ${usageOf(command)}`,
    table(rowsOfArguments(command.arguments)),
    table([...rowsOfOptions(command.options), ["--help", "Shows this help."]]),
    command.details,
  );
}

/** The list of commands, or of those of one noun: `packhouse admin`. */
export function overviewOf(commands: readonly Command[], noun?: string): string {
  const shown = noun === undefined ? commands : commands.filter(({ name }) => name.startsWith(`${noun} `));
  return sections(
    noun === undefined && "Packhouse: package repositories for R and Python.",
    `Usage: packhouse ${noun === undefined ? "COMMAND" : `${noun} COMMAND`} [options]`,
    table(shown.map(({ name, summary }) => [name, summary])),
    "`packhouse COMMAND --help` explains a command, `packhouse --version` shows the version.\nSettings are environment variables PACKHOUSE_… or keys of the file that PACKHOUSE_CONFIG names; ./data is relative to the working directory.",
  );
}

export const rowsOfArguments = (args: Parameters): [string, string][] =>
  Object.entries(args).map(([name, { meaning }]) => [name.toUpperCase(), meaning]);

export const rowsOfOptions = (options: Parameters): [string, string][] =>
  Object.entries(options).map(([name, { meaning, value }]) => [`--${name}${value ? ` ${value}` : ""}`, meaning]);

const sections = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join("\n\n");

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
