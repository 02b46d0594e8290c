import { z } from "zod";
import { OperatorError } from "../../platform/errors/operator-error.ts";

/** An argument or an option: how it is parsed, and its help. */
export interface Parameter<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  meaning: string;
  /** Placeholder for the value of an option in the help; an option without one takes no value. */
  value?: string;
}

/** By name, in the order of the help; for arguments this is also the order in which they are given. */
export type Parameters = Record<string, Parameter>;
type Values<Declared extends Parameters> = { [Name in keyof Declared]: z.output<Declared[Name]["schema"]> };

/** A positional argument. It may be left out if the schema allows it. */
export const argument = <Schema extends z.ZodType>(schema: Schema, meaning: string): Parameter<Schema> => ({
  schema,
  meaning,
});

/** `--name VALUE`. */
export const option = <Schema extends z.ZodType>(
  schema: Schema,
  value: string,
  meaning: string,
): Parameter<Schema> => ({ schema, meaning, value });

/** `--name`. */
export const flag = (meaning: string): Parameter<z.ZodDefault<z.ZodBoolean>> => ({
  schema: z.boolean().default(false),
  meaning,
});

/** What a command gets from its process; tests of a command run the program itself. */
export interface CommandIo {
  environment: Record<string, string | undefined>;
  input: NodeJS.ReadStream;
  /** Prints a line for users or for the script that reads `--json`. */
  print(line: string): void;
  /** Prints a line that is not part of the result. */
  note(line: string): void;
}

export interface Context<Arguments, Options> extends CommandIo {
  arguments: Arguments;
  options: Options;
}

/** The exit code of a check that ran and found something. */
export const somethingFound = 1;

interface Declaration<Arguments extends Parameters, Options extends Parameters> {
  /** One word, or a noun and a verb: `admin create`. */
  name: string;
  /** What it does, in one line. */
  summary: string;
  /** The rest of its help. */
  details?: string;
  arguments?: Arguments;
  options?: Options;
  /** Returns the exit code, by default 0. An `OperatorError` is shown without a stack and exits with 2. */
  run(context: Context<Values<Arguments>, Values<Options>>): Promise<number> | Promise<void>;
}

/** A declared command of any parameters. */
export interface Command {
  name: string;
  summary: string;
  details: string | undefined;
  arguments: Parameters;
  options: Parameters;
  /** With unparsed values, by the names of the parameters. */
  run(given: Record<"arguments" | "options", Record<string, unknown>>, io: CommandIo): Promise<number>;
}

/** This one declaration gives help, parsing and the types of what `run` receives. */
export function command<
  Arguments extends Parameters = Record<never, never>,
  Options extends Parameters = Record<never, never>,
>(declared: Declaration<Arguments, Options>): Command {
  return {
    name: declared.name,
    summary: declared.summary,
    details: declared.details,
    arguments: declared.arguments ?? {},
    options: declared.options ?? {},
    async run(given, io) {
      const code = await declared.run({
        ...io,
        arguments: valuesOf(declared.arguments, given.arguments, (name) => name.toUpperCase()),
        options: valuesOf(declared.options, given.options, (name) => `--${name}`),
      });
      return code ?? 0;
    },
  };
}

function valuesOf<Declared extends Parameters>(
  declared: Declared | undefined,
  given: Record<string, unknown>,
  shown: (name: string) => string,
): Values<Declared> {
  const values: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(declared ?? {})) {
    const result = schema.safeParse(given[name]);
    if (!result.success)
      throw new OperatorError(`${shown(name)}: ${result.error.issues.map((issue) => issue.message).join("; ")}.`);
    values[name] = result.data;
  }
  return values as Values<Declared>; // every value was parsed by its own schema just above
}
