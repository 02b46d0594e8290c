import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { promised, type Received, readBy, received } from "./answer.ts";

const person = z.object({ ...promised({ id: z.int(), name: z.string() }), nickname: z.string() });
const team = z
  .object(promised({ lead: person, members: z.array(person), deputy: person.nullable() }))
  .extend({ motto: z.string() });

describe("what a client reads", () => {
  const bare = { id: 1, name: "Ada" };

  test("lacks fields of ours without complaint, at every depth", () => {
    const given = { lead: bare, members: [bare], deputy: null };
    expect(received(team).parse(given)).toEqual(given);
    expect(team.safeParse(given).success).toBe(false);
  });

  test("needs every promised field", () => {
    expect(received(team).safeParse({ lead: { id: 1 }, members: [], deputy: null }).success).toBe(false);
    expect(received(team).safeParse({ lead: bare, members: [] }).success).toBe(false);
  });

  test("has fields of ours where they are sent, checked", () => {
    expect(received(person).parse({ ...bare, nickname: "Countess" })).toMatchObject({ nickname: "Countess" });
    expect(received(person).safeParse({ ...bare, nickname: 7 }).success).toBe(false);
  });

  test("takes a field that is added later for one of ours", () => {
    const later = person.extend({ pronouns: z.string() });
    expect(received(later).safeParse(bare).success).toBe(true);
    expectTypeOf<Received<typeof later>["pronouns"]>().toEqualTypeOf<string | undefined>();
  });

  test("takes an object without promises as it stands", () => {
    const ours = z.object({ total: z.int() });
    expect(received(ours).safeParse({}).success).toBe(false);
  });

  test("takes other forms of a field where the contract allows them", () => {
    const loud = z.object(
      promised({
        word: readBy(
          z.enum(["YES"]),
          z.string().transform((it) => it.toUpperCase()),
        ),
      }),
    );
    expect(received(loud).parse({ word: "yes" })).toEqual({ word: "YES" });
    expect(loud.safeParse({ word: "yes" }).success).toBe(false);
  });

  test("has the type that says the same", () => {
    expectTypeOf<Received<typeof team>>().toEqualTypeOf<{
      lead: { id: number; name: string; nickname?: string | undefined };
      members: { id: number; name: string; nickname?: string | undefined }[];
      deputy: { id: number; name: string; nickname?: string | undefined } | null;
      motto?: string | undefined;
    }>();
  });
});
