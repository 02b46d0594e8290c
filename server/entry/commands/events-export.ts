import { exportFormat, exportLine, exportStart } from "@packhouse/contract/event-export";
import { eventList } from "@packhouse/contract/events";
import { apiPrefix } from "@packhouse/contract/operation";
import { z } from "zod";
import { eventResources } from "../../app/event-resources.ts";
import { exportEvents } from "../../features/events/export-events.ts";
import { addressWithoutRequest } from "../../http/addresses.ts";
import { firstAdministrator } from "../../identity/sign-in/first-administrator.ts";
import { systemClock } from "../../platform/clock.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { command, flag, option } from "./command.ts";
import { inInstallation } from "./installation.ts";

const text = z.string().min(1).optional();
const { fromDate, toDate, userName, eventType } = eventList.filters;

/** A time bound as the list reads it; the list ignores an invalid one, here it is an error. */
const bound = (filter: typeof fromDate) =>
  text.transform((value, context) => {
    if (value === undefined) return undefined;
    const at = filter.parse([value]);
    if (!at) context.addIssue({ code: "custom", message: "is neither a day such as 2026-11-25 nor a time" });
    return at;
  });

export const eventsExport = command({
  name: "events export",
  summary: "Writes the events to standard output, newest first.",
  details:
    "It exports what an administrator can see. With --security, it writes security events only (sign-ins, changes of accounts and passwords, uses of access tokens).",
  options: {
    format: option(
      exportFormat.default("jsonl"),
      "FORMAT",
      "jsonl (one JSON object per line) or csv (default: jsonl).",
    ),
    security: flag("Writes security events."),
    purged: flag("Includes events about purged records."),
    from: option(bound(fromDate), "DATE", "First day (UTC) or time."),
    to: option(bound(toDate), "DATE", "Last day (UTC) or time."),
    user: option(text, "LOGIN", "Only events of these users, by login or name, separated by commas."),
    type: option(text, "TYPE", "Only these types of events, separated by commas."),
  },
  async run({ environment, options, print }) {
    const { format, security, purged, from, to, user, type } = options;
    await inInstallation(environment, async ({ db, settings }) => {
      const deps = { db, settings, clock: systemClock };
      const actor = await firstAdministrator(deps);
      if (!actor)
        throw new OperatorError("There is no active administrator, whose permissions are needed to read events.");
      const filters = {
        security,
        purged,
        fromDate: from,
        toDate: to,
        userName: userName.parse(user === undefined ? [] : [user]),
        eventType: eventType.parse(type === undefined ? [] : [type]),
      };
      const api = `${addressWithoutRequest(settings)}${apiPrefix}`;
      // Lines end as the format requires; `print` adds the last line feed.
      const write = (line: string) => line !== "" && print(line.replace(/\n$/, ""));
      write(exportStart(format, security));
      const readers = eventResources(deps);
      for await (const part of exportEvents(deps, readers, filters, { actor, api }))
        for (const event of part) write(exportLine(format, event, security));
    });
  },
});
