import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { userBody } from "./present-user.ts";
import { users } from "./store.ts";

/** How events read and show users. */
export const userResource = ({ db }: Pick<Deps, "db">) => ({
  USER: resourceReader(users(db).ofIds, (row) => row.id, userBody),
});
