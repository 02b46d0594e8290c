import { z } from "zod";
import { links } from "./links.ts";

export const outcome = z.enum(["SUCCESS", "WARNING", "ERROR"]);

/** The envelope of every JSON response. `message` and `messageCode` are null only in the response to a login. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({
    status: outcome,
    code: z.int(),
    message: z.string().nullable(),
    messageCode: z.string().nullable(),
    data,
  });
export type Envelope<Data> = {
  status: z.infer<typeof outcome>;
  code: number;
  message: string | null;
  messageCode: string | null;
  data: Data;
};

export const page = z.object({
  size: z.int(),
  totalElements: z.int(),
  totalPages: z.int(),
  number: z.int(),
});
export type Page = z.infer<typeof page>;

export const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ links, content: z.array(item), page });
export type PageOf<Item> = { links: z.infer<typeof links>; content: Item[]; page: Page };

/** What a 500 shows the client: enough for an administrator to find the log entry, and no internals. */
export const crashReport = z.object({ traceId: z.string(), timestamp: z.string(), details: z.string().optional() });
export type CrashReport = z.infer<typeof crashReport>;

/** An instant as the API prints it: no fraction when it is zero, otherwise groups of three digits. */
export function instantText(at: Date): string {
  return at.toISOString().replace(".000Z", "Z");
}

/** On the wire, missing instants are the empty string, never null. */
export const optionalInstant = z.string();
