import { crashReport } from "@packhouse/contract/envelope";
import { codeOfSentence } from "@packhouse/contract/violation-sentences";

/** A call that failed. `status` is missing if there was no response. */
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

  /** Trace id and time of a 500, for the user to send to an administrator. */
  get crash() {
    const report = crashReport.safeParse(this.data);
    return report.success ? report.data : undefined;
  }

  /** The server's reasons: as codes if it sent codes, otherwise in its own words. */
  get violations(): string[] {
    const entries = Array.isArray(this.data) ? this.data.map(String) : typeof this.data === "string" ? [this.data] : [];
    // Broken rules of an upload's fields come quoted and joined in one entry.
    const found = entries.flatMap((entry) =>
      entry.startsWith('"')
        ? entry.split(", ").map((part) => part.replaceAll('"', ""))
        : [codeOfSentence(entry) ?? entry],
    );
    // A code with details makes the code alone redundant.
    return found.filter((code) => !found.some((other) => other.startsWith(`${code}: `)));
  }
}
