import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { accessTokenBody } from "./present-access-token.ts";
import { accessTokens } from "./store.ts";

/** How events read and show access tokens. */
export const accessTokenResource = ({ db, clock }: Pick<Deps, "db" | "clock">) => ({
  ACCESS_TOKEN: resourceReader(
    accessTokens(db).ofIds,
    (row) => row.id,
    (row) => accessTokenBody(row, clock()),
  ),
});
