import { withoutLeading, withoutTrailing } from "@packhouse/formats/trim-characters";
import { z } from "zod";

/** A bucket, and the prefix of its objects. Credentials come from the environment: no address contains a secret. */
export interface S3Address {
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  endpoint: string | undefined;
  region: string | undefined;
  pathStyle: boolean;
}

const form = "s3://bucket/prefix?endpoint=https://host&region=name&pathStyle=true";
const parameters = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  region: z.string().min(1).optional(),
  pathStyle: z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" }).optional(),
});
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Reads `s3://bucket/prefix?endpoint=…&region=…&pathStyle=true`; all but the bucket may be left out. */
export const s3Address = z.string().transform((text, context): S3Address => {
  const wrong = (why: string) => {
    context.addIssue({ code: "custom", message: why });
    return z.NEVER;
  };
  if (!URL.canParse(text) || new URL(text).protocol !== "s3:") return wrong(`is not of the form ${form}`);
  const url = new URL(text);
  if (url.username || url.password)
    return wrong("must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead");
  if (!bucketName.test(url.host)) return wrong("does not contain a valid bucket name");
  const given = parameters.safeParse(Object.fromEntries(url.searchParams));
  if (!given.success) return wrong(`has an invalid or unknown parameter; the form is ${form}`);
  const { endpoint, region, pathStyle = false } = given.data;
  if (endpoint && (new URL(endpoint).username || new URL(endpoint).password))
    return wrong("must not contain credentials, and neither must its endpoint");
  const prefix = withoutLeading(withoutTrailing(decodeURIComponent(url.pathname), "/"), "/");
  return { bucket: url.host, prefix: prefix && `${prefix}/`, endpoint, region, pathStyle };
});
