import { crashReport } from "@packhouse/contract/envelope";
import { violationCode } from "@packhouse/contract/violations";

/** A call that did not succeed. `status` is missing when no answer came at all. */
export class ApiFailure extends Error {
  readonly status: number | undefined;
  readonly messageCode: string | null;
  readonly data: unknown;

  constructor(status: number | undefined, messageCode: string | null, message: string, data: unknown) {
    super(message);
    this.status = status;
    this.messageCode = messageCode;
    this.data = data;
  }

  /** Trace id and time of a 500, to be sent to an administrator. */
  get crash() {
    const report = crashReport.safeParse(this.data);
    return report.success ? report.data : undefined;
  }

  /** What the server found wrong, as codes where it sent codes, else as its own words. */
  get violations(): string[] {
    const entries = Array.isArray(this.data) ? this.data.map(String) : typeof this.data === "string" ? [this.data] : [];
    // Broken field rules of an upload come quoted and joined in one entry.
    const found = entries.flatMap((entry) =>
      entry.startsWith('"')
        ? entry.split(", ").map((part) => part.replaceAll('"', ""))
        : [violationCode(entry) ?? entry],
    );
    // A code with what exactly is wrong says all that the code alone says.
    return found.filter((code) => !found.some((other) => other.startsWith(`${code}: `)));
  }
}
