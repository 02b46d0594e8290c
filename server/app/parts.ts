import type { Logger } from "pino";
import { z } from "zod";

/** What one of the processes of a server gets at its start. */
const part = z.object({
  number: z.int(),
  of: z.int(),
  leads: z.boolean(),
  /** Where all of them listen. */
  port: z.int(),
  embedded: z.object({ host: z.string(), user: z.string(), database: z.string() }).optional(),
});
export type PartOfServer = z.output<typeof part>;

/** Not a setting: the processes that share the port get it from the one that starts them. */
const variable = "SERVER_PROCESS";
const ready = z.object({ readyAt: z.string() });
const lead = z.object({ lead: z.literal(true) });

/** The environment of a process that is to be this part. */
export const environmentOf = (it: PartOfServer): Record<string, string> => ({ [variable]: JSON.stringify(it) });

/** Which part this process is. */
export function ownPart(environment: Record<string, string | undefined>): PartOfServer {
  return part.parse(JSON.parse(environment[variable] ?? "null"));
}

/** Reports to the process that started this one that it serves, at this address. */
export function reportReady(address: string): void {
  process.send?.({ readyAt: address } satisfies z.input<typeof ready>);
}

/** The address, if this is such a message. */
export const readyAt = (message: unknown): string | undefined => ready.safeParse(message).data?.readyAt;

export const toLead: z.input<typeof lead> = { lead: true };

/** Calls back once the process that led before has ended. A process that cannot lead ends, so that another one does. */
export function whenItLeads(begin: () => Promise<void>, log: Logger): void {
  process.on("message", (message) => {
    if (!lead.safeParse(message).success) return;
    begin().catch((error: unknown) => {
      log.error({ err: error }, "this process cannot run the jobs");
      process.kill(process.pid, "SIGTERM");
    });
  });
}
