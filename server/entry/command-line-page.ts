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

\`bin/packhouse\` is the program for operators. It runs from any folder, through a link, and on any Node from 18 on: like \`npm start\` it fetches Node 24 and the packages where they are missing, and neither where the project's folder cannot be written. \`npm run packhouse -- COMMAND\` is the same from within the project, \`node server/entry/packhouse.ts COMMAND\` the same on Node 24 with nothing around it, as in a container: it installs nothing and writes nothing into the project. \`npm start\` and \`npm run demo\` are \`packhouse start\` and \`packhouse demo\` after building the console.

Commands take the settings of the server ([settings.md](settings.md)): the same variables, the same file. \`./data\`, where nothing else is set, lies below the folder that a command is called from. A command refuses a folder without an installation, but for those that make one (\`start\`, \`demo\`, \`migrate\`). All of them work beside servers that run, also with the embedded database.

What a command changes is recorded as an event of the first active administrator, with the words that it was the operator.

| Exit code | Meaning |
|---|---|
| 0 | done; nothing was found |
| 1 | \`verify\` and \`doctor\` found something; or a failure, shown with where it arose |
| 2 | nothing was done: a wrong command, option, setting or name, told in one sentence |
| 3 | something on the machine was in the way, in one sentence: a full disk, a lost database or storage, a busy port, a folder that cannot be written or that another server works in; the same call may succeed later |

${sections.join("\n\n")}
`;
}
