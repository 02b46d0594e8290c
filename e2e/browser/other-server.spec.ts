import { createReadStream, existsSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from "node:http";
import { extname, join, resolve } from "node:path";
import { expect } from "@playwright/test";
import { api, change } from "./answers.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

const built = resolve(import.meta.dirname, "../../console/dist");
const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** What only our server has: another one with the same API answers that there is nothing. */
const extras = /\/(candidates|dependencies)(\?|$)/;

let server: string;
let other: Server;
let host: Server;

const listening = (started: Server): Promise<string> =>
  new Promise((done) => {
    started.listen(0, "127.0.0.1", () => {
      const address = started.address();
      done(`http://localhost:${typeof address === "object" && address !== null ? address.port : 0}`);
    });
  });

/** The same API on another origin, without our extras, without filters of ours, without links of our own. */
function asAnother(target: URL) {
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const cors = {
      "access-control-allow-origin": incoming.headers.origin ?? "*",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-allow-methods": "GET, POST, PATCH, DELETE",
    };
    if (incoming.method === "OPTIONS") return outgoing.writeHead(204, cors).end();
    if (extras.test(incoming.url ?? ""))
      return outgoing
        .writeHead(404, { ...cors, "content-type": "application/json" })
        .end(JSON.stringify({ status: "ERROR", code: 404, message: "", messageCode: "not.found", data: null }));
    const path = (incoming.url ?? "").replace(/([?&])assignedToMe=true&?/, "$1");
    const headers = { ...incoming.headers, host: target.host };
    const forwarded = send({ ...urlParts(target), path, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...cors });
      answer.pipe(outgoing);
    });
    return incoming.pipe(forwarded);
  };
}
const urlParts = ({ hostname, port }: URL) => ({ hostname, port });

test.beforeAll(async ({ baseURL }) => {
  const product = new URL(baseURL ?? "");
  other = createServer(asAnother(product));
  const otherApi = await listening(other);
  host = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? "/").split("?")[0] ?? "/";
    if (path.endsWith("/configuration.json"))
      return outgoing
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ serverAddress: `${otherApi}/`, undoSeconds: 2 }));
    const file = join(built, path);
    const shown = extname(path) !== "" && existsSync(file) ? file : join(built, "index.html");
    outgoing.writeHead(200, { "content-type": types[extname(shown)] ?? "application/octet-stream" });
    return createReadStream(shown).pipe(outgoing);
  });
  server = await listening(host);
});
test.afterAll(() => {
  other.close();
  host.close();
});

test("the console works against another server with the same API, and what that lacks switches itself off", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${server}/login`);
  await page.getByTestId("field-login").fill("repository-maintainer");
  await page.getByTestId("field-password").fill("packhouse-demo");
  await page.getByTestId("login-submit").click();
  await expect(page.getByTestId("table-packages")).toBeVisible();

  await page.goto(`${server}/packages?search=cropcurve&submissionState=ACCEPTED`);
  await page.getByRole("rowheader").first().getByRole("link").click();
  // Dependencies as the text that they are; nothing is known of what needs it.
  await expect(page.getByTestId("prop-imports")).toContainText("tidetable (>= 0.9.0)");
  await expect(page.getByTestId("card-dependents")).toHaveCount(0);

  await page.goto(`${server}/submissions?assignedToMe=true`);
  await expect(page.getByRole("row").filter({ hasText: "waiting" }).first()).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "accepted" })).toHaveCount(0);

  await page.goto(`${server}/package-maintainers`);
  await page.getByTestId("add").click();
  await expect(page.getByText("This server does not list people to maintainers")).toBeVisible();
  await page.getByTestId("field-user").fill("4");
  await expect(page.getByTestId("field-repository")).toBeEnabled();
  await page.keyboard.press("Escape");

  for (const address of ["/repositories", "/events", "/settings-tokens", "/upload-packages", "/settings-general"]) {
    await page.goto(server + address);
    await expect(page.locator("main h1")).toBeVisible();
  }
  await expect(page.getByTestId("toast-error")).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("roles and kinds of records that only another server knows go by their names there", async ({ page }) => {
  const alterFirst = (pattern: string, alien: object) =>
    change(page, api(pattern), (data) => {
      Object.assign((data.content as object[])[0] ?? {}, alien);
    });
  await alterFirst("/users?*", { role: "auditor", roleId: 5 });
  await alterFirst("/events?*", { resourceType: "SIGNING_KEY", relatedResource: { name: "release key" } });
  await change(page, api("/users/roles"), (data) => {
    (data.content as object[]).push({ id: 5, value: 4, name: "auditor", description: "Auditor" });
  });
  await signInAs(page, "admin");
  await page.goto("/users");
  const row = page.getByRole("row").filter({ hasText: "auditor" });
  await row.getByTestId(/^edit-/).click();
  await page.getByTestId("field-roleId").click();
  await expect(page.getByRole("listbox", { name: "Role" }).getByRole("option")).toHaveText([
    "User",
    "Package maintainer",
    "Repository maintainer",
    "Administrator",
    "auditor",
  ]);
  await page.getByRole("option", { name: "auditor" }).click();
  await page.getByTestId("dialog-cancel").click();
  for (const address of ["/events", "/events?view=table"]) {
    await page.goto(address);
    await expect(page.locator("main")).toContainText(/signing key.*release key|release key.*signing key/i);
  }

  // Whoever has such a role himself sees what the nearest lower one does.
  await change(page, api("/users/me"), (data) => {
    Object.assign(data, { role: "curator", roleId: 5 });
  });
  await page.goto("/users");
  await expect(page.getByTestId("table-users")).toBeVisible();
  await expect(page.locator(".ph-drawer")).toContainText("curator");
});
