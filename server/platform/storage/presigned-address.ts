import type { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { z } from "zod";
import { failedOnItsSide } from "./s3-failure.ts";

const validSeconds = 60;

/** What the SDK has built of a command before it signs it. */
const built = z.object({
  protocol: z.string(),
  hostname: z.string(),
  port: z.number().optional(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
});

/** An address at which anyone can send the request of a command for a minute. The SDK builds the request without sending it. */
export async function presigned(client: S3Client, command: GetObjectCommand): Promise<string> {
  const { SignatureV4 } = await import("@smithy/signature-v4");
  const { region, credentials, sha256 } = client.config;
  const signer = new SignatureV4({ service: "s3", region, credentials, sha256, uriEscapePath: false });
  let address = "";
  command.middlewareStack.add(
    () => async (step) => {
      const { protocol, hostname, port, path, query } = built.parse(step.request);
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const headers = { host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
      const request = { method: "GET", protocol, hostname, path, query, headers };
      const signed = await signer.presign(request, { expiresIn: validSeconds });
      const parameters = z.record(z.string(), z.string()).parse(signed.query);
      const text = Object.entries(parameters).map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
      address = `${protocol}//${host}${path}?${text.join("&")}`;
      return { response: undefined, output: { $metadata: {} } };
    },
    { step: "build", priority: "low", name: "presign", override: true },
  );
  await client.send(command).catch((error: unknown) => {
    throw failedOnItsSide(error);
  });
  return address;
}

/** As the signature expects it. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
