import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../../testing/small-packages.ts";
import { expectStatements } from "../../testing/statement-count.ts";
import { visibleTo } from "./visibility-store.ts";

interface Event {
  id: number;
  time: string;
  eventType: string;
  resourceType: string;
  resourceId: number;
}

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.bySession(packhouse.admin);
});
afterAll(() => packhouse.close());

const list = async (client: Client, query = "") => {
  const answer = await client.get(`/events?size=500&${query}`);
  expect(answer.http).toBe(200);
  return answer.data.content as Event[];
};
const kinds = (events: Event[]) => events.map(({ eventType, resourceType }) => `${eventType} ${resourceType}`).sort();

/** A repository with two packages, one of them waiting, and its users. */
async function givenActivity(name: string) {
  const { given } = packhouse;
  const repository = await given.repository("R", { name });
  const [keeper, carer, uploader] = [
    await given.person(`${name}-keeper`, "repositorymaintainer"),
    await given.person(`${name}-carer`, "packagemaintainer"),
    await given.person(`${name}-uploader`),
  ];
  const post = (path: string, body: object) => admin.post(path, { repository: { id: repository.id }, ...body });
  await post("/repository-maintainers", { user: { id: keeper.id } });
  await post("/package-maintainers", { user: { id: carer.id }, packageName: "tidetable" });
  const upload = async (who: Actor, packageName: string) =>
    (await (await packhouse.as(who)).upload("R", await smallRPackage(packageName, "1.0"), { repository: name })).data;
  const accepted = await upload(packhouse.admin, "tidetable");
  const waiting = await upload(uploader, "gridwalk");
  await admin.patch(`/r/packages/${accepted.packageBag.id}`, [replace("/active", false)]);
  return { repository, keeper, carer, uploader, accepted, waiting };
}

describe("an event", () => {
  test("shows author, action and resource, as the resource is now", async () => {
    const { repository, uploader, waiting } = await givenActivity("shape");
    const [event] = await list(admin, `userName=${uploader.login}`);
    const api = `${packhouse.address}/api/v2/manager/events`;
    const { links: _, ...packageBag } = (await admin.get(`/packages/${waiting.packageBag.id}`)).data;
    const { id, user, submission, name, version, source, active, deleted, technology, binary } = packageBag;
    expect(event).toEqual({
      id: expect.any(Number),
      technology: "R",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      user: { id: uploader.id, name: uploader.name, login: uploader.login, email: uploader.email },
      eventType: "upload",
      resourceType: "SUBMISSION",
      resourceId: waiting.id,
      changedProperties: [],
      description: expect.stringContaining("gridwalk 1.0"),
      relatedResource: {
        id: waiting.id,
        packageBag: {
          id,
          user,
          repository: packageBag.repository,
          submission,
          name,
          version,
          source,
          active,
          deleted,
          technology,
          binary,
          links: [],
        },
        submitter: waiting.submitter,
        approver: null,
        changes: waiting.changes,
        state: "WAITING",
        created: waiting.created,
        technology: "R",
      },
      links: [
        { rel: "self", href: `${api}/${event?.id}` },
        { rel: "eventList", href: api },
      ],
    });
    expect((await admin.get(`/events/${event?.id}`)).data).toEqual(event);
    const related = (await list(admin, `repositoryName=${repository.name}&resourceType=repository`))[0];
    expect(related).toMatchObject({ relatedResource: { id: repository.id, name: "shape", published: true } });
  });

  test("is not found where there is none", async () => {
    expect((await admin.get("/events/999999")).messageCode).toBe("event.notfound");
  });

  test("about another user's account is not shown to those whose list lacks it", async () => {
    const [person, stranger, maintainer] = [
      await packhouse.given.person("account"),
      await packhouse.given.person("stranger"),
      await packhouse.given.person("maintainer", "packagemaintainer"),
    ];
    await admin.patch(`/users/${person.id}`, [replace("/roleId", 2)]);
    await admin.patch(`/users/${person.id}`, [replace("/roleId", 1)]);
    const event = (await list(admin, "resourceType=user")).find(({ resourceId }) => resourceId === person.id);
    const seenBy = async (who: Actor) => (await (await packhouse.as(who)).get(`/events/${event?.id}`)).http;
    expect([await seenBy(person), await seenBy(stranger), await seenBy(maintainer)]).toEqual([404, 404, 404]);
    expect(await seenBy(packhouse.admin)).toBe(200);
  });
});

describe("the list of events", () => {
  test("shows the newest first, as its links state", async () => {
    await givenActivity("order");
    const answer = await admin.get("/events?size=3");
    const times = answer.data.content.map((event: Event) => Date.parse(event.time));
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    expect(answer.data.links.find(({ rel }: { rel: string }) => rel === "next").href).toMatch(/sort=time,desc$/);
    expect((await admin.get("/events?sort=shoeSize")).messageCode).toBe("unrecognized.query.parameter");
  });

  test("shows users what they did themselves", async () => {
    const { uploader } = await givenActivity("users");
    expect(kinds(await list(await packhouse.as(uploader)))).toEqual(["upload SUBMISSION"]);
    expect(await list(await packhouse.as(await packhouse.given.person("idle")))).toEqual([]);
  });

  test("shows package maintainers what happened to their packages, and to no others", async () => {
    const { carer, accepted } = await givenActivity("packages");
    const client = await packhouse.as(carer);
    const all = ["create PACKAGE_MAINTAINER", "update PACKAGE", "upload SUBMISSION"];
    const seen = await list(client);
    expect(kinds(seen)).toEqual(all);
    expect(seen.find(({ resourceType }) => resourceType === "SUBMISSION")?.resourceId).toBe(accepted.id);

    await admin.patch(`/r/packages/${accepted.packageBag.id}`, [replace("/deleted", true)]);
    expect(kinds(await list(client))).toEqual(["create PACKAGE_MAINTAINER"]);
    await admin.patch(`/users/${carer.id}`, [replace("/roleId", 1)]);
    expect(await list(client)).toEqual([]);
  });

  test("shows package maintainers their own record also after its deletion, but no longer what it covered", async () => {
    const { carer } = await givenActivity("former");
    const client = await packhouse.as(carer);
    const [{ id }] = (await admin.get("/package-maintainers?repository=former")).data.content;
    const stranger = await packhouse.as(await packhouse.given.person("former-stranger", "packagemaintainer"));
    await admin.patch(`/package-maintainers/${id}`, [replace("/deleted", true)]);
    const seen = await list(client);
    expect(kinds(seen)).toEqual(["create PACKAGE_MAINTAINER", "update PACKAGE_MAINTAINER"]);
    expect((await client.get(`/events/${seen[0]?.id}`)).http).toBe(200);
    expect((await stranger.get(`/events/${seen[0]?.id}`)).http).toBe(404);
  });

  test("shows repository maintainers what happened in their repositories, and in no others", async () => {
    const { keeper, accepted } = await givenActivity("repositories");
    const client = await packhouse.as(keeper);
    const all = [
      "create PACKAGE_MAINTAINER",
      "create REPOSITORY",
      "create REPOSITORY_MAINTAINER",
      "update PACKAGE",
      "upload SUBMISSION",
      "upload SUBMISSION",
    ];
    expect(kinds(await list(client))).toEqual(all);
    await admin.patch(`/r/packages/${accepted.packageBag.id}`, [replace("/deleted", true)]);
    expect(kinds(await list(client))).toEqual(all.filter((kind) => kind !== "update PACKAGE"));
    expect(await list(client, "repositoryName=packages")).toEqual([]);
  });

  test("shows users with a maintainer's role but no record only their own", async () => {
    const idle = await packhouse.given.person("idle-keeper", "repositorymaintainer");
    expect(await list(await packhouse.as(idle))).toEqual([]);
  });

  test("is filtered by type, resource, author and time", async () => {
    const { uploader } = await givenActivity("filters");
    const by = `userName=${uploader.name.toUpperCase()}`;
    expect(kinds(await list(admin, by))).toEqual(["upload SUBMISSION"]);
    expect(kinds(await list(admin, `${by},nobody&technology=r&eventType=upload,create`))).toEqual([
      "upload SUBMISSION",
    ]);
    expect(await list(admin, `${by}&technology=python`)).toEqual([]);
    expect(await list(admin, `${by}&resourceType=packageMaintainer`)).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await list(admin, `${by}&fromDate=${today}&toDate=${today}`)).toHaveLength(1);
    expect(await list(admin, `${by}&toDate=2020-01-01T00:00:00%2B01:00`)).toEqual([]);
    expect(await list(admin, `${by}&fromDate=yesterday`)).toHaveLength(1);
  });

  test.each(["eventType=created", "eventType=create,CREATE", "resourceType=PACKAGE", "resourceType=package,person"])(
    "is forced empty by %s",
    async (query) => {
      const { data } = await admin.get(`/events?${query}&sort=id,desc`);
      expect(data).toEqual({
        links: [{ rel: "self", href: `${packhouse.address}/api/v2/manager/events?${query}&sort=id,desc` }],
        content: [],
        page: { size: 0, totalElements: 0, totalPages: 1, number: 0 },
      });
    },
  );

  test("is filtered by repository, package and version", async () => {
    const { repository } = await givenActivity("named");
    await givenActivity("namesake");
    const other = await packhouse.given.repository("Python");
    await admin.upload("Python", await smallSdist("tidetable", "9.9"), { repository: other.name });

    const inRepository = await list(admin, `repositoryName=${repository.name}`);
    expect(kinds(inRepository)).toEqual([
      "create PACKAGE_MAINTAINER",
      "create REPOSITORY",
      "create REPOSITORY_MAINTAINER",
      "update PACKAGE",
    ]);
    expect(kinds(await list(admin, `repositoryName=${repository.name}&packageName=tidetable`))).toEqual([
      "create PACKAGE_MAINTAINER",
      "update PACKAGE",
      "upload SUBMISSION",
    ]);
    expect(kinds(await list(admin, "packageName=tidetable&packageVersion=9.9&resourceType=submission"))).toEqual([
      "upload SUBMISSION",
    ]);
    expect(
      kinds(await list(admin, `repositoryName=${repository.name}&packageName=tidetable&packageVersion=8`)),
    ).toEqual(["create PACKAGE_MAINTAINER"]);
    expect(await list(admin, "packageName=TIDETABLE")).toEqual([]);
    expect((await list(admin, "packageVersion=9.9")).length).toBeGreaterThan(20);
  });

  test("filtered by names never shows more than the caller may see", async () => {
    await givenActivity("guarded");
    const { keeper } = await givenActivity("guard");
    const client = await packhouse.as(keeper);
    for (const query of [
      "packageName=tidetable&repositoryName=guarded",
      "repositoryName=guarded",
      "userName=admin&repositoryName=guarded",
    ])
      expect(await list(client, query)).toEqual([]);
    expect(kinds(await list(client, "packageName=tidetable"))).toEqual([
      "create PACKAGE_MAINTAINER",
      "update PACKAGE",
      "upload SUBMISSION",
    ]);
  });

  test("shows events of purged records only to administrators, on request", async () => {
    const { keeper, accepted, repository } = await givenActivity("purged");
    const path = `/r/packages/${accepted.packageBag.id}`;
    await admin.patch(path, [replace("/deleted", true)]);
    expect((await admin.delete(path)).http).toBe(204);
    const about = `resourceType=package,submission&repositoryName=${repository.name}`;
    const of = (events: Event[]) =>
      kinds(
        events.filter(
          ({ resourceId, resourceType }) => resourceType === "PACKAGE" && resourceId === accepted.packageBag.id,
        ),
      );
    expect(of(await list(admin, "resourceType=package"))).toEqual([]);
    expect(of(await list(admin, "resourceType=package&purged=true"))).toEqual([
      "delete PACKAGE",
      "update PACKAGE",
      "update PACKAGE",
    ]);
    expect(await list(await packhouse.as(keeper), `${about}&purged=true`)).toEqual([]);
    const gone = (await list(admin, "resourceType=package&eventType=delete&purged=true"))[0];
    expect((await (await packhouse.as(keeper)).get(`/events/${gone?.id}`)).messageCode).toBe("event.notfound");
    expect((await admin.get(`/events/${gone?.id}`)).messageCode).toBe("event.notfound");
    expect(await admin.get(`/events/${gone?.id}?purged=true`)).toMatchObject({
      http: 200,
      data: {
        relatedResource: { id: accepted.packageBag.id },
        links: [{ rel: "self", href: expect.stringMatching(/\/events\/\d+\?purged=true$/) }, {}],
      },
    });
    expect((await admin.get(`/events/${gone?.id}?purged=perhaps`)).http).toBe(400);
  });

  test("takes at most five statements, whatever records are on the page", async () => {
    await givenActivity("statements");
    const events = await list(admin);
    expect(new Set(events.map(({ resourceType }) => resourceType)).size).toBeGreaterThanOrEqual(5);
    await expectStatements(packhouse, () => list(admin), 5);
  });
});

describe("the number of events", () => {
  test("stays right while events are added and purges remove some", async () => {
    const { db } = packhouse.deps;
    // More than may be recent, so that a part of them is remembered.
    await sql`
      insert into events (occurred_on, user_id, event_type, resource_type, resource_id, changed_properties, description)
      select '2026-01-01'::timestamptz + i * interval '1 second', ${packhouse.admin.id}, 'update', 'USER', 1, '[]', ''
      from generate_series(1, 3000) as i`.execute(db);
    const queries = {
      "": sql`true`,
      "eventType=update": sql`event_type = 'update'`,
      "technology=R": sql`technology = 'R'`,
    };
    const compare = async () => {
      for (const [query, condition] of Object.entries(queries)) {
        const { data } = await admin.get(`/events?size=1&${query}`);
        const { rows } = await sql<{ count: number }>`
          select count(*) from events where not purged and ${condition}`.execute(db);
        expect([query, data.page.totalElements]).toEqual([query, rows[0]?.count]);
      }
    };
    await compare();
    const { accepted, repository } = await givenActivity("counted");
    await compare();
    await admin.patch(`/r/packages/${accepted.packageBag.id}`, [replace("/deleted", true)]);
    await admin.delete(`/r/packages/${accepted.packageBag.id}`);
    await compare();
    await admin.delete(`/r/repositories/${repository.id}`);
    await compare();
  });
});

describe("the number of events that a user sees", () => {
  test("stays right while packages are deleted, restored and purged, and maintainers get more repositories", async () => {
    const { accepted, repository, keeper, carer, uploader } = await givenActivity("seen");
    const { repository: other, accepted: foreign } = await givenActivity("unseen");
    const callers = await Promise.all([keeper, carer, uploader].map((person) => packhouse.as(person)));
    const compare = async () => {
      for (const client of callers)
        for (const query of ["", "eventType=update", "resourceType=package", "resourceType=submission,repository"]) {
          const { data } = await client.get(`/events?size=1&${query}`);
          expect([query, data.page.totalElements]).toEqual([query, (await list(client, query)).length]);
        }
    };
    const change = async (pkg: { packageBag: { id: number } }, path: string, value: boolean) =>
      expect((await admin.patch(`/r/packages/${pkg.packageBag.id}`, [replace(path, value)])).http).toBe(200);
    await compare();
    await change(accepted, "/deleted", true);
    await compare();
    await change(accepted, "/deleted", false);
    await compare();
    await change(foreign, "/deleted", true);
    const added = { user: { id: keeper.id }, repository: { id: other.id } };
    expect((await admin.post("/repository-maintainers", added)).http).toBe(201);
    await compare();
    await change(accepted, "/deleted", true);
    await admin.delete(`/r/packages/${accepted.packageBag.id}`);
    await compare();
    await admin.patch(`/r/repositories/${repository.id}`, [replace("/deleted", true)]);
    await compare();
    await admin.delete(`/r/repositories/${repository.id}`);
    await compare();
  });
});

describe("what a maintainer sees of a long history", () => {
  test("is found by indexes", async () => {
    const { db, clock } = packhouse.deps;
    const { keeper, carer, repository, accepted } = await givenActivity("history");
    await db.transaction().execute(async (tx) => {
      await recordEvent(tx, {
        by: packhouse.admin,
        at: clock(),
        type: "republish",
        resource: "REPOSITORY",
        resourceId: repository.id,
        place: { technology: "R", repositoryId: repository.id, packageId: accepted.packageBag.id },
        description: "A model of the history.",
      });
      await sql`
        insert into events (occurred_on, user_id, event_type, resource_type, resource_id, technology, repository_id,
          changed_properties, description)
        select occurred_on - i * interval '1 minute', user_id, event_type, resource_type, 1000000 + i, technology,
          1000000 + i, changed_properties, description
        from (select * from events order by id desc limit 1) as model, generate_series(1, 20000) as i`.execute(tx);
    });
    await sql`analyze events`.execute(db);
    for (const person of [keeper, carer]) {
      const actor = await packhouse.given.again(person);
      const counted = db.selectFrom("events").where(visibleTo(actor)).select(sql<number>`count(*)`.as("count"));
      const plan = await counted.explain("text", sql`costs off`);
      expect(JSON.stringify(plan)).not.toContain("Seq Scan on events");
      expect(JSON.stringify(plan)).toContain("on events_");
    }
    // To look up packages seems so expensive to PostgreSQL that it would rather read all events of another kind.
    const ofOthers = db
      .selectFrom("events")
      .where(visibleTo(await packhouse.given.again(keeper), false))
      .select("id");
    expect(JSON.stringify(await ofOthers.explain("text", sql`costs off`))).not.toContain("packages");
  });
});
