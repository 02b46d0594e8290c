import { command } from "./command.ts";

export const start = command({
  name: "start",
  summary: "Starts the server and runs it until it is stopped.",
  details:
    "It is configured by settings (docs/settings.md). The first start creates an administrator and prints the password once.",
  async run({ environment }) {
    // Imported here: the other commands need not wait until the whole server is loaded.
    const { runProcesses } = await import("../../app/processes.ts");
    await runProcesses({ purpose: "installation", environment });
  },
});
