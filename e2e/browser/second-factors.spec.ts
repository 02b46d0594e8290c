import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { longTag } from "@packhouse/fixtures/long-form";
import { type Product, signIn } from "@packhouse/server/testing/product";
import { codeOfApp } from "@packhouse/server/testing/second-factors/authenticator-app";
import { expect, type Page } from "@playwright/test";
import { refuse } from "./answers.ts";
import { untilQuiet } from "./quiet.ts";
import { testOn } from "./test.ts";

const password = "a password of the tests";
const people = ["admin", "user", "packagemaintainer", "repositorymaintainer"].flatMap((role) =>
  ["one", "two", "three"].map((number) => ({ login: `${role}-${number}`, name: `${role} ${number}`, role, password })),
);

/** A product of its own: repository maintainers need a second factor there. */
const test = testOn({
  environment: {
    PACKHOUSE_PEOPLE: JSON.stringify(people),
    PACKHOUSE_AUTH_SECOND_FACTOR_REQUIRED_FOR: "repositorymaintainer",
    PACKHOUSE_UNDO_SECONDS: "0",
  },
});

async function givePassword(page: Page, login: string): Promise<void> {
  await page.goto("/login");
  await page.getByTestId("field-login").fill(login);
  await page.getByTestId("field-password").fill(password);
  await page.getByTestId("login-submit").click();
}
const signedIn = (page: Page) => expect(page.getByTestId("screen-packages")).toBeVisible();

/** A security key that lies in the computer and is always touched. */
async function plugInKey(page: Page) {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touched: (enabled: boolean) =>
      devTools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    unplug: () => devTools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId }),
  };
}

async function openSecurity(page: Page): Promise<void> {
  await page.goto("/settings-general");
  await page.getByTestId("tab-security").click();
  await expect(page.getByTestId("second-factors")).toBeVisible();
}

async function confirmPassword(page: Page): Promise<void> {
  await page.getByTestId("field-password").fill(password);
  await page.getByTestId("dialog-confirm").click();
}

const secretOn = async (page: Page) => (await page.getByTestId("totp-secret").innerText()).replaceAll(" ", "");
async function recoveryCodesOn(page: Page): Promise<string[]> {
  const codes = page.getByTestId("recovery-codes").getByRole("listitem");
  await expect(codes).toHaveCount(10);
  return codes.allInnerTexts();
}

/** A code that has not been used yet: each one is good once, so after `used` the next one is waited for. */
async function freshCode(secret: string, used?: string): Promise<string> {
  let code = codeOfApp(secret, new Date());
  await expect
    .poll(
      () => {
        code = codeOfApp(secret, new Date());
        return code;
      },
      { timeout: 35_000 },
    )
    .not.toBe(used);
  return code;
}

/** Through the API: the session of a user who has added an authenticator app, its secret, and the code that was used for it. */
async function signInWithNewApp(product: Product, login: string) {
  const { token, call } = await signIn(product, login, password);
  const { data } = await call("POST", "/second-factors/enrollment", { method: "totp", password });
  const { continuation, totp } = data as { continuation: string; totp: { secret: string } };
  const code = codeOfApp(totp.secret, new Date());
  await call("POST", "/second-factors", { continuation, name: "Phone", code });
  return { token, secret: totp.secret, code };
}

async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
}

test("an authenticator app is added with its QR code, and asked for at the next sign-in", { tag: longTag }, async ({
  page,
}) => {
  test.setTimeout(120_000);
  await givePassword(page, "user-one");
  await signedIn(page);
  await openSecurity(page);
  await page.getByTestId("add-totp").click();
  await page.getByTestId("field-password").fill("not the password");
  await page.getByTestId("dialog-confirm").click();
  await expect(page.getByTestId("field-password-message")).toHaveText("The current password is wrong");
  await confirmPassword(page);
  await expect(page.getByTestId("qr-code")).toBeVisible();
  await accessible(page);
  const secret = await secretOn(page);
  await page.getByTestId("field-code").fill("000000");
  await page.getByTestId("factor-confirm").click();
  await expect(page.getByTestId("field-code-message")).toHaveText("The code or passkey was not accepted");
  const code = await freshCode(secret);
  await page.getByTestId("field-factorName").fill("My phone");
  await page.getByTestId("field-code").fill(code);
  await page.getByTestId("factor-confirm").click();

  const codes = await recoveryCodesOn(page);
  expect(new Set(codes).size).toBe(10);
  await accessible(page);
  await page.getByTestId("recovery-codes-copy").click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${codes.join("\n")}\n`);
  const downloading = page.waitForEvent("download");
  await page.getByTestId("recovery-codes-download").click();
  expect(await readFile(await (await downloading).path(), "utf8")).toBe(`${codes.join("\n")}\n`);
  await page.getByTestId("recovery-codes-saved").click();
  await expect(page.getByTestId("second-factors")).toContainText("My phone");
  await expect(page.getByTestId("recovery-codes-left")).toHaveText("10 codes left.");
  await accessible(page);

  await page.getByTestId("nav-logout").first().click();
  await givePassword(page, "user-one");
  await expect(page.getByTestId("second-step")).toBeVisible();
  await accessible(page);
  await page.getByTestId("second-step-submit").click();
  await expect(page.getByTestId("field-code-message")).toHaveText("Enter the six digits that the app shows");
  await page.getByTestId("field-code").fill(code);
  await page.getByTestId("second-step-submit").click();
  await expect(page.getByTestId("field-code-message")).toHaveText("This was not accepted. Please try again.");
  await page.getByTestId("field-code").fill(await freshCode(secret, code));
  await page.getByTestId("second-step-submit").click();
  await signedIn(page);

  await page.getByTestId("nav-logout").first().click();
  await givePassword(page, "user-one");
  await page.getByTestId("use-recoveryCode").click();
  await page.getByTestId("field-recoveryCode").fill((codes[0] ?? "").toLowerCase());
  await page.getByTestId("second-step-submit").click();
  await signedIn(page);
  await openSecurity(page);
  await expect(page.getByTestId("recovery-codes-left")).toHaveText("9 codes left.");
});

test("a passkey is added, named, used and removed", async ({ page }) => {
  const key = await plugInKey(page);
  await givePassword(page, "user-two");
  await signedIn(page);
  await openSecurity(page);
  await page.getByTestId("add-passkey").click();
  await confirmPassword(page);
  await page.getByTestId("field-factorName").fill("Laptop");
  await page.getByTestId("factor-confirm").click();
  await page.getByTestId("recovery-codes-saved").click();
  await expect(page.getByTestId("second-factors")).toContainText("Laptop");

  // The same device is not added twice.
  await page.getByTestId("add-passkey").click();
  await confirmPassword(page);
  await page.getByTestId("factor-confirm").click();
  await expect(page.getByTestId("passkey-refusal")).toHaveText("This passkey has already been added");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Rename Laptop" }).click();
  await page.getByTestId("field-factorName").fill("Old laptop");
  await page.getByTestId("dialog-confirm").click();
  await expect(page.getByTestId("second-factors")).toContainText("Old laptop");

  await page.getByTestId("nav-logout").first().click();
  await givePassword(page, "user-two");
  await page.getByTestId("second-step-submit").click();
  await signedIn(page);

  await openSecurity(page);
  await expect(page.getByTestId("second-factors")).toContainText("last used");
  await page.getByRole("button", { name: "Remove Old laptop" }).click();
  await expect(page.getByTestId("dialog-removeFactor")).toContainText("your recovery codes no longer work");
  await confirmPassword(page);
  await expect(page.getByTestId("second-factors")).toContainText("You have no second factor yet.");
  await page.getByTestId("nav-logout").first().click();
  await givePassword(page, "user-two");
  await signedIn(page);
  await key.unplug();
});

test("without the key at hand, another way leads in, or back to the password", { tag: longTag }, async ({ page }) => {
  const key = await plugInKey(page);
  await givePassword(page, "user-three");
  await signedIn(page);
  await openSecurity(page);
  await page.getByTestId("add-passkey").click();
  await confirmPassword(page);
  await page.getByTestId("factor-confirm").click();
  const codes = await recoveryCodesOn(page);
  await page.getByTestId("recovery-codes-saved").click();
  await page.getByTestId("nav-logout").first().click();
  await key.unplug();
  await plugInKey(page);

  await givePassword(page, "user-three");
  await page.getByTestId("second-step-submit").click();
  await expect(page.getByTestId("passkey-refusal")).toContainText("did not provide a passkey");
  await page.getByTestId("second-step-back").click();
  await expect(page.getByTestId("field-password")).toHaveValue("");
  await givePassword(page, "user-three");
  await page.getByTestId("use-recoveryCode").click();
  await page.getByTestId("field-recoveryCode").fill(codes[4] ?? "");
  await page.getByTestId("second-step-submit").click();
  await signedIn(page);
});

test("a role that needs a second factor leads to adding one, on a phone and in Polish, too", { tag: longTag }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => localStorage.setItem("packhouse.language", "pl-PL"));
  await givePassword(page, "repositorymaintainer-one");
  await expect(page.getByTestId("enrollment-step")).toContainText("Twoja rola wymaga drugiego składnika.");
  await accessible(page);
  await page.getByTestId("enroll-totp").click();
  await expect(page.getByTestId("qr-code")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await accessible(page);
  await page.getByTestId("field-code").fill(await freshCode(await secretOn(page)));
  await page.getByTestId("factor-confirm").click();
  expect(await recoveryCodesOn(page)).toHaveLength(10);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByTestId("recovery-codes-saved").click();
  await signedIn(page);

  await page.goto("/settings-security");
  // The language is that of the user's settings now.
  await page.getByTestId(/^remove-/).click();
  await confirmPassword(page);
  await expect(page.getByTestId("field-password-message")).toContainText("Your role requires a second factor");
});

test("a passkey can be the first factor that a role needs", { tag: longTag }, async ({ page }) => {
  await plugInKey(page);
  await givePassword(page, "repositorymaintainer-two");
  await page.getByTestId("enroll-passkey").click();
  await page.getByTestId("factor-confirm").click();
  await page.getByTestId("recovery-codes-saved").click();
  await signedIn(page);
});

test("an administrator resets the second factors of a user who has lost them", { tag: longTag }, async ({
  page,
  product,
}) => {
  await signInWithNewApp(product, "packagemaintainer-one");
  await givePassword(page, "admin-one");
  await signedIn(page);
  await page.goto("/users?search=packagemaintainer-one");
  const open = () =>
    page
      .getByRole("button", { name: /^Reset sign-in/ })
      .first()
      .click();
  await open();
  await accessible(page);
  // The dialog shows the user as the list has it.
  const reloaded = page.waitForResponse(
    (answer) => /\/users\?/.test(answer.url()) && answer.request().method() === "GET",
  );
  await page.getByTestId("reset-second-factors").click();
  await expect(page.getByTestId("dialog-resetSignIn")).toHaveCount(0);
  await reloaded;
  await untilQuiet(page);
  await open();
  await expect(page.getByTestId("end-sessions")).toBeVisible();
  await expect(page.getByTestId("reset-second-factors")).toHaveCount(0);
  await signIn(product, "packagemaintainer-one", password);
});

test("a session that ended goes on after both steps, over the page as it stands", { tag: longTag }, async ({
  page,
  product,
}) => {
  const { token, secret, code } = await signInWithNewApp(product, "packagemaintainer-two");
  await page.goto("/configuration.json"); // the sign-in would go on to the packages by itself
  await page.evaluate((value) => localStorage.setItem("packhouse.token", value), token);
  await page.clock.install();
  await page.goto("/packages");
  await signedIn(page);
  await page.clock.fastForward("08:00:01");
  await page.getByTestId("dialog-signInAgain").getByTestId("field-password").fill(password);
  await page.getByTestId("dialog-signInAgain").getByTestId("login-submit").click();
  await page.getByTestId("field-code").fill(await freshCode(secret, code));
  await page.getByTestId("second-step-submit").click();
  await expect(page.getByTestId("dialog-signInAgain")).toHaveCount(0);
});

test("a dropped connection leaves the second step as it stands, with what was typed", { tag: longTag }, async ({
  page,
  product,
}) => {
  const { secret, code } = await signInWithNewApp(product, "packagemaintainer-three");
  await givePassword(page, "packagemaintainer-three");
  const fresh = await freshCode(secret, code);
  await page.getByTestId("field-code").fill(fresh);
  await page.route("**/login/second-factor", (route) => route.abort("internetdisconnected"), { times: 1 });
  await page.getByTestId("second-step-submit").click();
  await expect(page.getByTestId("toast-error")).toBeVisible();
  await expect(page.getByTestId("field-code")).toHaveValue(fresh);
  await page.getByTestId("second-step-submit").click();
  await signedIn(page);
});

test("what keeps a second factor from being set up is said, and the step stays", { tag: longTag }, async ({ page }) => {
  const broken: Error[] = [];
  page.on("pageerror", (error) => broken.push(error));
  const enrollment = "**/login/second-factor/enrollment";
  await givePassword(page, "repositorymaintainer-three");
  await refuse(page, enrollment, { status: 422, messageCode: "error.validation", data: ["second.factor.too.many"] });
  await page.getByTestId("enroll-totp").click();
  await expect(page.getByTestId("enrollment-refusal")).toBeVisible();
  await page.unroute(enrollment);

  await page.route(enrollment, (route) => route.abort("internetdisconnected"), { times: 1 });
  await page.getByTestId("enroll-totp").click();
  await expect(page.getByTestId("toast-error")).toHaveCount(1);
  await expect(page.getByTestId("enrollment-refusal")).toHaveCount(0);

  // Not as the API says: the console throws what is no refusal of a server.
  await page.route(enrollment, (route) => route.fulfill({ json: { status: "SUCCESS" } }), { times: 1 });
  await page.getByTestId("enroll-totp").click();
  await expect(page.getByTestId("toast-error")).toHaveCount(2);
  await page.getByTestId("enroll-totp").click();
  await expect(page.getByTestId("qr-code")).toBeVisible();
  expect(broken).toEqual([]);
});

test("recovery codes are shown although the list of second factors cannot be loaded again", { tag: longTag }, async ({
  page,
  product,
}) => {
  const { token } = await signInWithNewApp(product, "admin-two");
  await page.goto("/configuration.json"); // the sign-in would go on to the packages by itself
  await page.evaluate((value) => localStorage.setItem("packhouse.token", value), token);
  await openSecurity(page);
  await page.route("**/second-factors", () => {}); // never answered
  await page.getByTestId("new-recovery-codes").click();
  await confirmPassword(page);
  expect(await recoveryCodesOn(page)).toHaveLength(10);
});
