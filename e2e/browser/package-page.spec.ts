import { readFile } from "node:fs/promises";
import { longTag } from "@packhouse/fixtures/long-form";
import { expect } from "@playwright/test";
import { smallSdist } from "../../server/testing/small-packages.ts";
import { api, change } from "./answers.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";
import { authorizationOf } from "./upload-by-call.ts";

test("the page of an R package lists its vignettes, which are saved", { tag: longTag }, async ({ page }) => {
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

test("markup in the texts and addresses of a package is text or sanitised, with no javascript: links; pre-releases are marked", async ({
  page,
  request,
}) => {
  const summary = "<b>Tools</b> for <script>harbors</script>";
  const body = `License: MIT is a line of the text

<script>document.title = "taken over"</script>
<img src="nowhere.png" alt="a picture" onerror="document.title = 'taken over'">

**bold** <a href="javascript:document.title='taken over'">first</a> [second](javascript:document.title='taken')`;
  const { fileName, bytes } = await smallSdist("markup-everywhere", "1.0rc1", {
    Summary: summary,
    "Home-page": "javascript:alert(1)",
    "Project-URL": "Home, javascript:alert(2)",
    // The empty line ends the headers.
    "Description-Content-Type": `text/markdown; charset=UTF-8; variant=GFM\n\n${body}`,
  });
  const answer = await request.post("/api/v2/manager/python/submissions?repository=sandbox", {
    headers: await authorizationOf(request, "admin"),
    multipart: { file: { name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) } },
  });
  expect(answer.status()).toBe(201);

  await signInAs(page, "admin");
  await page.goto("/packages?search=markup-everywhere");
  await page.getByRole("rowheader").first().getByRole("link").click();
  const main = page.getByRole("main");
  await expect(main.getByText(summary).first()).toBeVisible();
  await expect(main.getByText("License: MIT is a line of the text")).toBeVisible();
  await expect(main.locator("strong", { hasText: "bold" })).toBeVisible();
  await main.getByText("first", { exact: true }).click();
  await expect(page.locator('a[href^="javascript:" i], [onerror], main script, main img')).toHaveCount(0);
  await expect(page).not.toHaveTitle(/taken/);
  await expect(page.getByTestId("versions")).toContainText("pre-release");
});

test("the page of a package shows how often its file was downloaded", { tag: longTag }, async ({ page, request }) => {
  const { fileName, bytes } = await smallSdist("often-fetched", "1.0");
  const headers = await authorizationOf(request, "admin");
  const answer = await request.post("/api/v2/manager/python/submissions?repository=sandbox", {
    headers,
    multipart: { file: { name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) } },
  });
  expect(answer.status()).toBe(201);
  const { id } = (await answer.json()).data.packageBag;
  await signInAs(page, "admin");
  await page.goto("/packages?search=often-fetched");
  await page.getByRole("rowheader").first().getByRole("link").click();
  const card = page.getByTestId("card-downloads");
  await expect(card).toContainText("none yet");
  for (let count = 0; count < 3; count += 1)
    expect((await request.get(`/api/v2/manager/python/packages/${id}/download/${fileName}`, { headers })).ok()).toBe(
      true,
    );
  // They are counted every few seconds.
  const counted = async () =>
    (await (await request.get(`/api/v2/manager/packages/${id}`, { headers })).json()).data.downloads.total;
  await expect.poll(counted, { timeout: 20_000 }).toBe(3);
  await page.reload();
  await expect(card).toContainText("3 in total");
  await expect(
    card.getByRole("img", { name: "Downloads in the last 30 days: 3, at most 3 on one day; 3 in total" }),
  ).toBeVisible();
});

test("a package that names more dependencies than are kept says so", { tag: longTag }, async ({ page }) => {
  await signInAs(page, "user");
  await change(page, api("/packages/*/dependencies"), (data) => {
    data.shortened = ["dependencies"];
  });
  await page.goto("/packages?search=cropcurve&submissionState=ACCEPTED");
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByText("The package has more dependencies than are shown here.")).toBeVisible();
});

test("the buttons of a page end where its cards end, on wide screens too", { tag: longTag }, async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await signInAs(page, "admin");
  for (const [list, button] of [
    ["/packages?search=cropcurve&submissionState=ACCEPTED", "delete"],
    ["/repositories?search=geo-internal", "delete"],
  ] as const) {
    await page.goto(list);
    await page.getByRole("rowheader").first().getByRole("link").click();
    const last = page.getByRole("main").locator(`[data-testid^=${button}-]`);
    await expect(last).toHaveCount(1);
    const right = async (locator: typeof last) =>
      Math.max(...(await locator.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))));
    await expect(page.locator("[data-testid^=card-]").first()).toBeVisible();
    expect(Math.abs((await right(last)) - (await right(page.locator("[data-testid^=card-]"))))).toBeLessThan(1);
  }
});
