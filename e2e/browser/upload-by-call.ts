import { type APIRequestContext, expect } from "@playwright/test";
import { smallRPackage } from "../../server/testing/small-packages.ts";

const password = "packhouse-demo";

/** The header that authenticates calls made outside the browser. */
export async function authorizationOf(request: APIRequestContext, login: string): Promise<{ authorization: string }> {
  const answer = await request.post("/login", { data: { login, password } });
  const { data } = (await answer.json()) as { data: { token: string } };
  return { authorization: `Bearer ${data.token}` };
}

/** An upload of a small R package to a repository, with the header of a user. */
interface SmallUpload {
  headers: { authorization: string };
  repository: string;
  name: string;
  version?: string;
  files?: Record<string, string>;
}

/** Uploads it, and returns the id of its submission. */
export async function uploadSmall(request: APIRequestContext, upload: SmallUpload): Promise<number> {
  const { headers, repository, name, version = "1.0", files = {} } = upload;
  const { fileName, bytes } = await smallRPackage(name, version, {}, files);
  const file = { name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) };
  const address = `/api/v2/manager/r/submissions?repository=${repository}`;
  const answer = await request.post(address, { headers, multipart: { file } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { data: { id: number } }).data.id;
}

/** Small R packages, uploaded by a user whose uploads wait for a review. */
export async function uploadWaiting(
  request: APIRequestContext,
  repository: string,
  names: readonly string[],
): Promise<void> {
  const headers = await authorizationOf(request, "user");
  for (const name of names) await uploadSmall(request, { headers, repository, name });
}
