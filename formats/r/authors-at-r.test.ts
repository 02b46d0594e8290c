import { describe, expect, test } from "vitest";
import { authorsText, maintainerText, readAuthors } from "./authors-at-r.ts";

describe("Authors@R", () => {
  const text = `c(
    person("Mara", "Quill", , "mara.quill@example.org", role = c("aut", "cre"),
           comment = c(ORCID = "0000-0002-1825-0097")),
    person(given = "Reef Institute", role = "cph"),
    person("Jo", c("van", "Dam"), middle = "M.", role = NULL, email = 'jo@example.org')
  )`;

  test("lists its people as R shows them", () => {
    expect(authorsText(readAuthors(text))).toBe(
      "Mara Quill [aut, cre] (<0000-0002-1825-0097>), Reef Institute [cph], Jo M. van Dam",
    );
  });

  test("finds a maintainer with an email address", () => {
    expect(maintainerText(readAuthors(text))).toBe("Mara Quill <mara.quill@example.org>");
    expect(maintainerText(readAuthors('person("Mara", "Quill", role = "cre")'))).toBeUndefined();
    expect(maintainerText(readAuthors('person("Mara", email = "m@example.org")'))).toBeUndefined();
  });

  test.each([
    ['person("Mara", "Quill")', "Mara Quill"],
    ['utils::person("Mara", "Quill")', "Mara Quill"],
    ['person(family = "Quill", "Mara")', "Mara Quill"],
    ['person("Quill", given = "Mara")', "Mara Quill"],
    ['person("Mara", , "Q.")', "Mara Q."],
    ["person()", ""],
    ['c(person("A"), c(person("B"), person("C")))', "A, B, C"],
    ['as.person("Mara Quill <m@example.org> [aut, cre]")', "Mara Quill [aut, cre]"],
    ['person("Mu\\u00f1oz", "\\x41\\u{142}\\U0001F980")', "Muñoz Ał🦀"],
    ["person(\"O\\\"Neil\", 'D\\'Arc')", "O\"Neil D'Arc"],
    ['person("Two\\nlines")', "Two lines"],
    ['person("A", comment = c("ORCID" = "0000-0002-1825-009X"))', "A (<0000-0002-1825-009X>)"],
    ["c()", ""],
  ])("%s reads as %s", (expression, names) => {
    expect(authorsText(readAuthors(expression))).toBe(names);
  });

  test.each([
    "",
    "Mara Quill",
    'system("rm -rf /")',
    'person(system("id"))',
    'person(paste("A", "B"))',
    'person("A"); person("B")',
    'person("A"',
    'person("A',
    'person("A\\u0000")',
    'person("A\\U110000")',
    'person(nickname = "A")',
    'person("1", "2", "3", "4", "5", "6", "7")',
    `${"c(".repeat(100_000)}person("A")`,
  ])("%.40s names nobody, and is not run", (expression) => {
    expect(readAuthors(expression)).toEqual([]);
  });
});
