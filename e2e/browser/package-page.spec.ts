import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { signInAs } from "./sign-in-as.ts";

test("the page of an R package lists its vignettes, which are saved", async ({ page }) => {
  await signInAs(page, "user");
  await page.goto("/packages?search=cropcurve&submissionState=ACCEPTED");
  await page.getByRole("rowheader").first().getByRole("link").click();
  const card = page.getByTestId("card-vignettes");
  await expect(card).toContainText("Fitting many curves");
  const saving = page.waitForEvent("download");
  await card.getByRole("button", { name: "Download fitting-many-curves.html" }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe("fitting-many-curves.html");
  expect(await readFile(await download.path(), "utf8")).toContain("<title>");
});
