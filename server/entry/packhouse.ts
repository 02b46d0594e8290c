import { endWithLauncher, surviveLostOutput } from "../platform/stop-signals.ts";
import { runCommandLine } from "./commands/command-line.ts";
import { commands } from "./commands.ts";

/** The program `packhouse`. Like every command it may have begun to listen: the process ends when nothing is left to do. */
endWithLauncher();
surviveLostOutput();
const code = await runCommandLine(commands, process.argv.slice(2), {
  environment: process.env,
  input: process.stdin,
  print(line) {
    process.stdout.write(`${line}\n`);
  },
  note(line) {
    process.stderr.write(`${line}\n`);
  },
});
// What failed halfway may have left something open.
if (code === 0) process.exitCode = 0;
else process.exit(code);
