import { linkOptions } from "@tanstack/react-router";
import { describe, expect, test } from "vitest";

// The compiler checks the links against `routes.tsx`.
describe("a link", () => {
  test("uses existing screens and parameters", () => {
    const links = [
      linkOptions({ to: "/packages", search: { repository: "north", sort: "version,desc" } }),
      linkOptions({ to: "/events", search: { packageName: "tidetable", view: "table" } }),
      linkOptions({ to: "/packages/$technology/$id", params: { technology: "R", id: 3 }, search: { manual: "open" } }),
      // @ts-expect-error: there is no such screen
      linkOptions({ to: "/pacakges" }),
      // @ts-expect-error: the parameter is misspelled
      linkOptions({ to: "/packages", search: { repositry: "north" } }),
      // @ts-expect-error: packages have no such field
      linkOptions({ to: "/packages", search: { sort: "shoeSize,desc" } }),
      // @ts-expect-error: there is no such view
      linkOptions({ to: "/events", search: { view: "cards" } }),
      // @ts-expect-error: the id is missing
      linkOptions({ to: "/repositories/$technology/$id", params: { technology: "R" } }),
    ];
    expect(links).toHaveLength(8);
  });
});
