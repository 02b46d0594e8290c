import { settingTable } from "./setting-table.ts";
import { readSettings, variableOf } from "./settings.ts";

/** The manual's page of settings, from the table that reads them. */
export function settingsPage(): string {
  const defaults: Record<string, unknown> = readSettings({});
  const rows = Object.entries(settingTable).map(([name, { meaning }]) => {
    const standard = defaults[name];
    const shown = standard === undefined ? "–" : `\`${JSON.stringify(standard)}\``;
    return `| \`${name}\` | \`${variableOf(name)}\` | ${shown} | ${meaning} |`;
  });
  return `# Settings

Each setting is an environment variable, or a key of the YAML file that \`PACKHOUSE_CONFIG\` names (\`upload.maxBytes\` can be written as \`upload: { maxBytes: … }\`). Variables take precedence. Lists are separated by commas, or written as in YAML and JSON: \`[a, b]\`. If a setting is invalid or unknown, the server reports it and does not start.

| Key | Variable | Default | Meaning |
|---|---|---|---|
${rows.join("\n")}
`;
}
