import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackages } from "@packhouse/fixtures/build-packages";
import { afterFirst, longTag } from "@packhouse/fixtures/long-form";
import { expect } from "@playwright/test";
import { pip, r } from "../clients/programs.ts";
import { openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";
import { uploadWaiting } from "./upload-by-call.ts";

test.describe("a delayed decision", () => {
  test("is taken back by Undo", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/submissions?search=orchardstats&state=WAITING");
    await page.getByRole("button", { name: /^Reject orchardstats 0.45.0/ }).click();
    await expect(page.getByText("rejecting…")).toBeVisible();
    await page.getByTestId("undo").click();
    await expect(page.getByRole("button", { name: /^Accept orchardstats 0.45.0/ })).toBeVisible();
    // fixed wait: longer than it would have been delayed
    await page.waitForTimeout(3000);
    await page.reload();
    await expect(page.getByRole("button", { name: /^Accept orchardstats 0.45.0/ })).toBeVisible();
  });

  test("is sent when the screen is left", async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/submissions?search=grainplot&state=WAITING");
    await page.getByRole("button", { name: /^Accept grainplot 2.0.0/ }).click();
    await page.getByTestId("nav-packages").first().click();
    // It may come after the next page's list.
    await expect(async () => {
      await page.goto("/submissions?search=grainplot");
      const row = page.getByRole("row").filter({ hasText: "v.2.0.0" });
      await expect(row).toContainText("accepted", { timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
  });
});

test("a submission opens its package although it was deleted, for those who see deleted packages", {
  tag: longTag,
}, async ({ page }) => {
  for (const [login, opens] of [
    ["admin", true],
    ["user", false],
  ] as const) {
    await signInAs(page, login);
    await page.goto("/submissions?search=cold-chain&state=REJECTED");
    const open = page.getByRole("button", { name: /^Show the package cold-chain/ });
    if (opens) {
      await open.click();
      await expect(page.getByTestId("screen-packageDetails")).toContainText("deleted");
    } else {
      await expect(open).toHaveAttribute("aria-disabled", "true");
      await expect(open).toHaveAccessibleDescription(/deleted/);
    }
  }
});

test.describe("the package of a waiting submission", () => {
  test("is deleted in the list, which cancels the submission, and can be taken back by Undo before", {
    tag: longTag,
  }, async ({ page, request }) => {
    await uploadWaiting(request, "stats-release", ["unwanted"]);
    await signInAs(page, "admin");
    await page.goto("/submissions?search=unwanted");
    const row = page.getByRole("row").filter({ hasText: "unwanted" });
    const remove = row.getByRole("button", { name: /^Delete the package unwanted 1.0/ });
    await remove.click();
    await expect(row.getByText("deleting…")).toBeVisible();
    await page.getByTestId("undo").click();
    await remove.click();
    await expect(row).toContainText("canceled", { timeout: 15_000 });
    await expect(remove).toBeHidden();
  });

  test("is deleted on its page and in the list of packages", { tag: longTag }, async ({ page, request }) => {
    await uploadWaiting(request, "stats-release", ["unwantedtoo", "unwantedaswell"]);
    await signInAs(page, "admin");
    await page.goto("/packages?search=unwantedtoo");
    await page.getByRole("button", { name: /^Delete unwantedtoo 1.0/ }).click();
    await expect(page.getByTestId("empty")).toBeVisible({ timeout: 15_000 });
    await page.goto("/packages?search=unwantedaswell");
    await page.getByRole("link", { name: /unwantedaswell/ }).click();
    await page.getByTestId(/^delete-/).click();
    await expect(page.getByText("deleting…")).toBeVisible();
    await expect(page.getByText("Deleted unwantedaswell 1.0 in stats-release")).toBeVisible({ timeout: 15_000 });
    await page.goto("/submissions?search=unwanted&state=CANCELLED");
    for (const name of ["unwantedtoo", "unwantedaswell"])
      await expect(page.getByRole("row").filter({ hasText: name })).toContainText("canceled");
  });

  test("cannot be deleted by its submitter, who cancels it instead", { tag: longTag }, async ({ page, request }) => {
    await uploadWaiting(request, "stats-release", ["regretted"]);
    await signInAs(page, "user");
    await page.goto("/submissions?search=regretted");
    await expect(page.getByRole("button", { name: /^Cancel regretted 1.0/ })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Delete/ })).toHaveCount(0);
  });
});

test.describe("from upload to install, by clicking", () => {
  let folder: string;
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "packhouse-upload-"));
  });
  test.afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const cases = [
    {
      repository: "ml-nightly",
      fileName: "trellis_config-0.18.0-py3-none-any.whl",
      name: "trellis-config",
      async install(address: string) {
        const target = join(folder, "site");
        await pip(
          "install",
          "--no-deps",
          "--target",
          target,
          "--index-url",
          `${address}/repo/ml-nightly/simple/`,
          "trellis-config",
        );
        const { stdout } = await pip("list", "--path", target, "--format", "freeze");
        expect(stdout.trim()).toBe("trellis-config==0.18.0");
      },
    },
    {
      repository: "stats-release",
      fileName: "dosecurve_2.2.0.tar.gz",
      name: "dosecurve",
      async install(address: string) {
        const { stdout } = await r(`
          repos <- "${address}/repo/stats-release"
          install.packages("dosecurve", lib = "${folder}", repos = repos, type = "source", quiet = TRUE)
          cat(as.character(packageVersion("dosecurve", lib.loc = "${folder}")))`);
        expect(stdout).toBe("2.2.0");
      },
    },
  ];
  for (const [variant, { repository, fileName, name, install }] of cases.entries()) {
    test(
      `${fileName} is uploaded by one person, accepted by another and installed`,
      afterFirst(variant),
      async ({ page, baseURL }) => {
        test.setTimeout(120_000);
        const archive = (await buildPackages()).find((one) => one.fileName === fileName);
        if (!archive) throw new Error(`${fileName} is not built`);
        await writeFile(join(folder, fileName), archive.bytes);

        await openPackagesAs(page, "user");
        await page.getByTestId("nav-addSubmission").first().click();
        await page.getByTestId("field-repository").click();
        await page.getByTestId(`option-${repository}`).click();
        await page.getByTestId("wizard-continue").click();
        await page.locator("input[type=file]").setInputFiles(join(folder, fileName));
        await expect(page.getByTestId("file-0")).toContainText(archive.version);
        await page.getByTestId("wizard-submit").click();
        await expect(page.getByTestId("result-0")).toHaveAttribute("data-state", "success");
        await expect(page.getByTestId("result-0")).toContainText("waiting for a decision");
        await page.getByTestId("nav-logout").first().click();

        await signInAs(page, "admin");
        await page.goto(`/submissions?search=${name}&repository=${repository}`);
        await page.getByRole("button", { name: new RegExp(`^Accept ${name} ${archive.version}`) }).click();
        await expect(page.getByText("accepting…")).toBeVisible();
        await expect(page.getByRole("row").filter({ hasText: archive.version })).toContainText("accepted", {
          timeout: 15_000,
        });
        await install(baseURL ?? "");
      },
    );
  }

  test("what is there already and what is broken is said before anything is sent", { tag: longTag }, async ({
    page,
  }) => {
    const archive = (await buildPackages()).find((one) => one.fileName === "cropcurve_1.8.2.tar.gz");
    if (!archive) throw new Error("cropcurve is not built");
    await writeFile(join(folder, archive.fileName), archive.bytes);
    await writeFile(join(folder, "broken_1.0.tar.gz"), archive.bytes.subarray(0, 400));
    await writeFile(join(folder, "picture.png"), "no package");

    await openPackagesAs(page, "user");
    await page.getByTestId("nav-addSubmission").first().click();
    await page.getByTestId("field-repository").click();
    await page.getByTestId("option-stats-release").click();
    await page.getByTestId("wizard-continue").click();
    await page
      .locator("input[type=file]")
      .setInputFiles([join(folder, archive.fileName), join(folder, "broken_1.0.tar.gz"), join(folder, "picture.png")]);
    await expect(page.getByTestId("file-0")).toContainText("already in the repository");
    await expect(page.getByTestId("file-1")).toContainText("The archive is damaged");
    await expect(page.getByTestId("file-2")).toContainText(
      "Choose packages that have the correct file extension (.tar.gz)",
    );
    await expect(page.getByTestId("wizard-submit")).toBeDisabled();
  });
});
