import { readSettings, settingTable, variableOf } from "./settings.ts";

/** The manual's page of settings, from the table that reads them. */
export function settingsPage(): string {
  const defaults: Record<string, unknown> = readSettings({});
  const rows = Object.entries(settingTable).map(([name, { meaning }]) => {
    const standard = defaults[name];
    const shown = standard === undefined ? "–" : `\`${JSON.stringify(standard)}\``;
    return `| \`${name}\` | \`${variableOf(name)}\` | ${shown} | ${meaning} |`;
  });
  return `# Settings

Each setting is a variable of the environment, or a key of the YAML file that \`PACKHOUSE_CONFIG\` names (\`upload.maxBytes\` may be written as \`upload: { maxBytes: … }\`); a variable wins. Lists are parted by commas, or written as in YAML and JSON: \`[a, b]\`. A setting that is wrong or unknown stops the start and is named.

| Key | Variable | Default | Meaning |
|---|---|---|---|
${rows.join("\n")}
`;
}
