import { argumentsOf } from "../syntax/calls.ts";
import type { Place } from "../syntax/syntax.ts";
import { type FileCode, mostFound } from "./file-code.ts";

/** Write what they download to their second argument. */
export const downloaders = new Set(["urllib.request.urlretrieve", "urllib.urlretrieve", "wget.download"]);

/** Whether a file starts what it downloads. */
export class Downloads {
  readonly #code: FileCode;
  readonly #written: { name: string; text: string; inside: Place }[] = [];
  readonly #started: { call: Place; name: string; text: string; names: ReadonlySet<string>; inside: Place }[] = [];

  constructor(code: FileCode) {
    this.#code = code;
  }

  /** Reports what starts a file that the same function, or the module, downloads: `urlretrieve(u, "/tmp/a")`. */
  finish(): void {
    for (const { call, name, text, names, inside } of this.#started) {
      const isDownload = this.#written.some(
        (file) =>
          file.inside === inside && (names.has(file.name) || (file.text.length > 3 && text.includes(file.text))),
      );
      if (isDownload && this.#code.isNetworked(inside))
        this.#code.add("process", call, { subject: `${name}: download`, topic: "download", isRaised: true });
    }
  }

  /** Where a call writes a file: the target of a download, or `open(path, "wb")`. */
  noteWritten(call: Place, name: string): void {
    const { positional, keywords } = argumentsOf(this.#code.syntax, call);
    const mode = positional[1] ?? keywords.get("mode");
    const isWriting = name === "open" && mode !== undefined && this.#code.names.textOf(mode)?.text.includes("w");
    const target = isWriting ? positional[0] : downloaders.has(name) ? positional[1] : undefined;
    if (target === undefined || this.#written.length === mostFound) return;
    const isName = this.#code.syntax.kind(target) === "identifier";
    const text = this.#code.names.textOf(target)?.text ?? "";
    const inside = this.#code.moments.functionOf(call);
    this.#written.push({ name: isName ? this.#code.syntax.text(target) : "", text, inside });
  }

  noteStarted(call: Place, name: string, text: string): void {
    if (this.#started.length === mostFound) return;
    const names = new Set<string>();
    for (const part of this.#code.syntax.subtree(call, 200))
      if (this.#code.syntax.kind(part) === "identifier") names.add(this.#code.syntax.text(part));
    this.#started.push({ call, name, text, names, inside: this.#code.moments.functionOf(call) });
  }
}
