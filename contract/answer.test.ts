import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { promised, type Received, readBy, received } from "./answer.ts";

const person = z.object({ ...promised({ id: z.int(), name: z.string() }), nickname: z.string() });
const team = z
  .object(promised({ lead: person, members: z.array(person), deputy: person.nullable() }))
  .extend({ motto: z.string() });

describe("the schema that a client reads with", () => {
  const bare = { id: 1, name: "Ada" };

  test("accepts responses without our own fields, at every depth", () => {
    const given = { lead: bare, members: [bare], deputy: null };
    expect(received(team).parse(given)).toEqual(given);
    expect(team.safeParse(given).success).toBe(false);
  });

  test("requires every promised field", () => {
    expect(received(team).safeParse({ lead: { id: 1 }, members: [], deputy: null }).success).toBe(false);
    expect(received(team).safeParse({ lead: bare, members: [] }).success).toBe(false);
  });

  test("checks our own fields where they are sent", () => {
    expect(received(person).parse({ ...bare, nickname: "Countess" })).toMatchObject({ nickname: "Countess" });
    expect(received(person).safeParse({ ...bare, nickname: 7 }).success).toBe(false);
  });

  test("accepts a field that is declared later as one of our own", () => {
    const later = person.extend({ pronouns: z.string() });
    expect(received(later).safeParse(bare).success).toBe(true);
    expectTypeOf<Received<typeof later>["pronouns"]>().toEqualTypeOf<string | undefined>();
  });

  test("keeps an object without promised fields unchanged", () => {
    const ours = z.object({ total: z.int() });
    expect(received(ours).safeParse({}).success).toBe(false);
  });

  test("accepts other forms of a field where the contract allows them", () => {
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

  test("has the matching type", () => {
    expectTypeOf<Received<typeof team>>().toEqualTypeOf<{
      lead: { id: number; name: string; nickname?: string | undefined };
      members: { id: number; name: string; nickname?: string | undefined }[];
      deputy: { id: number; name: string; nickname?: string | undefined } | null;
      motto?: string | undefined;
    }>();
  });
});
