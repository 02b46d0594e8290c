import i18next from "i18next";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { en } from "./en.ts";
import { formatNumber, formatSize, languages } from "./i18n.ts";
import { pl } from "./pl.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** The same by the browser's own formatter, which takes slow devices a tenth of a second to load. */
function byFormatter(bytes: number, power: number, language: string): string {
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  })
    .format(bytes / 1000 ** power)
    .replaceAll(" ", "\u00a0");
}

beforeAll(() => i18next.init({ lng: "en", resources: { en: { translation: en }, pl: { translation: pl } } }));
afterEach(() => i18next.changeLanguage("en"));

for (const [language, { code }] of Object.entries(languages))
  test(`counts are grouped as ${language} groups them`, async () => {
    await i18next.changeLanguage(code);
    const byFormatter = new Intl.NumberFormat(language);
    for (let size = 1; size <= 1e15; size *= 10)
      for (const count of [0, size - 1, size, size + 1, 5 * size + 3])
        expect(formatNumber(count)).toBe(byFormatter.format(count));
  });

const unitLengths = {
  year: 31_536_000,
  month: 2_592_000,
  week: 604_800,
  day: 86_400,
  hour: 3600,
  minute: 60,
  second: 1,
};

for (const [language, { code }] of Object.entries(languages))
  test(`relative times are written as ${language} writes them`, async () => {
    // It adds its texts when it is loaded.
    const { formatRelative } = await import("../ui/display/relative-time.ts");
    await i18next.changeLanguage(code);
    const byFormatter = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    const now = Date.parse("2026-06-01T12:00:00Z");
    const shorterThan = (seconds: number) =>
      Math.min(...Object.values(unitLengths).filter((length) => length > seconds));
    for (const [unit, length] of Object.entries(unitLengths))
      for (let count = 0; count * length < shorterThan(length) && count < 130; count += 1)
        for (const value of count === 0 && unit !== "second" ? [] : [count, -count]) {
          const instant = new Date(now + value * length * 1000).toISOString();
          const expected = byFormatter.format(value, unit as Intl.RelativeTimeFormatUnit);
          expect(formatRelative(instant, now)).toBe(expected);
        }
    expect(formatRelative("no time", now)).toBe("");
  });

describe("sizes", () => {
  for (const [language, { code }] of Object.entries(languages))
    test(`are written as ${language} writes them`, async () => {
      await i18next.changeLanguage(code);
      for (let power = 0; power < units.length; power += 1)
        for (const value of [1, 1.04, 1.06, 2, 5, 9.94, 9.96, 22, 99.9, 100, 512.3, 999, 999.9]) {
          const bytes = Math.floor(value * 1000 ** power);
          expect(formatSize(bytes), `${bytes} bytes`).toBe(byFormatter(bytes, power, language));
        }
      expect(formatSize(0)).toBe(byFormatter(0, 0, language));
    });

  test("round up to the next unit", () => {
    expect(formatSize(999)).toBe("999\u00a0bytes");
    expect(formatSize(999_949)).toBe("999.9\u00a0kB");
    expect(formatSize(999_950)).toBe("1\u00a0MB");
    expect(formatSize(999_950_000)).toBe("1\u00a0GB");
    expect(formatSize(2_500 * 1000 ** 4)).toBe("2,500\u00a0TB");
  });
});
