import { type Shape, shapes } from "./promised-shapes.ts";

/** Lists: their filters, and what they sort by (`id` always). */
export interface PromisedList {
  filters: string;
  sorts: string;
  /** Sort names that such a server accepts and then fails at. */
  failingSorts?: string;
}

/** A call that the description of the API promises: what it returns, and the list that it is, if it is one. */
export interface PromisedCall {
  /** Undefined: nothing, or a file. */
  returns?: Shape;
  list?: PromisedList;
}

const nested = (prefix: string, names: string): string =>
  names
    .split(" ")
    .map((name) => `${prefix}.${name}`)
    .join(" ");
const userNames = "id name login email";
const repositoryNames = "id name publicationUri published requiresAuthentication technology lastPublicationSuccessful";

const packageSorts = `id user repository submission name version source active deleted technology binary description author title url descriptionContentType ${nested("user", userNames)} ${nested("submission", "id state")}`;
const repositorySorts =
  "id version publicationUri name serverAddress deleted published technology requiresAuthentication lastPublicationTimestamp lastModifiedTimestamp lastPublicationSuccessful";
const submissionSorts = `id packageBag submitter approver changes state created ${nested("submitter", userNames)} ${nested("approver", userNames)} ${nested("packageBag", "id user repository submission name version source active deleted technology binary")} ${nested("packageBag.user", userNames)} ${nested("packageBag.submission", "id state")}`;
const maintainerSorts = `id user repository deleted ${nested("user", userNames)} ${nested("repository", repositoryNames)}`;

const packages = (filters: string): PromisedList => ({
  filters,
  sorts: packageSorts,
  failingSorts: nested("repository", repositoryNames),
});
const repositories = (filters: string): PromisedList => ({
  filters,
  sorts: repositorySorts,
  failingSorts: "numberOfPackages synchronizing",
});
const submissions = (filters: string): PromisedList => ({
  filters,
  sorts: submissionSorts,
  failingSorts: `technology ${nested("packageBag.repository", repositoryNames)}`,
});

const ofTechnology = (path: "r" | "python", shape: Shape, packageShape: Shape): Record<string, PromisedCall> => ({
  [`GET /${path}/repositories`]: { returns: shape, list: repositories("deleted name") },
  [`POST /${path}/repositories`]: { returns: shape },
  [`GET /${path}/repositories/:id`]: { returns: shape },
  [`PATCH /${path}/repositories/:id`]: { returns: shape },
  [`DELETE /${path}/repositories/:id`]: {},
  [`POST /${path}/repositories/:id/republish`]: { returns: shape },
  [`POST /${path}/repositories/:id/synchronize-mirrors`]: {},
  [`GET /${path}/repositories/:id/synchronization-status`]: { returns: shapes.synchronizationStatus },
  [`GET /${path}/packages`]: { returns: packageShape, list: packages("repository deleted submissionState name") },
  [`GET /${path}/packages/:id`]: { returns: packageShape },
  [`PATCH /${path}/packages/:id`]: { returns: packageShape },
  [`DELETE /${path}/packages/:id`]: {},
  [`GET /${path}/packages/:id/download/:file`]: {},
  [`GET /${path}/submissions`]: {
    returns: shapes.submission,
    list: submissions(`state ${path === "r" ? "" : "technology "}repository fromDate toDate search`),
  },
  [`GET /${path}/submissions/:id`]: { returns: shapes.submission },
  [`POST /${path}/submissions`]: { returns: shapes.submission },
  [`PATCH /${path}/submissions/:id`]: { returns: shapes.submission },
  [`DELETE /${path}/submissions/:id`]: {},
});

const maintainers = (path: string, shape: Shape, list: PromisedList): Record<string, PromisedCall> => ({
  [`GET /${path}`]: { returns: shape, list },
  [`POST /${path}`]: { returns: shape },
  [`GET /${path}/:id`]: { returns: shape },
  [`PATCH /${path}/:id`]: { returns: shape },
  [`DELETE /${path}/:id`]: {},
});

export const promisedCalls: Record<string, PromisedCall> = {
  "GET /config": { returns: shapes.configuration },
  "GET /r/config": { returns: shapes.rConfiguration },
  "POST /check-server-address": {},

  "GET /users": {
    returns: shapes.user,
    list: {
      filters: "role active deleted search",
      sorts: `id name email login active lastLoggedInOn createdOn deleted role userSettings ${nested("userSettings", "language theme pageSize")}`,
      failingSorts: "roleId",
    },
  },
  "GET /users/roles": { returns: { links: "value", content: { each: shapes.role } } },
  "GET /users/me": { returns: shapes.user },
  "GET /users/:id": { returns: shapes.user },
  "PATCH /users/:id": { returns: shapes.user },
  "GET /user-settings/:id": { returns: shapes.userSettings },
  "PATCH /user-settings/:id": { returns: shapes.userSettings },

  "GET /access-tokens": {
    returns: shapes.accessToken,
    list: {
      filters: "search active expired userLogin",
      sorts: `id name value creationDate expirationDate active deleted user lastUsed ${nested("user", userNames)}`,
    },
  },
  "POST /access-tokens": { returns: shapes.accessToken },
  "GET /access-tokens/:id": { returns: shapes.accessToken },
  "PATCH /access-tokens/:id": { returns: shapes.accessToken },
  "DELETE /access-tokens/:id": {},

  "GET /repositories": {
    returns: shapes.repository,
    list: repositories("deleted technology published maintainer name search"),
  },
  "GET /repositories/:id": { returns: shapes.repository },
  "GET /r/repositories/bad-endpoint": {},
  "GET /packages": {
    returns: shapes.package,
    list: packages("repository deleted submissionState technology search maintainer"),
  },
  "GET /packages/:id": { returns: shapes.package },
  "GET /submissions": {
    returns: shapes.submission,
    list: submissions("state technology repository fromDate toDate search"),
  },
  "GET /submissions/:id": { returns: shapes.submission },
  ...ofTechnology("r", shapes.rRepository, shapes.rPackage),
  ...ofTechnology("python", shapes.pythonRepository, shapes.pythonPackage),
  "GET /r/packages/:id/manual": {},
  "GET /r/packages/:id/vignettes": { returns: { each: shapes.vignette } },
  "GET /r/packages/:id/vignettes/:file": {},

  ...maintainers("package-maintainers", shapes.packageMaintainer, {
    filters: "deleted technology repository search",
    sorts: `${maintainerSorts} packageName`,
  }),
  ...maintainers("repository-maintainers", shapes.repositoryMaintainer, {
    filters: "deleted resourceTechnology search",
    sorts: maintainerSorts,
  }),

  "GET /events": {
    returns: shapes.event,
    list: {
      filters: "technology userName eventType resourceType fromDate toDate packageName packageVersion repositoryName",
      sorts: "id time",
    },
  },
  "GET /events/:id": { returns: shapes.event },
};

/** The promised call at a path, its parameters by name; `/users/me` before `/users/:id`. */
export function callAt(method: string, path: string): { name: string; call: PromisedCall; id: string } | undefined {
  const given = path.replace(/(.)\/$/, "$1").split("/");
  const found = Object.entries(promisedCalls).flatMap(([name, call]) => {
    const [wanted = "", template = ""] = name.split(" ");
    const parts = template.split("/");
    const fits = parts.length === given.length && parts.every((part, at) => part.startsWith(":") || part === given[at]);
    const at = parts.indexOf(":id");
    return wanted === method && fits ? [{ name, call, id: at < 0 ? "" : (given[at] ?? "") }] : [];
  });
  return found.toSorted((one, other) => one.name.split(":").length - other.name.split(":").length)[0];
}
