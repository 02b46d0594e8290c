import i18next, { type ParseKeys } from "i18next";
import { initReactI18next } from "react-i18next";
import { siteStorage } from "../storage/browser-storage.ts";
import { type Catalog, en } from "./en.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: Catalog };
  }
}

/** The key of a text; a misspelled one does not compile. */
export type TextKey = ParseKeys;
/** Whether there is a text for a key that was derived from a server's response. */
export const isTextKey = (key: string): key is TextKey => i18next.exists(key);

/** Languages by their names in the API. */
export const languages = {
  "en-US": { code: "en", ownName: "English", decimalMark: ".", thousandsMark: ",", groupedFrom: 1000 },
  // Four digits are not grouped in Polish.
  "pl-PL": { code: "pl", ownName: "Polski", decimalMark: ",", thousandsMark: "\u00a0", groupedFrom: 10_000 },
} as const;
export type Language = keyof typeof languages;
export const isLanguage = (text: string): text is Language => text in languages;

const languageKey = "packhouse.language";

export async function startLanguages(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
    nsSeparator: false, // otherwise, each key is searched for one
  });
  const stored = siteStorage.read(languageKey) ?? (navigator.language.startsWith("pl") ? "pl-PL" : "en-US");
  await switchLanguage(isLanguage(stored) ? stored : "en-US");
}

/** Adds English texts of the screen that shows them; other languages are loaded as a whole. */
export const addTexts = (texts: object): void => {
  i18next.addResourceBundle("en", "translation", texts, true);
};

/**
 * Loads the English texts of refusals, which no first screen needs. Until then, a refusal is shown in the
 * server's own words.
 */
export const loadCodeTexts = (): Promise<void> =>
  import("./code-texts.ts").then(({ codeTexts }) => addTexts(codeTexts)).catch(() => undefined);

let polishDetail = (sentence: string): string => sentence;

/** What exactly is wrong with a file: the server and the formats say it in English. */
export const detailIn = (sentence: string): string => (i18next.language === "pl" ? polishDetail(sentence) : sentence);

/** Switches immediately; Polish is loaded when first used. */
export async function switchLanguage(language: Language): Promise<void> {
  const { code } = languages[language];
  if (code === "pl" && !i18next.hasResourceBundle("pl", "translation")) {
    const [{ pl }, { translatorOf }, { plDetails }] = await Promise.all([
      import("./pl.ts"),
      import("./details/translator.ts"),
      import("./details/polish.ts"),
    ]);
    i18next.addResourceBundle("pl", "translation", pl);
    polishDetail = translatorOf(plDetails);
  }
  await i18next.changeLanguage(code);
  document.documentElement.lang = code;
  siteStorage.write(languageKey, language);
}

export const currentLanguage = (): Language => (i18next.language === "pl" ? "pl-PL" : "en-US");

/** A count with the language's thousands separator. The browser's own formatter takes slow devices a tenth of a second to load. */
export function formatNumber(count: number): string {
  const { thousandsMark, groupedFrom } = languages[currentLanguage()];
  const digits = String(count);
  if (count < groupedFrom) return digits;
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(thousandsMark);
}

/** The alphabetical order of the language. */
export const compareTexts = (a: string, b: string): number => collators(currentLanguage()).compare(a, b);

// A formatter takes milliseconds to create and microseconds to use.
const collators = once((language) => new Intl.Collator(language));

function once<Formatter>(make: (language: Language) => Formatter): (language: Language) => Formatter {
  const made = new Map<Language, Formatter>();
  return (language) => {
    const formatter = made.get(language) ?? make(language);
    made.set(language, formatter);
    return formatter;
  };
}

/** The name of the user's time zone: "Europe/Warsaw". Browsers without `Temporal` load all of their formats to find it. */
export const ownZone = (): string =>
  "Temporal" in globalThis ? Temporal.Now.timeZoneId() : new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A date without a time, which is the same day everywhere. */
export const isPlainDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** `YYYY.MM.DD`, in the user's time zone; empty for an invalid time. */
export function formatDate(instant: string): string {
  if (isPlainDate(instant)) return instant.replaceAll("-", ".");
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}.${two(at.getMonth() + 1)}.${two(at.getDate())}`;
}

/** `YYYY.MM.DD HH:mm`; for a date without a time, only the date. */
export function formatDateTime(instant: string): string {
  const at = new Date(instant);
  if (isPlainDate(instant) || Number.isNaN(at.getTime())) return formatDate(instant);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${formatDate(instant)} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

const units = ["kB", "MB", "GB", "TB"] as const;

/** Bytes in the largest unit that keeps the number at one or more: "1.2 MB". */
export function formatSize(bytes: number): string {
  const space = "\u00a0"; // keeps the number and its unit on one line
  if (bytes < 1000) return i18next.t("word.bytes", { count: bytes });
  let power = 1;
  let tenths = Math.round(bytes / 100);
  while (tenths >= 10_000 && power < units.length) {
    power += 1;
    tenths = Math.round((bytes / 1000 ** power) * 10);
  }
  const whole = formatNumber(Math.floor(tenths / 10));
  const rest = tenths % 10 === 0 ? "" : languages[currentLanguage()].decimalMark + (tenths % 10);
  return `${whole}${rest}${space}${units[power - 1]}`;
}
