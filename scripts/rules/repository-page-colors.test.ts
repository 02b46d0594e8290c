import { expect, test } from "vitest";
import { roles } from "../../console/ui/theme.ts";
import { pageColors } from "../../server/publish/serve/repository-page/style.ts";

test("the page of a repository has the console's colors", () => {
  expect(roles).toMatchObject(pageColors);
});
