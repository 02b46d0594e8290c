import { endWithLauncher, surviveLostOutput } from "../platform/stop-signals.ts";
import { runCommandLine } from "./commands/command-line.ts";
import { commands } from "./commands.ts";

/** The program `packhouse`. A command may have started a server: the process ends when nothing is left to do. */
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
// A failure halfway may have left something open.
if (code === 0) process.exitCode = 0;
else process.exit(code);
