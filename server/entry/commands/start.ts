import { command } from "./command.ts";

export const start = command({
  name: "start",
  summary: "Starts the server and keeps it running until it is told to stop.",
  details:
    "Everything about it is a setting (docs/settings.md). The first start makes an administrator and tells his password once.",
  async run({ environment }) {
    // Imported here: the other commands need not wait until the whole server is loaded.
    const { run } = await import("../../app/run.ts");
    await run({ purpose: "installation", environment });
  },
});
