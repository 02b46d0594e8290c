import { Obstacle } from "../platform/errors/operator-error.ts";
import { type SettingName, variableOf } from "../platform/settings/settings.ts";

interface Place {
  host: string;
  port: number;
  /** The setting of the port. */
  setting: SettingName;
}

const reasons: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ host, port, setting }) =>
    `Port ${port} of ${host} is used by another program. Stop that program, or set ${variableOf(setting)} to another port.`,
  EACCES: ({ port, setting }) =>
    `This account is not allowed to listen on port ${port}. Set ${variableOf(setting)} to a port of 1024 or above.`,
  EADDRNOTAVAIL: ({ host, setting }) =>
    `This machine does not have the address ${host}. Correct ${variableOf(hostOf(setting))}.`,
  ENOTFOUND: ({ host, setting }) => `There is no host ${host}. Correct ${variableOf(hostOf(setting))}.`,
};

const hostOf = (setting: SettingName): string => setting.replace(/port$/, "host");

/** Starts to listen. A failure is reported in one sentence, with what to do. */
export async function listening<Result>(place: Place, listen: () => Promise<Result>): Promise<Result> {
  try {
    return await listen();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason = reasons[code]?.(place);
    throw reason === undefined ? error : new Obstacle(reason);
  }
}
