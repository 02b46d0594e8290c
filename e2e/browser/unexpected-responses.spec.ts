import { longTag } from "@packhouse/fixtures/long-form";
import { expect } from "@playwright/test";
import { api, change } from "./answers.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

test.describe("a response that is not understood", () => {
  test("is a sentence with the call, a second try and the way out, in place of the whole page", async ({ page }) => {
    const lines: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") lines.push(message.text());
    });
    await signInAs(page, "user");
    await change(page, api("/users/me"), (data) => {
      delete data.name;
    });
    await page.goto("/packages");
    const failed = page.getByTestId("screen-failed");
    await expect(failed).toContainText("The server sent a response that this console does not understand");
    await expect(failed).toContainText("GET /users/me");
    await expect(failed).not.toContainText(/[{}[\]]|invalid/i);
    expect(lines.filter((line) => line.startsWith("GET /users/me"))).toHaveLength(1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByTestId("table-packages")).toBeVisible();

    await change(page, api("/users/me"), (data) => {
      delete data.name;
    });
    await page.goto("/packages");
    await page.getByTestId("failed-sign-out").click();
    await expect(page).toHaveURL(/\/login$/);
  });

  test("of a list is shown in place of the list", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    await change(page, api("/repositories?*"), (data) => {
      for (const item of data.content as Record<string, unknown>[]) delete item.serverAddress;
    });
    await page.goto("/repositories");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("does not understand (GET /repositories)");
    await expect(alert.getByRole("button", { name: "Try again" })).toBeVisible();
  });
});

test("roles and kinds of records that only another server knows go by their names there", { tag: longTag }, async ({
  page,
}) => {
  const alterFirst = (pattern: string, alien: object) =>
    change(page, api(pattern), (data) => {
      Object.assign((data.content as object[])[0] ?? {}, alien);
    });
  await alterFirst("/users?*", { role: "auditor", roleId: 5 });
  await alterFirst("/events?*", {
    resourceType: "SIGNING_KEY",
    eventType: "sealed",
    relatedResource: { name: "release key" },
  });
  await change(page, api("/users/roles"), (data) => {
    (data.content as object[]).push({ id: 5, value: 4, name: "auditor", description: "Auditor" });
  });
  await signInAs(page, "admin");
  await page.goto("/users");
  const row = page.getByRole("row").filter({ hasText: "auditor" });
  await row.getByTestId(/^edit-/).click();
  await page.getByTestId("field-roleId").click();
  await expect(page.getByRole("listbox", { name: "Role" }).getByRole("option")).toHaveText([
    "Administrator",
    "auditor",
    "Package maintainer",
    "Repository maintainer",
    "User",
  ]);
  await page.getByRole("option", { name: "auditor" }).click();
  await page.getByTestId("dialog-cancel").click();
  for (const address of ["/events", "/events?view=table"]) {
    await page.goto(address);
    await expect(page.locator("main")).toContainText(/signing key.*release key|release key.*signing key/i);
    await expect(page.locator("main")).toContainText("sealed");
  }

  // A user with such a role sees what the nearest lower one does.
  await change(page, api("/users/me"), (data) => {
    Object.assign(data, { role: "curator", roleId: 5 });
  });
  await page.goto("/users");
  await expect(page.getByTestId("table-users")).toBeVisible();
  await expect(page.getByTestId("drawer")).toContainText("curator");
});
