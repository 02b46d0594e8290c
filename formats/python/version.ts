import { longestVersion } from "../package-file.ts";
import { withoutLeading } from "../trim-characters.ts";

/** A version as PEP 440 parses it. */
interface Version {
  epoch: string;
  release: string[];
  pre: { phase: "a" | "b" | "rc"; number: string } | undefined;
  post: string | undefined;
  dev: string | undefined;
  local: string[];
}

// PEP 440, appendix B, with the spellings that it normalizes: epoch, release, pre, post, dev, local.
const pattern =
  /^v?(?:(?<epoch>[0-9]+)!)?(?<release>[0-9]+(?:\.[0-9]+)*)(?<pre>[-_.]?(?<phase>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<preNumber>[0-9]+)?)?(?<post>(?:-(?<postDash>[0-9]+))|(?:[-_.]?(?:post|rev|r)[-_.]?(?<postNumber>[0-9]+)?))?(?<dev>[-_.]?dev[-_.]?(?<devNumber>[0-9]+)?)?(?:\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/i;

const phases = { a: "a", alpha: "a", b: "b", beta: "b", c: "rc", rc: "rc", pre: "rc", preview: "rc" } as const;
const isPhase = (text: string): text is keyof typeof phases => text in phases;

function parse(text: string): Version | undefined {
  const groups = text.length > longestVersion ? undefined : pattern.exec(text.trim())?.groups;
  if (!groups) return undefined;
  const phase = groups.phase?.toLowerCase() ?? "";
  return {
    epoch: digits(groups.epoch ?? "0"),
    release: (groups.release ?? "").split(".").map(digits),
    pre: isPhase(phase) ? { phase: phases[phase], number: digits(groups.preNumber ?? "0") } : undefined,
    post: groups.post === undefined ? undefined : digits(groups.postDash ?? groups.postNumber ?? "0"),
    dev: groups.dev === undefined ? undefined : digits(groups.devNumber ?? "0"),
    local: (groups.local ?? "")
      .toLowerCase()
      .split(/[-_.]/)
      .filter(Boolean)
      .map((part) => (/^\d+$/.test(part) ? digits(part) : part)),
  };
}

/** Without leading zeros; numbers may exceed what JavaScript counts exactly. */
const digits = (text: string): string => withoutLeading(text, "0") || "0";

export const isVersion = (text: string): boolean => text.length <= longestVersion && pattern.test(text.trim());

/** Whether it precedes a final release: an alpha, beta, release candidate or development release. */
export function isPreRelease(text: string): boolean {
  const version = parse(text);
  return version !== undefined && (version.pre !== undefined || version.dev !== undefined);
}

/** What version specifiers look at. */
export interface VersionParts {
  /** The epoch and the numbers of the release. */
  release: string[];
  /** Without its local part. */
  public: string;
  isLocal: boolean;
  isPreRelease: boolean;
  isPostRelease: boolean;
}

export function partsOfVersion(text: string): VersionParts | undefined {
  const version = parse(text);
  return (
    version && {
      release: [version.epoch, ...version.release],
      public: spell({ ...version, local: [] }, version.release),
      isLocal: version.local.length > 0,
      isPreRelease: version.pre !== undefined || version.dev !== undefined,
      isPostRelease: version.post !== undefined,
    }
  );
}

/** Equal for equal versions: trailing zeros of the release are ignored. */
export function versionKey(text: string): string {
  const version = parse(text);
  return version ? spell(version, withoutTrailingZeros(version.release)) : text;
}

function spell({ epoch, pre, post, dev, local }: Version, release: readonly string[]): string {
  return [
    epoch === "0" ? "" : `${epoch}!`,
    release.join("."),
    pre ? pre.phase + pre.number : "",
    post === undefined ? "" : `.post${post}`,
    dev === undefined ? "" : `.dev${dev}`,
    local.length > 0 ? `+${local.join(".")}` : "",
  ].join("");
}

function withoutTrailingZeros(release: readonly string[]): string[] {
  const last = release.findLastIndex((number) => number !== "0");
  return release.slice(0, Math.max(last + 1, 1));
}

/**
 * Sorts by code point in the order of PEP 440: epoch; release; then dev, a, b, rc, final, post; a local version
 * after its public one, its numbers after its words.
 */
export function versionOrder(text: string): string {
  const version = parse(text);
  return version ? orderOf(version) : text;
}

/**
 * What `versionOrder` gives, and the normal form, in which `1.0-beta.2` is written `1.0b2`. Texts that are not versions
 * stay unchanged.
 */
export function versionForms(text: string): { order: string; normalized: string } {
  const version = parse(text);
  return version
    ? { order: orderOf(version), normalized: spell(version, version.release) }
    : { order: text, normalized: text };
}

function orderOf({ epoch, release, pre, post, dev, local }: Version): string {
  const onlyDev = pre === undefined && post === undefined && dev !== undefined;
  return [
    counted(epoch),
    ...withoutTrailingZeros(release).map(counted),
    " ", // before any digit: 1 is older than 1.1
    onlyDev ? "0" : pre ? { a: "1", b: "2", rc: "3" }[pre.phase] + counted(pre.number) : "9",
    post === undefined ? "0" : `1${counted(post)}`,
    dev === undefined ? "9" : `1${counted(dev)}`,
    ...local.map((part) => (/^\d/.test(part) && /^\d+$/.test(part) ? `2${counted(part)} ` : `1${part} `)),
  ].join("");
}

/** A number that sorts as text, prefixed with its number of digits. */
const counted = (number: string): string => String(number.length).padStart(3, "0") + number;

export function compareVersions(a: string, b: string): number {
  const [first, second] = [versionOrder(a), versionOrder(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}
