import { type Link, patchLink } from "@packhouse/contract/links";
import type { Viewer } from "../../http/application.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { canDelete, canPatch, type Maintainer } from "./maintainer.ts";
import type { MaintainerBody, MaintainerScope } from "./scopes.ts";

/** Presents records as callers see them: with the links of what they may do. */
export const maintainerPresenter =
  <Row extends Maintainer, Body extends MaintainerBody>(
    { operations, listRel, rules, body }: MaintainerScope<Row, Body>,
    settings: Pick<Settings, "maintainers.several">,
  ) =>
  (row: Row, { actor, api }: Viewer): Body & { links: Link[] } => {
    const list = `${api}${operations.create.path}`;
    const self = `${list}/${row.id}`;
    return {
      ...body(row),
      links: [
        { rel: "self", href: self },
        { rel: listRel, href: list },
        ...(canPatch(rules, actor, row, settings["maintainers.several"])
          ? [patchLink(self, { onlyDeletion: row.deleted })]
          : []),
        ...(canDelete(rules, actor, row) ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
      ],
    };
  };
