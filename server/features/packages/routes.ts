import { Readable } from "node:stream";
import type { FilterValues, ListQuery } from "@packhouse/contract/list-contract";
import * as contents from "@packhouse/contract/operations/package-contents";
import * as operations from "@packhouse/contract/operations/packages";
import { type packageList, pythonPackageList, rPackageList } from "@packhouse/contract/packages";
import { may } from "@packhouse/contract/permissions";
import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import type { StoredPackage } from "@packhouse/formats/r/vignettes";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import type { Actor } from "../../http/actor.ts";
import type { App, Viewer } from "../../http/application.ts";
import { Fitted } from "../../http/handle.ts";
import { attachment } from "../../http/headers/attachment.ts";
import { hasReadRight } from "../../identity/read-rights.ts";
import { forcedEmpty } from "../../platform/db/pages/found.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { ObjectMissing } from "../../platform/storage/storage.ts";
import type { Deps } from "../deps.ts";
import { htmlManuals } from "../manuals/html-manual.ts";
import { readVignetteTask } from "../manuals/manual-tasks.ts";
import { findFacts } from "./contents/find-facts.ts";
import { editPackage } from "./edit-package.ts";
import { findDependencies } from "./find-dependencies.ts";
import { isVisible, mayRead } from "./package.ts";
import type { Package, ShownPackage } from "./package-columns-store.ts";
import { packagePresenter, type SinglePackage } from "./present-package.ts";
import { purgePackage } from "./purge-package.ts";
import { packages } from "./store.ts";

/** It is held in memory until it is sent. */
const largestVignette = 128 * 1024 * 1024;

interface OfPackage {
  id: number;
  actor: Actor;
}

type TechnologyQuery = ListQuery<typeof rPackageList> | ListQuery<typeof pythonPackageList>;

export function packageRoutes(app: App, deps: Deps): void {
  const present = packagePresenter(deps.settings);
  const store = packages(deps.db);

  /** Only administrators see deleted packages, whatever others ask for. */
  const visibleTo = <Filters extends FilterValues<typeof packageList>>(
    actor: Actor,
    query: ListQuery<typeof packageList> & { filters: Filters },
  ) => (may("seeDeleted", actor) ? query : { ...query, filters: { ...query.filters, deleted: false } });

  const visible = async ({ id, actor }: OfPackage, technology?: Technology): Promise<Package> => {
    const row = await store.byId(id);
    if (!row || (technology && row.technology !== technology) || !isVisible(actor, row))
      throw new Refusal("package.notfound");
    return row;
  };
  /** A package whose content this user may read; deleted ones no one may. */
  const readable = async ({ id, actor }: OfPackage, technology: Technology): Promise<Package> => {
    const row = await store.byId(id);
    if (row?.technology !== technology || row.deleted || !isVisible(actor, row)) throw new Refusal("package.notfound");
    if (!mayRead(actor, row)) throw new Refusal("user.not.authorized");
    return row;
  };
  const item = async (row: Package, viewer: Viewer) => {
    const [hashMethod, single] = await Promise.all([hashMethods([row]), singleOf(row)]);
    return present.own(row, hashMethod.get(row.repository_id) ?? "SHA256", viewer, single);
  };
  const singleOf = async (row: Package): Promise<SinglePackage> => {
    const [otherFiles, downloads] = await Promise.all([store.siblings(row), deps.downloads.ofPackage(row.id)]);
    return { otherFiles, downloads };
  };
  const hashMethods = async (rows: readonly Pick<Package, "repository_id">[]): Promise<Map<number, string>> => {
    const ids = [...new Set(rows.map((row) => row.repository_id))];
    if (ids.length === 0) return new Map();
    return store.hashMethods(ids);
  };

  app.list(
    operations.listPackages,
    async (query, actor) => {
      if (query.filters.deleted && !may("seeDeleted", actor)) throw new Refusal("user.not.authorized");
      return store.find(visibleTo(actor, query), actor);
    },
    present.base,
  );
  const ofTechnology = (technology: Technology) => async (query: TechnologyQuery, actor: Actor) => {
    if (query.filters.deleted && !may("seeDeleted", actor)) return forcedEmpty<ShownPackage & { hashMethod: string }>();
    const found = await store.findOf(technology, visibleTo(actor, query), actor);
    const methods = await hashMethods(found.rows);
    return {
      ...found,
      rows: found.rows.map((row) => ({ ...row, hashMethod: methods.get(row.repository_id) ?? "SHA256" })),
    };
  };
  app.list(operations.packageOf.R.list, ofTechnology("R"), (row, viewer) =>
    rPackageList.item.parse(present.own(row, row.hashMethod, viewer)),
  );
  app.list(operations.packageOf.Python.list, ofTechnology("Python"), (row, viewer) =>
    pythonPackageList.item.parse(present.own(row, row.hashMethod, viewer)),
  );

  app.handle(operations.readPackage, async (call) => {
    const row = await visible(call);
    return { ...present.base(row, call), ...(await singleOf(row)) };
  });

  app.handle(
    contents.readDependencies,
    async (call) => new Fitted(await findDependencies(deps, call.actor, await visible(call))),
  );

  for (const technology of ["R", "Python"] as const) {
    const { read, edit, purge, download } = operations.packageOf[technology];
    app.handle(read, async (call) => item(await visible(call, technology), call));
    app.handle(edit, async (call) =>
      item(await editPackage(deps, call.actor, { technology, id: call.id }, call.body), call),
    );
    app.handle(purge, ({ actor, id }) => purgePackage(deps, actor, technology, id));
    app.handle(download, async (call) => {
      const row = await readable(call, technology);
      if (!downloadNames(row).includes(call.file)) throw new Refusal("package.notfound");
      const bytes = await deps.storage.read(row.digest).catch((error: unknown) => {
        if (error instanceof ObjectMissing) return undefined;
        throw error;
      });
      if (!bytes) return call.reply.code(404).send();
      const { repository, normalized_name: name, digest } = row;
      const open = !repository.requiresAuthentication && !hasReadRight(deps.settings, repository.name);
      deps.downloads.countWhenSent(call.request, call.reply, { repository, open, package: name, digest });
      return call.reply
        .header("content-type", /\.(whl|zip)$/.test(row.file_name) ? "application/zip" : "application/gzip")
        .header("content-length", row.size)
        .header("content-disposition", attachment(row.file_name))
        .header("x-content-type-options", "nosniff")
        .send(bytes);
    });
  }

  const htmlManual = htmlManuals(deps.workers);
  const stored = async ({ digest, file_name, kind }: Package): Promise<StoredPackage> => ({
    source: await deps.storage.source(digest),
    fileName: file_name,
    kind,
  });

  app.handle(contents.downloadManual, async (call) => {
    const { name, version, manual_digest, manual_size } = await readable(call, "R");
    if (manual_digest === null || manual_size === null) throw new Refusal("error.manual.not.found");
    return call.reply
      .header("content-type", "application/pdf")
      .header("content-length", manual_size)
      .header("content-disposition", attachment(`${name}_${version}_manual.pdf`))
      .header("x-content-type-options", "nosniff")
      .send(await deps.storage.read(manual_digest));
  });
  app.handle(contents.downloadHtmlManual, async (call) => {
    const row = await readable(call, "R");
    const page = await htmlManual(row.digest, await stored(row)).catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
      if (error instanceof UnacceptablePackage) throw new Refusal("error.validation", error.reasons);
      call.request.log.error({ err: error, package: row.id }, "manual failed");
      throw new Refusal("package.get.reference.manual");
    });
    if (page === undefined) throw new Refusal("error.manual.not.found");
    return call.reply
      .header("content-type", "text/html; charset=utf-8")
      .header("content-disposition", "inline")
      .header("content-security-policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'")
      .header("x-content-type-options", "nosniff")
      .send(page);
  });
  app.handle(contents.listVignettes, async (call) => (await findFacts(deps, await readable(call, "R"))).vignettes);
  app.handle(contents.downloadVignette, async (call) => {
    const { file } = call;
    const { source, ...archive } = await stored(await readable(call, "R"));
    const pieces: Uint8Array[] = [];
    const size = await deps.workers
      .run(
        readVignetteTask,
        { ...archive, wanted: file, mostBytes: largestVignette },
        { source, whose: call.actor.id, onPiece: (bytes) => pieces.push(bytes) },
      )
      .catch((error: unknown) => {
        throw error instanceof UnacceptablePackage ? new Refusal("error.validation", error.reasons) : error;
      });
    if (size === undefined) throw new Refusal("error.vignette.not.found");
    if (size === null) throw invalid(["archive.too.large"]);
    return (
      call.reply
        .header("content-type", /\.pdf$/i.test(file) ? "application/pdf" : "text/html")
        .header("content-disposition", attachment(file))
        // Third-party pages: browsers must not run their scripts or give them our origin.
        .header("content-security-policy", "sandbox")
        .header("x-content-type-options", "nosniff")
        .header("content-length", size)
        .send(Readable.from(pieces, { objectMode: false }))
    );
  });
}

/** The file's own name, and the forms in which existing clients request sources. */
function downloadNames(row: Package): string[] {
  const source = formatOf(row.technology).sourceFileName(row.name, row.version);
  return row.kind === "source" ? [row.file_name, source] : [row.file_name];
}
