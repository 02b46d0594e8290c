import { expect, test } from "vitest";
import { s3Address } from "./s3-address.ts";

test("an address names the bucket, and what else the server needs", () => {
  expect(s3Address.parse("s3://bucket-1")).toEqual({
    bucket: "bucket-1",
    prefix: "",
    endpoint: undefined,
    region: undefined,
    pathStyle: false,
  });
  expect(
    s3Address.parse("s3://bucket/of/ours/?endpoint=http://127.0.0.1:9000&region=eu-central-1&pathStyle=true"),
  ).toEqual({
    bucket: "bucket",
    prefix: "of/ours/",
    endpoint: "http://127.0.0.1:9000",
    region: "eu-central-1",
    pathStyle: true,
  });
});

test.each([
  ["bucket", "is not of the form"],
  ["https://bucket", "is not of the form"],
  ["s3://", "does not contain a valid bucket name"],
  ["s3://B_cket", "does not contain a valid bucket name"],
  ["s3://key:secret@bucket", "must not contain credentials"],
  ["s3://bucket?endpoint=http://key:secret@host", "must not contain credentials"],
  ["s3://bucket?endpoint=ftp://host", "invalid or unknown parameter"],
  ["s3://bucket?pathStyle=yes", "invalid or unknown parameter"],
  ["s3://bucket?secret=secret", "invalid or unknown parameter"],
])("%s is refused, and the reason holds no secret", (address, reason) => {
  const { error } = s3Address.safeParse(address);
  const said = error?.issues.map((issue) => issue.message).join() ?? "";
  expect(said).toContain(reason);
  expect(said).not.toContain("secret");
});
