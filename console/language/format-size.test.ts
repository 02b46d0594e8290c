import i18next from "i18next";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { formatSize, languages } from "./i18n.ts";

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

describe("sizes", () => {
  beforeAll(() => i18next.init({ lng: "en", resources: {} }));
  afterEach(() => i18next.changeLanguage("en"));

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
