import { longTag } from "@packhouse/fixtures/long-form";
import { expect, type Page } from "@playwright/test";
import { smallRPackage } from "../../server/testing/small-packages.ts";
import { api, cutOff, plugIn, refuseOne } from "./answers.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

/** A file as it is dropped. */
async function dropped(name: string, version = "1.0") {
  const { fileName, bytes } = await smallRPackage(name, version);
  return { name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) };
}
const damaged = (name: string) => ({ name, mimeType: "application/gzip", buffer: Buffer.from([0x1f, 0x8b, 8, 0]) });
const files = (page: Page) => page.locator("[data-testid=dropzone] input[type=file]");

async function chooseRepository(page: Page, name: string): Promise<void> {
  await page.goto(`/upload-packages?repository=${name}`);
  await page.getByTestId("wizard-continue").click();
  await expect(page.getByTestId("dropzone")).toBeVisible();
}

test.describe("the upload", () => {
  test.beforeEach(({ page }) => signInAs(page, "user"));

  test("takes fifty files of which three have to be corrected, without repeating the others", async ({ page }) => {
    test.setTimeout(180_000);
    await chooseRepository(page, "stats-release");
    const good = await Promise.all(
      Array.from({ length: 47 }, (_, index) => dropped(`sheaf${String(index).padStart(2, "0")}`)),
    );
    const broken = ["sheaf47_1.0.tar.gz", "sheaf48_1.0.tar.gz", "sheaf49_1.0.tar.gz"];
    await files(page).setInputFiles([...good, ...broken.map(damaged)]);
    const totals = page.getByTestId("upload-totals");
    await expect(totals).toContainText("47 ready", { timeout: 60_000 });
    await expect(totals).toContainText("3 to fix");
    await expect(page.getByTestId("wizard-submit")).toBeDisabled();
    for (const name of broken) await page.getByRole("button", { name: `Remove ${name}` }).click();
    await files(page).setInputFiles(await Promise.all([47, 48, 49].map((number) => dropped(`sheaf${number}`))));
    await expect(totals).toContainText("50 ready");

    // Counted in the page: a call is over when its answer is there, not when the test hears of it.
    await page.evaluate(() => {
      const counts = { running: 0, most: 0 };
      Object.assign(window, { counts });
      const send = XMLHttpRequest.prototype.send;
      XMLHttpRequest.prototype.send = function (body) {
        counts.running += 1;
        counts.most = Math.max(counts.most, counts.running);
        this.addEventListener("readystatechange", () => {
          if (this.readyState === XMLHttpRequest.DONE) counts.running -= 1;
        });
        send.call(this, body);
      };
    });
    await page.getByTestId("wizard-submit").click();
    await expect(page.locator("[data-testid^=result-][data-state=success]")).toHaveCount(50, { timeout: 90_000 });
    expect(await page.evaluate(() => (window as unknown as { counts: { most: number } }).counts.most)).toBe(3);
    await page.getByRole("button", { name: "Copy results" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split("\n")).toHaveLength(50);
    await page.getByTestId("wizard-more").click();
    await expect(page.getByTestId("step-1")).toHaveAttribute("aria-current", "step");
    // The place of the last upload is remembered.
    await page.getByTestId("upload-again").click();
    await expect(page.getByTestId("field-repository")).toHaveValue("stats-release");
  });

  test("asks before it is left, goes on in the tray, and leads back to the results", { tag: longTag }, async ({
    page,
  }) => {
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles([await dropped("slowseed")]);
    await expect(page.getByTestId("file-0")).toContainText("slowseed");
    await page.getByTestId("nav-packages").first().click();
    const question = page.getByTestId("dialog-leave");
    await expect(question).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("file-0")).toBeVisible();

    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route(api("/r/submissions?*"), async (route) => {
      await held;
      await route.continue();
    });
    await page.getByTestId("wizard-submit").click();
    await expect(page.getByTestId("result-0")).toHaveAttribute("data-state", "pending");
    await expect(page.getByTestId("wizard-more")).toBeDisabled();
    await page.getByTestId("nav-packages").first().click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId("tray")).toContainText("1 upload is running");
    await page.getByTestId("nav-events").first().click();
    await expect(page.getByTestId("tray")).toBeVisible();
    release();
    await expect(page.getByTestId("tray")).toContainText("All uploads are finished");
    await page.getByTestId("tray").getByRole("link", { name: "Show" }).click();
    await expect(page.getByTestId("result-0")).toHaveAttribute("data-state", "success");
  });

  test("says what failed in its row, and sends another file in its place", { tag: longTag }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles([await dropped("hayrack")]);
    let refusals = 1;
    await page.route(api("/r/submissions?*"), (route) =>
      refusals-- > 0
        ? refuseOne(route, { status: 422, messageCode: "error.validation", data: ['"empty.title", "empty.license"'] })
        : route.continue(),
    );
    await page.getByTestId("wizard-submit").click();
    const result = page.getByTestId("result-0");
    await expect(result).toHaveAttribute("data-state", "error");
    await expect(result).toContainText("The title is missing");
    await expect(result).toContainText("The license is missing");
    await result.locator("input[type=file]").setInputFiles([await dropped("hayrack", "1.1")]);
    await expect(result).toHaveAttribute("data-state", "success");
    await expect(result).toContainText("hayrack 1.1");
  });

  test("warns of what is there already, and replaces it in the row", { tag: longTag }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles([await dropped("twicecut")]);
    await page.getByTestId("wizard-submit").click();
    await expect(page.getByTestId("result-0")).toHaveAttribute("data-state", "success");
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles([await dropped("twicecut")]);
    await expect(page.getByTestId("file-0")).toContainText("already in the repository");
    await expect(page.getByTestId("upload-totals")).toContainText("1 already in the repository");
    await page.getByTestId("wizard-submit").click();
    await expect(page.getByTestId("result-0")).toHaveAttribute("data-state", "warning");
    await expect(page.getByText("Some uploads finished with a warning; look at the marked files")).toBeVisible();
    await page.getByRole("button", { name: /^Replace twicecut/ }).click();
    await expect(page.getByTestId("result-0")).toHaveAttribute("data-state", "success");
  });

  test("asks for the system of a binary, and sets options for all files together", { tag: longTag }, async ({
    page,
  }) => {
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles([await dropped("millstone"), await dropped("winnow")]);
    await page.getByTestId("set-for-all").click();
    await page.getByTestId("all-replace-true").click();
    await expect(page.getByTestId("file-0-replace")).toBeChecked();
    await expect(page.getByTestId("file-1-replace")).toBeChecked();
    await page.getByTestId("file-0-binary").check();
    await expect(page.getByTestId("wizard-submit")).toBeDisabled();
    await expect(page.getByTestId("file-0-manual")).toBeDisabled();
    for (const field of ["rVersion", "architecture", "distribution"])
      await page.getByTestId(`file-0-${field}`).selectOption({ index: 1 });
    for (const field of ["rVersion", "architecture", "distribution"])
      await expect(page.getByTestId(`file-0-${field}`)).not.toHaveValue("");
    // Its system is complete, but it is no binary.
    await expect(page.getByTestId("file-0")).toContainText("The field Built is missing");
    await expect(page.getByTestId("wizard-submit")).toBeDisabled();
    await page.getByTestId("file-0-binary").uncheck();
    await expect(page.getByTestId("wizard-submit")).toBeEnabled();
  });

  test("keeps all parts of a system that are chosen faster than they are drawn", { tag: longTag }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles([await dropped("quickstone")]);
    await page.getByTestId("file-0-binary").check();
    await page.getByTestId("file-0").evaluate((row) => {
      for (const select of row.querySelectorAll("select")) {
        select.selectedIndex = 1;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
    for (const field of ["rVersion", "architecture", "distribution"])
      await expect(page.getByTestId(`file-0-${field}`)).not.toHaveValue("");
  });

  test("knows a binary, asks for the rest of its system, and leads to its page", { tag: longTag }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    const built = { Built: "R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix" };
    const { fileName, bytes } = await smallRPackage("threshing", "1.0", built);
    await files(page).setInputFiles({ name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) });
    await expect(page.getByTestId("file-0-binary")).toBeChecked();
    await expect(page.getByTestId("file-0-rVersion")).toHaveValue("4.2");
    await expect(page.getByTestId("file-0-architecture")).toHaveValue("x86_64");
    await page.getByTestId("file-0-distribution").selectOption("jammy");
    await expect(page.getByTestId("file-0")).toContainText("threshing 1.0");
    await page.getByTestId("file-0-rVersion").selectOption("4.1");
    await expect(page.getByTestId("file-0")).toContainText("built for another R version");
    await expect(page.getByTestId("wizard-submit")).toBeDisabled();
    await page.getByTestId("file-0-rVersion").selectOption("4.2");
    await page.getByTestId("wizard-submit").click();
    await expect(page.getByTestId("result-0")).toHaveAttribute("data-state", "success");
    await page.getByTestId("result-0").getByRole("link").first().click();
    await expect(page.getByTestId("screen-packageDetails")).toContainText("jammy");
    await expect(page.getByTestId("install-command")).toContainText("/linux/jammy");
    await expect(page.getByTestId("card-files")).toContainText("jammy · x86_64 · R 4.2");
  });

  test("pauses while the server does not respond, and continues by itself", { tag: longTag }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles(
      await Promise.all(Array.from({ length: 8 }, (_, index) => dropped(`lostlamb${index}`))),
    );
    await expect(page.getByTestId("upload-totals")).toContainText("8 ready");
    await cutOff(page);
    await page.getByTestId("wizard-submit").click();
    await expect(page.getByTestId("upload-interruption")).toContainText(
      "The server is not responding. 8 uploads will continue when it does.",
    );
    await expect(page.locator("[data-testid^=result-][data-state=pending]")).toHaveCount(8);
    await plugIn(page);
    await expect(page.locator("[data-testid^=result-][data-state=success]")).toHaveCount(8);
    await expect(page.getByTestId("upload-interruption")).toBeEmpty();
  });

  test("gives up on a file that breaks the connection each time, and sends all failed ones by one button", {
    tag: longTag,
  }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    await files(page).setInputFiles([await dropped("tornsack0"), await dropped("tornsack1")]);
    await expect(page.getByTestId("upload-totals")).toContainText("2 ready");
    await page.route(api("/r/submissions?*"), (route) => route.abort("connectionreset"));
    await page.getByTestId("wizard-submit").click();
    await expect(page.locator("[data-testid^=result-][data-state=error]")).toHaveCount(2);
    await expect(page.getByTestId("result-0")).toContainText("The server is not responding");
    await page.unroute(api("/r/submissions?*"));
    await page.getByRole("button", { name: "Retry all" }).click();
    await expect(page.locator("[data-testid^=result-][data-state=success]")).toHaveCount(2);
  });

  test("shows after a reload what was stored, and sends the rest when it is chosen again", { tag: longTag }, async ({
    page,
  }) => {
    await chooseRepository(page, "stats-release");
    const rest = await Promise.all([1, 2, 3, 4].map((number) => dropped(`gleaning${number}`)));
    await files(page).setInputFiles([await dropped("gleaning0"), ...rest]);
    await expect(page.getByTestId("upload-totals")).toContainText("5 ready");
    let sent = 0;
    await page.route(api("/r/submissions?*"), (route) => {
      if (sent++ === 0) return route.continue();
      return undefined; // no answer before the reload
    });
    await page.getByTestId("wizard-submit").click();
    await expect(page.locator("[data-testid^=result-][data-state=success]")).toHaveCount(1);
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await expect(page.locator("[data-testid^=result-][data-state=success]")).toHaveCount(1);
    await expect(page.locator("[data-testid^=result-][data-state=success]")).toContainText("gleaning0 1.0");
    await expect(page.getByTestId("upload-interruption")).toContainText(
      "4 files were not sent before the page was reloaded.",
    );
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.getByTestId("upload-supply").locator("input").setInputFiles(rest);
    await expect(page.locator("[data-testid^=result-][data-state=success]")).toHaveCount(5);
    await expect(page.getByTestId("upload-interruption")).toBeEmpty();
  });

  test("lets its repository be cleared by keyboard", { tag: longTag }, async ({ page }) => {
    await page.goto("/upload-packages?repository=stats-release");
    await expect(page.getByTestId("field-repository")).toHaveValue("stats-release");
    await page.getByTestId("field-repository").focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Clear" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("field-repository")).toHaveValue("");
    await expect(page.getByTestId("wizard-continue")).toHaveAccessibleDescription("Choose a repository to continue");
  });

  test("takes the same file only once", { tag: longTag }, async ({ page }) => {
    await chooseRepository(page, "stats-release");
    const file = await dropped("twinlamb");
    await files(page).setInputFiles([file]);
    await expect(page.getByTestId("upload-totals")).toContainText("1 ready");
    await files(page).setInputFiles([file, await dropped("onlylamb")]);
    await expect(page.getByTestId("toast-info")).toContainText("twinlamb_1.0.tar.gz is already in the list");
    await expect(page.getByTestId(/^file-\d+$/)).toHaveCount(2);
    await expect(page.getByTestId("upload-totals")).toContainText("2 ready");
  });
});
