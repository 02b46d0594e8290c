import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import type { ownSecondFactors, secondFactorItem } from "@packhouse/contract/second-factors";
import type { Viewer } from "../../http/application.ts";
import type { SecondFactor } from "./store.ts";

/** A factor without links. */
export const secondFactorBody = (row: SecondFactor) => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  createdOn: instantText(row.created_on),
  lastUsedOn: row.last_used_on ? instantText(row.last_used_on) : "",
});

export function presentSecondFactor(row: SecondFactor, { actor, api }: Viewer): Sent<typeof secondFactorItem> {
  const self = `${api}/second-factors/${row.id}`;
  return {
    ...secondFactorBody(row),
    links: actor.byAccessToken
      ? []
      : [
          { rel: "self", href: self, type: "PATCH", modifiableProperties: ["name"] },
          { rel: "removal", href: `${self}/removal`, type: "POST" },
        ],
  };
}

export const presentOwnFactors = (
  factors: readonly SecondFactor[],
  facts: Pick<Sent<typeof ownSecondFactors>, "methods" | "required" | "recoveryCodes">,
  viewer: Viewer,
): Sent<typeof ownSecondFactors> => ({
  links: [{ rel: "self", href: `${viewer.api}/second-factors` }],
  factors: factors.map((factor) => presentSecondFactor(factor, viewer)),
  ...facts,
});
