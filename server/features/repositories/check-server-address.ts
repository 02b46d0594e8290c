import { isUsableAddress } from "@packhouse/contract/addresses";
import { withoutTrailing } from "@packhouse/formats/trim-characters";
import { Refusal } from "../../platform/errors/refusal.ts";
import { isListedOrigin } from "../../publish/copies/push/listed-origin.ts";

/** A repository server that takes longer is as good as down. */
const patienceMs = 5000;

/**
 * Whether a repository can be published to an address. This server itself publishes all but those whose address has one
 * of the listed origins; only those are asked, so nobody can make the server call anything else.
 */
export async function checkServerAddress(address: string, targets: readonly string[]): Promise<void> {
  if (!isUsableAddress(address)) throw new Refusal("error.invalid.serveraddress");
  const { pathname } = new URL(address);
  if (withoutTrailing(pathname, "/") === "") throw new Refusal("error.unhealthy.serveraddress");
  if (isListedOrigin(address, targets) && !(await isHealthy(address)))
    throw new Refusal("error.unhealthy.serveraddress");
}

async function isHealthy(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${withoutTrailing(address, "/")}/status`, {
      redirect: "error",
      signal: AbortSignal.timeout(patienceMs),
    });
    return answer.status === 200 && (await answer.text()).trim() === "OK";
  } catch {
    return false; // that is the answer
  }
}
