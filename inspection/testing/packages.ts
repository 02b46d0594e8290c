import { type Member, member, tarGzOfFolder, zip } from "@packhouse/fixtures/archive-writing";
import { record } from "@packhouse/fixtures/python-project";
import { bytesOf } from "@packhouse/formats/byte-source";
import type { InspectedPackage } from "../inspect.ts";

/** A package as a test describes it: its files by path, over those that every package has. */
export interface SamplePackage extends InspectedPackage {
  source: ReturnType<typeof bytesOf>;
}

type Files = Readonly<Record<string, string | Uint8Array>>;

/** The time of all files. */
export const packed = new Date("2026-02-03T04:05:06Z");

const membersOf = (files: Files): Member[] =>
  Object.entries(files).map(([path, content]) =>
    typeof content === "string" ? member(path, content) : { path, bytes: content },
  );

const description = (version: string, fields: Readonly<Record<string, string>>): string =>
  Object.entries({
    Package: "tides",
    Version: version,
    Title: "Tides of the Harbor",
    Maintainer: "Ida Moen <ida@tides.example>",
    License: "MIT + file LICENSE",
    ...fields,
  })
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");

interface Sample {
  version?: string;
  fields?: Readonly<Record<string, string>>;
  mtime?: Date;
}

/** An R source package called `tides`. */
export async function rPackage(
  files: Files = {},
  { version = "1.0.0", fields = {}, mtime = packed }: Sample = {},
): Promise<SamplePackage> {
  const all = { DESCRIPTION: description(version, fields), NAMESPACE: "export(height)\n", ...files };
  const bytes = await tarGzOfFolder("tides", membersOf(all), mtime);
  return { technology: "R", kind: "source", fileName: `tides_${version}.tar.gz`, source: bytesOf(bytes) };
}

const metadata = (version: string, fields: Readonly<Record<string, string>>): string =>
  `${Object.entries({ "Metadata-Version": "2.4", Name: "tides", Version: version, ...fields })
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")}\n`;

/** A Python source distribution called `tides`. */
export async function sdist(
  files: Files = {},
  { version = "1.0.0", fields = {}, mtime = packed }: Sample = {},
): Promise<SamplePackage> {
  const all = { "PKG-INFO": metadata(version, fields), ...files };
  const bytes = await tarGzOfFolder(`tides-${version}`, membersOf(all), mtime);
  return { technology: "Python", kind: "source", fileName: `tides-${version}.tar.gz`, source: bytesOf(bytes) };
}

/** A wheel called `tides`. */
export async function wheel(
  files: Files = {},
  { version = "1.0.0", fields = {} }: Sample = {},
): Promise<SamplePackage> {
  const info = `tides-${version}.dist-info`;
  const members = membersOf({
    ...files,
    [`${info}/METADATA`]: metadata(version, fields),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  });
  const bytes = await zip([...members, member(`${info}/RECORD`, record(members, `${info}/RECORD`))]);
  const fileName = `tides-${version}-py3-none-any.whl`;
  return { technology: "Python", kind: "binary", fileName, source: bytesOf(bytes) };
}
