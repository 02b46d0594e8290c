/**
 * A parser's input: the text of a file, with expanded macros pushed in front, as if written in their place.
 * Nothing is read twice, so that parsing takes linear time.
 */
export class RdSource {
  readonly #frames: { text: string; at: number }[];
  #last = "\n";

  constructor(text: string) {
    this.#frames = [{ text, at: 0 }];
  }

  /** Whether the next character is the first of its line. */
  get atLineStart(): boolean {
    return this.#last === "\n";
  }

  /** The next character; "" at the end. */
  peek(): string {
    const frame = this.#frame();
    return frame?.text[frame.at] ?? "";
  }

  /** The character after the next one. */
  peekSecond(): string {
    const frame = this.#frame();
    const below = this.#frames.at(-2);
    return frame?.text[frame.at + 1] ?? below?.text[below.at] ?? "";
  }

  /** Consumes what a sticky pattern matches here. It does not look beyond the end of a macro's expansion. */
  take(pattern: RegExp): string {
    const frame = this.#frame();
    if (!frame) return "";
    pattern.lastIndex = frame.at;
    const [match = ""] = pattern.exec(frame.text) ?? [];
    frame.at += match.length;
    this.#last = match.at(-1) ?? this.#last;
    return match;
  }

  /** Consumes blanks and line ends here, if they are followed by this character. */
  takeBlanksBefore(character: string): void {
    const frame = this.#frame();
    if (!frame) return;
    let end = frame.at;
    while (/\s/.test(frame.text[end] ?? "")) end += 1;
    if (end === frame.at || frame.text[end] !== character) return;
    this.#last = frame.text[end - 1] ?? this.#last;
    frame.at = end;
  }

  /** Consumes the next character if it is this one. */
  takeIf(character: string): boolean {
    if (this.peek() !== character) return false;
    this.skip();
    return true;
  }

  /** Consumes the next character, whatever it is. */
  skip(): string {
    const frame = this.#frame();
    const character = frame?.text[frame.at] ?? "";
    if (frame) frame.at += 1;
    this.#last = character || this.#last;
    return character;
  }

  /** Pushes `text` in front of the rest. */
  insert(text: string): void {
    this.#frame();
    // What follows a macro never starts a line, even if the macro expands to nothing.
    this.#last = "";
    this.#frames.push({ text, at: 0 });
  }

  /** The source of the next character. Consumed expansions are dropped, since a macro may end in another one. */
  #frame(): { text: string; at: number } | undefined {
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if (frame.at < frame.text.length) return frame;
      this.#frames.pop();
    }
    return undefined;
  }
}
