import { cpuMs } from "@packhouse/fixtures/cpu-time";
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { watchMethods } from "./offered-methods.ts";

/** An application with these routes; nothing is sent to them. */
function methodsOf(routes: readonly (readonly [method: string, url: string])[]): (url: string) => string {
  const app = fastify();
  const methodsAt = watchMethods(app);
  for (const [method, url] of routes) app.route({ method, url, handler: async () => null });
  return (url) => methodsAt(url).join();
}

test.each([
  ["/users", "GET,HEAD,OPTIONS"],
  ["/users?size=1", "GET,HEAD,OPTIONS"],
  ["/users/12", "GET,HEAD,OPTIONS,PATCH"],
  ["/users/me", "GET,HEAD,OPTIONS,PATCH"],
  ["/users/", ""],
  ["/users/12/sessions", ""],
  ["/repo", ""],
  ["/repo/a", "GET,HEAD,OPTIONS"],
  ["/repo/a/b", "GET,HEAD,OPTIONS,POST"],
  ["/repo/a/b/c", "GET,HEAD,OPTIONS,POST"],
  ["/anything", ""],
])("%s has the methods of all its routes, and of no other: %s", (url, methods) => {
  const methodsAt = methodsOf([
    ["GET", "/users"],
    ["GET", "/users/:id"],
    ["PATCH", "/users/:id"],
    ["GET", "/users/me"],
    ["GET", "/repo/*"],
    ["POST", "/repo/:name/*"],
    ["GET", "/*"],
  ]);
  expect(methodsAt(url)).toBe(methods);
});

test("an address with very many parts is looked up as fast with many routes as with few", () => {
  const methodsAt = methodsOf(Array.from({ length: 500 }, (_unused, index) => ["GET", `/thing${index}/:id`] as const));
  const address = "/".repeat(15_000);
  const timeOf = (work: () => unknown) => {
    const before = cpuMs();
    for (let round = 0; round < 100; round += 1) work();
    return cpuMs() - before;
  };
  timeOf(() => methodsAt(address)); // compiled
  expect(timeOf(() => methodsAt(address))).toBeLessThan(30 * timeOf(() => address.split("/")));
});
