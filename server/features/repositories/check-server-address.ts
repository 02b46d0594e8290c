import { isUsableAddress } from "@packhouse/contract/addresses";
import { withoutTrailing } from "@packhouse/formats/trim-characters";
import { Refusal } from "../../platform/errors/refusal.ts";
import { isListedOrigin } from "../../publish/copies/push/listed-origin.ts";

/** A repository server that takes longer counts as down. */
const timeoutMs = 5000;

/**
 * Whether a repository can be published to an address. This server itself publishes all but those whose address has one
 * of the listed origins; it connects only to those, so that nobody can make it call anything else.
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
      signal: AbortSignal.timeout(timeoutMs),
    });
    return answer.status === 200 && (await answer.text()).trim() === "OK";
  } catch {
    return false;
  }
}
