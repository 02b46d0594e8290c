import { rowsOfArguments, rowsOfOptions, usageOf } from "./commands/help.ts";
import { commands } from "./commands.ts";

/** The manual page of the commands, generated from their declarations. */
export function commandLinePage(): string {
  const sections = commands.map((command) => {
    const rows = [...rowsOfArguments(command.arguments), ...rowsOfOptions(command.options)];
    const table = rows.map(([name, meaning]) => `| \`${name}\` | ${meaning.replaceAll("|", "\\|")} |`).join("\n");
    return [
      `## ${command.name}`,
      command.summary,
      `\`\`\`sh\n${usageOf(command)}\n\`\`\``,
      ...(rows.length > 0 ? [`| Parameter | Meaning |\n|---|---|\n${table}`] : []),
      ...(command.details ? [command.details] : []),
    ].join("\n\n");
  });
  return `# Command line

\`bin/packhouse\` is the program for operators. It runs from any folder, through a symbolic link, and with Node 18 or later: like \`npm start\`, it fetches Node 24 and the packages if they are missing, but only if it can write to the project's folder. \`npm run packhouse -- COMMAND\` does the same from within the project. \`node server/entry/packhouse.ts COMMAND\` runs it directly on Node 24: it installs nothing and writes nothing to the project. After \`npm run build\`, and in a container, \`node server/dist/packhouse.js COMMAND\` does the same in half the time. \`npm start\` and \`npm run demo\` build, and are then \`packhouse start\` and \`packhouse demo\`.

Commands use the settings of the server ([settings.md](settings.md)): the same variables, the same file. The default data folder \`./data\` is relative to the working directory. Commands refuse a folder without an installation, except those that create one (\`start\`, \`demo\`, \`migrate\`). All of them work while servers run, also with the embedded database.

Changes are recorded as events of the first active administrator, whose description states that the operator made them.

| Exit code | Meaning |
|---|---|
| 0 | done; no findings |
| 1 | \`verify\` or \`doctor\` has findings; or a failure, shown with its origin |
| 2 | nothing was done: an invalid command, option, setting or name, explained in one sentence |
| 3 | an obstacle on the machine, explained in one sentence: a full disk, a lost database or storage, a port in use, a folder that cannot be written or that another server uses; the same command may succeed later |

${sections.join("\n\n")}
`;
}
