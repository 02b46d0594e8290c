import { eventList } from "@packhouse/contract/events";
import { packageList } from "@packhouse/contract/packages";
import { submissionList } from "@packhouse/contract/submissions";
import { userList } from "@packhouse/contract/users";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
  differsFromDefault,
  droppedFrom,
  listSearch,
  nextSort,
  pageNumbers,
  readAddress,
  requestQuery,
  withOpenRow,
  writeAddress,
  type Zone,
} from "./list-address.ts";

const defaults = { filters: { deleted: "false" }, sort: { field: "name", direction: "asc" } } as const;

describe("the address of a list", () => {
  test("omits defaults", () => {
    expect(writeAddress(readAddress(packageList, {}, defaults), defaults)).toEqual({});
  });

  test("reads what it wrote", () => {
    const search = fc.record(
      {
        search: fc.string({ minLength: 1 }).filter((text) => text !== "any"),
        technology: fc.constantFrom("R", "Python", "R,Python"),
        deleted: fc.constantFrom("any", "true"),
        sort: fc.constantFrom("name,desc", "version,asc", "active,desc"),
        page: fc.integer({ min: 2, max: 999 }).map(String),
        size: fc.constantFrom("10", "50"),
        open: fc.integer({ min: 1 }).map(String),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(search, (given) => {
        const search = listSearch(packageList)(given);
        expect(search).toEqual(given);
        expect(writeAddress(readAddress(packageList, search, defaults), defaults)).toEqual(given);
      }),
      propertyRuns(100),
    );
  });

  test("ignores invalid values", () => {
    const nonsense = {
      deleted: "perhaps",
      sort: "shoeSize,asc",
      page: "-3",
      size: "many",
      open: "the first",
      colour: "red",
      toString: "x",
      technology: 7,
    };
    const search = listSearch(packageList)(nonsense);
    expect(search).toEqual({});
    for (const sort of ["name", "name,up", "name,asc,version", ",asc"])
      expect([sort, listSearch(packageList)({ sort })]).toEqual([sort, {}]);
    expect(readAddress(packageList, search, defaults)).toEqual({
      filters: { deleted: "false" },
      sort: defaults.sort,
      page: 1,
      size: undefined,
      open: undefined,
    });
  });

  test("keeps as many rows open as an address may name, and the last ones when there are more", () => {
    let open: string[] = [];
    for (let id = 1; id <= 130; id += 1) open = withOpenRow(open, String(id));
    expect(open.at(-1)).toBe("130");
    expect(listSearch(packageList)({ open: open.join(",") })).toEqual({ open: open.join(",") });
    expect(listSearch(packageList)({ open: [...open, "131"].join(",") })).toEqual({});
  });

  test("requests pages from 0, without defaults that were lifted", () => {
    const address = readAddress(packageList, { deleted: "any", page: "3", technology: "R,Python" }, defaults);
    expect(requestQuery(address, 20, "version,desc").toString()).toBe(
      "technology=R%2CPython&page=2&size=20&sort=name%2Casc&sort=version%2Cdesc",
    );
  });
});

describe("an address with values that nothing can match", () => {
  test("keeps the known ones, and names what was dropped", () => {
    const search = {
      submissionState: "WAITING,BLAH",
      technology: "Cobol",
      origin: "mirror",
      repository: "nowhere",
      colour: "red",
      sort: undefined,
    };
    const kept = listSearch(packageList)(search);
    expect(kept).toEqual({ submissionState: "WAITING", origin: "mirror", repository: "nowhere" });
    expect(droppedFrom(search, kept)).toEqual(["submissionState", "technology", "colour"]);
    expect(listSearch(userList)({ role: "boss,admin" })).toEqual({ role: "admin" });
    expect(listSearch(eventList)({ eventType: "explode", resourceType: "server,moon" })).toEqual({
      resourceType: "server",
    });
    expect(listSearch(packageList)({ technology: "python" })).toEqual({ technology: "Python" });
  });
});

describe("the days of a filter", () => {
  const before = process.env.TZ;
  afterEach(() => {
    process.env.TZ = before;
  });
  const bounds = (fromDate: string, toDate: string, zone?: Zone) => {
    const address = readAddress(submissionList, { fromDate, toDate }, { filters: {}, sort: defaults.sort });
    const query = requestQuery(address, 20, undefined, zone);
    return [query.get("fromDate"), query.get("toDate")];
  };

  test("are those of the user's time zone, which the screen shows", () => {
    process.env.TZ = "Pacific/Auckland";
    expect(bounds("2026-06-10", "2026-06-10")).toEqual(["2026-06-09T12:00:00.000Z", "2026-06-10T11:59:59.999Z"]);
    process.env.TZ = "America/Los_Angeles";
    expect(bounds("2026-06-10", "2026-06-11")).toEqual(["2026-06-10T07:00:00.000Z", "2026-06-12T06:59:59.999Z"]);
  });
  test("have 23 hours when clocks go forward", () => {
    process.env.TZ = "Europe/Warsaw";
    expect(bounds("2026-03-29", "2026-03-29")).toEqual(["2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.999Z"]);
  });
  test("are days in UTC where times are shown in UTC", () => {
    process.env.TZ = "Pacific/Auckland";
    expect(bounds("2026-06-10", "2026-06-10", "utc")).toEqual(["2026-06-10", "2026-06-10"]);
  });
});

describe("sorting by a column", () => {
  test("toggles on the default column", () => {
    const standard = { field: "state", direction: "desc" } as const;
    const first = nextSort(standard, "state", standard);
    expect([first.direction, nextSort(first, "state", standard)]).toEqual(["asc", standard]);
  });

  test("goes ascending, descending, back to the default", () => {
    const first = nextSort(defaults.sort, "active", defaults.sort);
    const second = nextSort(first, "active", defaults.sort);
    expect([first.direction, second.direction, nextSort(second, "active", defaults.sort)]).toEqual([
      "asc",
      "desc",
      defaults.sort,
    ]);
  });
});

describe("the pager", () => {
  test("shows at most ten pages around the current one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (a, b) => {
        const [current, last] = [Math.min(a, b), Math.max(a, b)];
        const pages = pageNumbers(current, last);
        expect(pages).toContain(current);
        expect(pages.length).toBe(Math.min(10, last));
      }),
      propertyRuns(100),
    );
  });
});

describe("the reset button", () => {
  test("is there exactly when a filter differs from its default", () => {
    expect(differsFromDefault({ deleted: "false" }, defaults)).toBe(false);
    expect(differsFromDefault({ deleted: "any" }, defaults)).toBe(true);
    expect(differsFromDefault({ deleted: "false", search: "a" }, defaults)).toBe(true);
  });
});
