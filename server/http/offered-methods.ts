import type { FastifyInstance } from "fastify";
import { isAt, pathOf } from "./routed-address.ts";

/** Routes for whatever no other route serves, which makes no address known: the console's pages, and preflights. */
const anyAddress = new Set(["/*", "*"]);

interface Route {
  parts: readonly string[];
  methods: Set<string>;
}

/**
 * Keeps which methods each route has, from now on. The result says which ones an address has, to tell an unknown
 * address from one that is called by another method; none if it is unknown.
 */
export function watchMethods(app: FastifyInstance): (url: string) => string[] {
  const routes = new Map<string, Route>();
  app.addHook("onRoute", ({ url, method }) => {
    if (anyAddress.has(url)) return;
    const route = routes.get(url) ?? { parts: url.split("/"), methods: new Set() };
    routes.set(url, route);
    for (const one of [method].flat()) route.methods.add(one);
  });
  return (url) => {
    const parts = pathOf(url).split("/");
    const offered = [...routes.values()].flatMap((route) => (isAt(route.parts, parts) ? [...route.methods] : []));
    return offered.length === 0 ? [] : [...new Set([...offered, "OPTIONS"])].toSorted();
  };
}
