import { OperatorError } from "../../platform/errors/operator-error.ts";
import { runningServers } from "../../platform/jobs/running-servers.ts";
import { withEmptyPlace } from "./fill-place.ts";
import { type Place, withSnapshot } from "./snapshot.ts";

/**
 * Moves an installation to another, empty place and leaves the first one unchanged. Bytes are copied while servers run,
 * rows only when none does, locked until they are in the other place. False when servers run: called again without
 * them, it continues where it was.
 */
export async function promote(source: Place, target: Place, print: (line: string) => void): Promise<boolean> {
  return withEmptyPlace(target, async (filling) => {
    await withSnapshot(source, (content) => filling.copyObjects(content, print));
    if ((await runningServers(source)) > 0) return false;
    await withSnapshot(
      source,
      async (content) => {
        await filling.copyObjects(content, print);
        await filling.copyRows(content, async () => {
          if ((await runningServers(source)) > 0)
            throw new OperatorError("A server was started in the meantime. Stop it, and run this command again.");
        });
      },
      "are held",
    );
    return true;
  });
}
