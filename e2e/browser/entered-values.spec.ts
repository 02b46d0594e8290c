import { longTag } from "@packhouse/fixtures/long-form";
import { expect, type Page } from "@playwright/test";
import { smallRPackage } from "../../server/testing/small-packages.ts";
import { api, cutOff, plugIn } from "./answers.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

/** Keeps the answers of matching calls back; `release` lets them, and all later ones, arrive. */
async function holdBack(page: Page, pattern: string, method = "GET") {
  const gate = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    held.resolve();
    await gate.promise;
    await route.continue();
  });
  return {
    /** Resolves when a call has been kept back. */
    held: held.promise,
    async release() {
      const arrived = page.waitForResponse((response) => response.request().method() === method);
      gate.resolve();
      await arrived;
    },
  };
}

const built = { Built: "R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix" };
async function chosenFile(name: string, fields: Record<string, string> = {}) {
  const { fileName, bytes } = await smallRPackage(name, "1.0", fields);
  return { name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) };
}
const files = (page: Page) => page.locator("[data-testid=dropzone] input[type=file]");
const targetFields = ["rVersion", "architecture", "distribution"] as const;

async function chooseRepository(page: Page, name: string): Promise<void> {
  await page.goto(`/upload-packages?repository=${name}`);
  await page.getByTestId("wizard-continue").click();
  await expect(page.getByTestId("dropzone")).toBeVisible();
}

test.describe("what a person has entered stays, whatever arrives later", () => {
  test.beforeEach(({ page }) => signInAs(page, "admin"));

  test("the options of a file that is still being checked", { tag: longTag }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    const check = await holdBack(page, api("/r/packages?*"));
    await files(page).setInputFiles([await chosenFile("latecheck")]);
    await check.held;
    const row = page.getByTestId("file-0");
    await expect(row).toContainText("reading");
    await page.getByTestId("file-0-notes").fill("typed before the answer");
    await page.getByTestId("file-0-replace").check();
    await page.getByTestId("file-0-binary").check();
    for (const field of targetFields) await page.getByTestId(`file-0-${field}`).selectOption({ index: 1 });
    const entered = await Promise.all(targetFields.map((field) => page.getByTestId(`file-0-${field}`).inputValue()));
    expect(entered).not.toContain("");
    await check.release();
    // What it was read as before does not count any more: it is no binary.
    await expect(row).toContainText(/field Built is missing/i);
    await expect(page.getByTestId("file-0-notes")).toHaveValue("typed before the answer");
    await expect(page.getByTestId("file-0-replace")).toBeChecked();
    await expect(page.getByTestId("file-0-binary")).toBeChecked();
    for (const [index, field] of targetFields.entries())
      await expect(page.getByTestId(`file-0-${field}`)).toHaveValue(entered[index] ?? "");
  });

  test("a kind of package that was unchecked, although the file says otherwise", { tag: longTag }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles([await chosenFile("latekind", built)]);
    await expect(page.getByTestId("file-0-binary")).toBeChecked();
    await page.getByTestId("file-0-binary").uncheck();
    // Read again, and refused as a source package, but not turned back into a binary.
    await expect(page.getByTestId("file-0")).toContainText(/This is a binary package/i);
    await expect(page.getByTestId("file-0-binary")).not.toBeChecked();
    await expect(page.getByTestId("wizard-submit")).toBeDisabled();
    await page.getByTestId("file-0-binary").check();
    await expect(page.getByTestId("file-0-rVersion")).toHaveValue("");
  });

  test("a repository that was chosen before the one in the address arrived", { tag: longTag }, async ({ page }) => {
    const named = await holdBack(page, api("/repositories?name=stats-release*"));
    await page.goto("/upload-packages?repository=stats-release");
    await named.held;
    const field = page.getByTestId("field-repository");
    await field.click();
    await field.fill("ml");
    await named.release();
    await expect(field).toHaveValue("ml");
    await page.getByRole("option", { name: "ml-nightly" }).click();
    await expect(field).toHaveValue("ml-nightly");
    await expect(page.getByTestId("step-1")).toContainText("ml-nightly");
  });

  test("a repository that was cleared", { tag: longTag }, async ({ page }) => {
    await page.goto("/upload-packages?repository=stats-release");
    await expect(page.getByTestId("field-repository")).toHaveValue("stats-release");
    // Choosing it again leaves none chosen.
    await page.getByTestId("field-repository").click();
    await page.getByRole("option", { name: "stats-release" }).click();
    await expect(page.getByTestId("field-repository")).toHaveValue("");
    await expect(page.getByTestId("wizard-continue")).toBeDisabled();
  });

  test("a setting that was changed while another one was being saved", { tag: longTag }, async ({ page }) => {
    await page.goto("/settings-general?tab=tables");
    const size = page.getByTestId("field-pageSize");
    await size.fill("20");
    const saving = await holdBack(page, api("/user-settings/*"), "PATCH");
    await page.getByTestId("save").click();
    await saving.held;
    await size.fill("30");
    await saving.release();
    await expect(size).toHaveValue("30");
    await expect(page.getByTestId("save")).toBeEnabled();
    await size.fill("10");
    await page.getByTestId("save").click();
    await expect(page.getByTestId("save")).toBeHidden();
  });
});

test("fields of a repository that others have changed since are not changed back", async ({ page }) => {
  await signInAs(page, "admin");
  const id = await page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem("packhouse.token")}`;
    const address = "http://localhost/repo/late-changes";
    const properties = { publicationUri: address, serverAddress: address, requiresAuthentication: true };
    const body = JSON.stringify({ name: "late-changes", ...properties });
    const headers = { authorization, "content-type": "application/json" };
    const answer = await fetch("/api/v2/manager/python/repositories", { method: "POST", headers, body });
    return ((await answer.json()) as { data: { id: number } }).data.id;
  });
  expect(id).toBeGreaterThan(0);
  await page.goto("/repositories?published=any&search=late-changes");
  await page.getByRole("button", { name: "Edit late-changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit late-changes" });
  await expect(dialog.getByTestId("field-name")).toHaveValue("late-changes");
  await expect(dialog.getByTestId("field-requiresAuthentication")).toBeChecked();
  await page.evaluate(async (id) => {
    const authorization = `Bearer ${localStorage.getItem("packhouse.token")}`;
    const headers = { authorization, "content-type": "application/json-patch+json" };
    const body = JSON.stringify([{ op: "replace", path: "/requiresAuthentication", value: false }]);
    await fetch(`/api/v2/manager/python/repositories/${id}`, { method: "PATCH", headers, body });
  }, id);
  // When the server is back, everything is loaded again.
  await cutOff(page);
  await dialog.getByTestId("field-name").fill("late-changes-2");
  await dialog.getByTestId("dialog-confirm").click();
  await expect(page.getByTestId("offline")).toBeVisible();
  const again = page.waitForResponse(api(`/python/repositories/${id}`));
  await plugIn(page);
  await again;
  await expect(page.getByTestId("offline")).toBeHidden();
  await expect(dialog.getByTestId("field-name")).toHaveValue("late-changes-2");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await dialog.getByTestId("dialog-confirm").click();
  expect((await sent).postDataJSON()).toEqual([{ op: "replace", path: "/name", value: "late-changes-2" }]);
});
