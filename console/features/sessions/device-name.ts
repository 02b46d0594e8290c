/** Browsers include each other's names in their user agents, so the order matters. */
const browsers: readonly (readonly [mark: string, name: string])[] = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chromium/", "Chromium"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];
const systems: readonly (readonly [mark: string, name: string])[] = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
];

const find = (known: typeof browsers, agent: string) => known.find(([mark]) => agent.includes(mark))?.[1];

/** A user agent in a few words: browser and system for browsers, otherwise the program's name. */
export function deviceName(agent: string): string {
  if (!agent.startsWith("Mozilla/")) return agent.split(" ")[0]?.slice(0, 60) ?? "";
  return [find(browsers, agent), find(systems, agent)].filter((part) => part !== undefined).join(", ");
}
