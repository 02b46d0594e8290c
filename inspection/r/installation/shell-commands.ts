const longestName = 60;

/** The commands of a line and what they are given, as far as they can be read without running anything. */
export function commandsOf(line: string): string[][] {
  let command: string[] = [];
  const commands = [command];
  let word = "";
  let quote = "";
  /** Commands may be in others, also in double quotes: what to return to after `)` and after a backquote. */
  const outer: { end: string; quote: string; command: string[]; word: string }[] = [];
  /** What follows `>` and `<` is a file. */
  let isFile = false;
  const endWord = () => {
    if (word !== "" && !isFile) command.push(word);
    if (word !== "") isFile = false;
    word = "";
  };
  const endCommand = () => {
    endWord();
    isFile = false;
    command = [];
    commands.push(command);
  };
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    const isQuoted = quote === "'";
    const variable = character === "$" && line[at + 1] === "{" && !isQuoted ? line.indexOf("}", at) : -1;
    if (variable !== -1 && variable < at + longestName) {
      word += line.slice(at, variable + 1);
      at = variable;
    } else if (character === "\\" && !isQuoted) {
      at += 1;
      word += line[at] ?? "";
    } else if (quote === "" && character === outer.at(-1)?.end) {
      endWord();
      const inner = outer.pop();
      command = inner?.command ?? [];
      quote = inner?.quote ?? "";
      // What it prints is not known.
      word = `${inner?.word ?? ""}$`;
    } else if (character === quote) quote = "";
    else if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (quote === "" && " \t".includes(character)) endWord();
    else if (!isQuoted && (character === "`" || line.startsWith("$(", at))) {
      outer.push({ end: character === "`" ? "`" : ")", quote, command, word });
      if (character === "$") at += 1;
      word = "";
      quote = "";
      endCommand();
    } else if (quote === "" && "<>".includes(character)) {
      if (/^\d$/.test(word)) word = "";
      endWord();
      isFile = true;
    } else if (quote === "" && character === "&" && "<>".includes(line[at - 1] ?? "\n")) endWord();
    else if (quote === "" && ";|&(){}".includes(character)) endCommand();
    else word += character;
  }
  endWord();
  return commands.filter((words) => words.length > 0);
}

/** The name of a program, without its folder. */
export const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1).replace(/\.exe$/i, "");

export const shells = new Set(["sh", "bash", "dash", "zsh", "ksh", "cmd"]);

/** Words of the shell before a program. */
const prefixes = new Set("then do else if elif while until ! exec command env time eval @ -".split(" "));

/** The first word that is neither an assignment nor a word of the shell. */
export const programOf = (words: readonly string[]): string =>
  words.find((word) => !prefixes.has(word) && !word.includes("=")) ?? "";

const deepestCommand = 3;

/** Also those that are given to a shell as text: `sh -c "…"`. */
export function allCommandsOf(line: string, depth = 0): string[][] {
  const commands = commandsOf(line);
  if (depth === deepestCommand) return commands;
  const given = commands.flatMap((words) => {
    const isShell = words.some((word) => shells.has(nameOf(word)) || takingCommands.has(nameOf(word)));
    return isShell ? words.filter((word) => /[\s;|]/.test(word)) : [];
  });
  return [...commands, ...given.flatMap((text) => allCommandsOf(text, depth + 1))];
}
const takingCommands = new Set(["eval", "su", "sudo", "xargs", "env", "nohup", "timeout", "trap", "exec"]);
