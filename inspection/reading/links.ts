/** As many links in a row as Linux follows. */
const mostHops = 40;
/** Longer paths cannot be opened. */
const longestPath = 4096;
/** Characters of paths that are compared: hostile links lead to each other in every order. */
const mostWork = 20_000_000;

/** The links of an archive: under which further paths its files can be opened. */
export class Links {
  /** What each link leads to, both as paths below the archive's top-level folder. */
  readonly #targets = new Map<string, string>();
  #work = 0;

  add(path: string, target: string): void {
    this.#targets.set(path, target);
  }

  has(path: string): boolean {
    return this.#targets.has(path);
  }

  /** Each link with what it leads to. */
  entries(): IterableIterator<[string, string]> {
    return this.#targets.entries();
  }

  get size(): number {
    return this.#targets.size;
  }

  /** The path without links, of which there may be several on the way; undefined for one that leads in circles. */
  resolve(path: string): string | undefined {
    let at = path;
    for (let hops = 0; hops <= mostHops; hops += 1) {
      const next = this.#follow(at);
      if (next === undefined) return at;
      if (next.length > longestPath) return undefined;
      at = next;
    }
    return undefined;
  }

  /** Without its first link; undefined if there is none. */
  #follow(path: string): string | undefined {
    for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
      const start = end === -1 ? path : path.slice(0, end);
      this.#work += start.length;
      const target = this.#targets.get(start);
      if (target !== undefined) return below(target, path.slice(start.length + 1));
      if (end === -1) return undefined;
    }
  }

  /**
   * The paths that lead to files through links, with the file that each leads to. `isComplete` is false for links with
   * more of them than are listed.
   */
  linkedFiles(files: readonly string[], most: number): { linked: LinkedFile[]; isComplete: boolean } {
    const known = new Set(files);
    const linked = new Map<string, LinkedFile>();
    const waiting = [...this.#targets.keys()].map((link) => ({ link, path: link, within: [] as readonly string[] }));
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (linked.size >= most || this.#work > mostWork) return { linked: [...linked.values()], isComplete: false };
      const { link, path, within } = one;
      const target = this.resolve(path);
      // A folder within itself has nothing new.
      if (target === undefined || within.includes(target) || linked.has(path)) continue;
      if (known.has(target)) {
        linked.set(path, { link, path, file: target });
        continue;
      }
      for (const file of this.#below(target, files)) {
        if (linked.size >= most) break;
        const inside = below(path, rest(file, target));
        if (!linked.has(inside)) linked.set(inside, { link, path: inside, file });
      }
      for (const nested of this.#below(target, this.#targets.keys()))
        waiting.push({ link, path: below(path, rest(nested, target)), within: [...within, target] });
      if (within.length > mostHops || waiting.length > most) return { linked: [...linked.values()], isComplete: false };
    }
    return { linked: [...linked.values()], isComplete: true };
  }

  *#below(folder: string, paths: Iterable<string>): Generator<string> {
    const start = folder === "" ? "" : `${folder}/`;
    for (const path of paths) {
      this.#work += start.length + 1;
      // `..` leads out of the top-level folder.
      if (path.startsWith(start) && (start !== "" || !path.startsWith("../"))) yield path;
      if (this.#work > mostWork) return;
    }
  }
}

export interface LinkedFile {
  /** The link that it is opened through first. */
  link: string;
  path: string;
  /** The path of the file itself. */
  file: string;
}

const below = (folder: string, path: string): string =>
  folder === "" || path === "" ? folder + path : `${folder}/${path}`;
const rest = (path: string, folder: string): string => (folder === "" ? path : path.slice(folder.length + 1));
