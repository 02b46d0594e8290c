import { messages } from "@packhouse/contract/messages";
import { violations } from "@packhouse/contract/violations";
import { describe, expect, test } from "vitest";
import { allTexts as en } from "./all-texts.ts";
import type { Catalog } from "./en.ts";
import { pl } from "./pl.ts";

/** Texts that the product's specification quotes: people and scripts know them, character by character. */
const quoted = [
  "Request processed successfully",
  "Name is required",
  "Password is required",
  "This field is required",
  "This should be a url",
  "Repository name already exists",
  "Choose packages that have the correct file extension (.tar.gz)",
  "User already assigned to this repository",
  "This package has maintainer",
  "Package not in repository",
  "Please wait until all submissions have been uploaded",
  "Required parameter {{name}} was null or undefined when calling {{call}}",
  "The submitted form is not valid",
  "User's permissions are not sufficient to create a maintainer.",
  "You are not authorized to perform this action",
  "Cannot be {{action}} as it has been {{state}} already",
  "Cannot perform this request because user is not authenticated.",
  "Cannot perform this request because user is not authorized",
  "Validation failed",
  "Internal server error",
  "Unsuccessful login",
  "Wrong credentials, please try again",
  "Copy failed",
  "No valid submissions selected",
  "Token deleted.",
  "Token edited.",
  "Token deactivated.",
  "Filter applied successfully.",
  "Deleted {{done}} packages, failed with deletion of {{failed}} packages",
  "Deleted all selected packages ({{count}})",
  "{{verb}} all selected and available submissions",
  "Edited",
  "Downloaded",
  "role has changed from {{before}} to {{after}}",
];

const textsOf = (catalog: object): string[] =>
  Object.values(catalog).flatMap((value) => (typeof value === "string" ? [value] : textsOf(value as object)));

describe("the texts of the console", () => {
  test("contain what the specification quotes, word for word", () => {
    const texts = new Set(textsOf(en));
    expect(quoted.filter((text) => !texts.has(text))).toEqual([]);
  });

  test("translate every code that the server can answer with, except plain success", () => {
    const codes = [...Object.keys(violations), ...Object.keys(messages).filter((code) => !code.startsWith("success."))];
    const missing = (catalog: { code: Catalog["code"] }) => codes.filter((code) => !(code in catalog.code));
    expect(missing(en)).toEqual([]);
    expect(missing(pl)).toEqual([]);
  });
});
