import { hasPath } from "@packhouse/contract/operation";
import type { FastifyInstance } from "fastify";
import { pathOf } from "./routed-address.ts";

/** Routes for whatever no other route serves, which makes no address known: the console's pages, and preflights. */
const anyAddress = new Set(["/*", "*"]);

/**
 * Keeps which methods each route has, from now on. The result says which ones an address has, to tell an unknown
 * address from one that is called by another method; none if it is unknown.
 */
export function watchMethods(app: FastifyInstance): (url: string) => string[] {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    if (anyAddress.has(url)) return;
    const known = methods.get(url) ?? new Set();
    methods.set(url, known);
    for (const one of [method].flat()) known.add(one);
  });
  return (url) => {
    const path = pathOf(url);
    const offered = [...methods].flatMap(([template, some]) => (isAt(template, path) ? [...some] : []));
    return offered.length === 0 ? [] : [...new Set([...offered, "OPTIONS"])].toSorted();
  };
}

/** Whether an address belongs to a route, whose last part may stand for any further parts. */
function isAt(template: string, path: string): boolean {
  if (!template.endsWith("/*")) return hasPath({ path: template }, path);
  const parts = template.split("/").slice(0, -1);
  return (
    path.split("/").length > parts.length && hasPath({ path: parts.join("/") }, path.split("/", parts.length).join("/"))
  );
}
