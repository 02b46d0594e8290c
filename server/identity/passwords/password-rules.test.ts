import { describe, expect, test } from "vitest";
import { brokenPasswordRules } from "./password-rules.ts";

const owner = { login: "mara.quill", name: "Mara Quill", email: "mara.quill@example.org" };
const broken = (password: string) => brokenPasswordRules(password, owner, 8);

describe("a new password", () => {
  test.for([
    ["seven77", "password.too.short"],
    ["", "password.too.short"],
    ["🦊🦊🦊🦊", "password.too.short"],
    ["x".repeat(1025), "password.too.long"],
    ["password", "password.too.common"],
    ["PASSWORD", "password.too.common"],
    ["12345678", "password.too.common"],
    ["qwertyuiop", "password.too.common"],
    ["ｐａｓｓｗｏｒｄ", "password.too.common"],
    ["mara.quill", "password.is.login"],
    ["Mara.Quill1!", "password.is.login"],
    ["1mara quill1", "password.is.login"],
    ["mara.quill@example.org", "password.is.login"],
  ] as const)("%j is refused: %s", async ([password, code]) => {
    expect(await broken(password)).toEqual([code]);
  });

  test.for(["orchard-7-lantern", "mara.quill likes foxes", "długie hasło bez cyfr", " spaces count "])(
    "%j is taken",
    async (password) => {
      expect(await broken(password)).toEqual([]);
    },
  );
});
