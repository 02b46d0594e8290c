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

test("the page of an R package shows its manual, whose links lead about in it", async ({ page }) => {
  await signInAs(page, "user");
  await page.goto("/packages?search=tidetable&submissionState=ACCEPTED");
  await page.getByRole("rowheader").first().getByRole("link").click();
  await page.getByTestId("read-manual").click();
  await expect(page).toHaveURL(/manual=open/);
  const manual = page.getByTestId("dialog-manual").frameLocator("iframe");
  await expect(manual.getByRole("heading", { level: 1 })).toContainText("tidetable");
  const topic = manual.getByRole("list").getByRole("link", { name: "fill_gaps" });
  const section = manual.locator("#topic-fill_gaps");
  await expect(section).not.toBeInViewport();
  await topic.click();
  await expect(section).toBeInViewport();
  await expect(manual.getByRole("heading", { level: 1 })).toContainText("tidetable");
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page).not.toHaveURL(/manual=open/);
});
