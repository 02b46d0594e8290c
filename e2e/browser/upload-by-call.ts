import { type APIRequestContext, expect } from "@playwright/test";
import { smallRPackage } from "../../server/testing/small-packages.ts";

const password = "packhouse-demo";

/** The header that authenticates calls made outside the browser. */
export async function authorizationOf(request: APIRequestContext, login: string): Promise<{ authorization: string }> {
  const answer = await request.post("/login", { data: { login, password } });
  const { data } = (await answer.json()) as { data: { token: string } };
  return { authorization: `Bearer ${data.token}` };
}

/** Small R packages, uploaded by a user whose uploads wait for a review. */
export async function uploadWaiting(
  request: APIRequestContext,
  repository: string,
  names: readonly string[],
): Promise<void> {
  const headers = await authorizationOf(request, "user");
  for (const name of names) {
    const { fileName, bytes } = await smallRPackage(name, "1.0");
    const file = { name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) };
    const address = `/api/v2/manager/r/submissions?repository=${repository}`;
    const answer = await request.post(address, { headers, multipart: { file } });
    expect(answer.status()).toBe(201);
  }
}
