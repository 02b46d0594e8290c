import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { unsubscribeAddress } from "../mail/unsubscribe-link.ts";

let it: TestPackhouse;
let secret: string;
const dayMs = 86_400_000;

beforeAll(async () => {
  it = await startPackhouse();
  const { value } = await it.deps.db
    .selectFrom("secrets")
    .select("value")
    .where("name", "=", "mail-links")
    .executeTakeFirstOrThrow();
  secret = value;
});
afterAll(() => it.close());

type Kinds = Parameters<typeof unsubscribeAddress>[2]["kinds"];
const linkFor = (user: { id: number }, kinds: Kinds, at = new Date()) =>
  unsubscribeAddress(it.address, secret, { userId: user.id, kinds }, at);
const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
const mailOf = async (user: { id: number }) => (await (await it.as(user)).get(`/user-settings/${user.id}`)).data.mail;
const usual = {
  reviews: "atOnce",
  otherReviews: "never",
  decisions: "atOnce",
  comments: "atOnce",
  tokens: "atOnce",
  mirrors: "atOnce",
};

describe("the link that stops mail", () => {
  test("works with one click in a mail program, without signing in, for the kinds of the mail", async () => {
    const mara = await it.given.person("mara");
    const answer = await fetch(linkFor(mara, ["reviews", "tokens"]), oneClick);
    expect(answer.status).toBe(200);
    expect(await mailOf(mara)).toEqual({ ...usual, reviews: "never", tokens: "never" });
    const { data } = await (await it.as(it.admin)).get("/events?security=true&eventType=settingsChange&sort=id,desc");
    expect(data.content[0]).toMatchObject({ user: { login: "mara" }, resourceType: "USER" });
    expect((await fetch(linkFor(mara, ["reviews"]), oneClick)).status).toBe(200);
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    expect((await fetch(linkFor(mara, ["mirrors"]), { method: "POST", body: form })).status).toBe(200);
    expect((await mailOf(mara)).mirrors).toBe("never");
  });

  test("asks first when it is opened, in the language of the user, and changes nothing", async () => {
    const mara = await it.given.person("opener");
    const client = await it.as(mara);
    await client.patch(`/user-settings/${mara.id}`, [replace("/language", "pl-PL")]);
    const answer = await fetch(linkFor(mara, ["decisions"]));
    const page = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(page).toContain('<html lang="pl">');
    expect(page).toContain("decyzje o Twoich zgłoszeniach");
    expect(page).toContain('<form method="post"><button>');
    expect(await mailOf(mara)).toEqual(usual);
  });

  test("works only as it was signed, for a year", async () => {
    const mara = await it.given.person("signed");
    const other = await it.given.person("other");
    const link = linkFor(mara, ["reviews"]);
    const wrong = [
      link.replace(`/${mara.id}.`, `/${other.id}.`),
      link.replace(".reviews.", ".reviews-tokens."),
      link.replace(/\.(\d{5})\./, (_all, day: string) => `.${Number(day) + 1}.`),
      link.slice(0, -1),
      `${link}.${link}`,
      `${it.address}/mail/unsubscribe/x`,
      `${it.address}/mail/unsubscribe/${"x".repeat(2000)}`,
      `${it.address}/mail/unsubscribe/%00`,
      linkFor(mara, ["reviews"], new Date(Date.now() - 367 * dayMs)),
      linkFor({ id: 999_999 }, ["reviews"]),
    ];
    for (const address of wrong)
      for (const method of ["GET", "POST"]) {
        const answer = await fetch(address, { method });
        expect([address, method, answer.status >= 400 && answer.status < 500]).toEqual([address, method, true]);
      }
    for (const person of [mara, other]) expect(await mailOf(person)).toEqual(usual);
    expect((await fetch(linkFor(mara, ["reviews"], new Date(Date.now() - 360 * dayMs)), oneClick)).status).toBe(200);
  });

  test("takes small requests, and so many of them", async () => {
    await using limited = await startPackhouse({ settings: { "limits.calls.perAddress": 30 } });
    const large = await fetch(`${limited.address}/mail/unsubscribe/x`, { method: "POST", body: "x".repeat(100_000) });
    expect(large.status).toBe(413);
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.add((await fetch(`${limited.address}/mail/unsubscribe/x`, { method: "POST" })).status);
    expect([...statuses]).toEqual([404, 429]);
  });
});
