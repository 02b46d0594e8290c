import type { Actor } from "../../http/actor.ts";
import { actorById } from "../../identity/sign-in/authenticate.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import type { ReceivedFile } from "./upload/receive-upload.ts";

/**
 * The uploader with the rights that hold once the file is there. A file may take hours to arrive, and the account may have
 * been deactivated or lost its role since. How the uploader signed in is not checked again: tokens of a provider end
 * earlier than that.
 */
export async function uploaderNow(
  deps: Pick<Deps, "db" | "clock" | "settings">,
  { id, byAccessToken }: Actor,
  { staged }: ReceivedFile,
): Promise<Actor> {
  try {
    const actor = await actorById(deps, id);
    if (!actor) throw new Refusal("error.user.not.authenticated");
    return { ...actor, byAccessToken };
  } catch (error) {
    await staged.discard();
    throw error;
  }
}
