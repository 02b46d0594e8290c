import type { MailKind } from "@packhouse/contract/mail";
import type { supportedLanguages } from "@packhouse/contract/user-settings";

/** What a mail says about one or several events of a kind; also the names of its sections. */
export const sections = [
  "waiting",
  "changes",
  "cancelled",
  "accepted",
  "rejected",
  "ended",
  "comment",
  "token",
  "mirror",
] as const;
export type Section = (typeof sections)[number];

/** Values of a sentence about one event. */
export interface Facts {
  /** Package with its version, token, or mirror. */
  what: string;
  repository: string;
  who: string;
  date: Date;
}

/** Every text of mails and of the page that stops them, in one language. */
export interface MailTexts {
  heading: Record<Section, (count: number) => string>;
  line: Record<Section, (facts: Facts) => string>;
  more: (count: number) => string;
  why: (title: string) => string;
  settings: string;
  stop: string;
  kinds: Record<MailKind, string>;
  stopQuestion: string;
  stopButton: string;
  stopped: string;
  stoppedHint: string;
  wrongLink: string;
  wrongLinkHint: string;
}

type Language = (typeof supportedLanguages)[number];

const number = (language: Language, count: number) => count.toLocaleString(language);
const day = (language: Language, date: Date) =>
  date.toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });

const englishPlural =
  (one: string, other: string) =>
  (count: number): string =>
    count === 1 ? `1 ${one}` : `${number("en-US", count)} ${other}`;

const english: MailTexts = {
  heading: {
    waiting: englishPlural("submission is waiting for a decision", "submissions are waiting for a decision"),
    changes: englishPlural("of your submissions needs changes", "of your submissions need changes"),
    cancelled: englishPlural("submission no longer needs a decision", "submissions no longer need a decision"),
    accepted: englishPlural("of your submissions was accepted", "of your submissions were accepted"),
    rejected: englishPlural("of your submissions was rejected", "of your submissions were rejected"),
    ended: englishPlural("of your submissions was canceled", "of your submissions were canceled"),
    comment: englishPlural("submission has a new comment", "submissions have new comments"),
    token: englishPlural("of your access tokens expires soon", "of your access tokens expire soon"),
    mirror: englishPlural("mirror is failing", "mirrors are failing"),
  },
  line: {
    waiting: ({ who, what, repository }) => `${who} submitted ${what} to ${repository}`,
    changes: ({ who, what, repository }) => `${who} asked for changes to ${what} in ${repository}`,
    cancelled: ({ who, what, repository }) => `${who} canceled the submission of ${what} to ${repository}`,
    accepted: ({ who, what, repository }) => `${who} accepted ${what} for ${repository}`,
    rejected: ({ who, what, repository }) => `${who} rejected ${what} for ${repository}`,
    ended: ({ who, what, repository }) => `${who} canceled your submission of ${what} to ${repository}`,
    comment: ({ who, what, repository }) => `${who} commented on ${what} in ${repository}`,
    token: ({ what, date }) => `The access token ${what} expires on ${day("en-US", date)}`,
    mirror: ({ what, repository }) => `The mirror ${what} of ${repository} is failing`,
  },
  more: (count) => `and ${number("en-US", count)} more`,
  why: (title) => `You are receiving this mail because of your settings in ${title}.`,
  settings: "Choose which mail you receive",
  stop: "Stop this kind of mail",
  kinds: {
    reviews: "submissions waiting for your decision",
    otherReviews: "other submissions that you may decide on",
    decisions: "decisions about your submissions",
    comments: "comments on submissions that you take part in",
    tokens: "access tokens that expire soon",
    mirrors: "failing mirrors",
  },
  stopQuestion: "Stop mail about the following?",
  stopButton: "Stop this mail",
  stopped: "You will no longer receive mail about the following.",
  stoppedHint: "You can change this in your settings at any time.",
  wrongLink: "This link does not work",
  wrongLinkHint: "It is incomplete or too old. Sign in to choose which mail you receive.",
};

const polishRules = new Intl.PluralRules("pl-PL");
const polishPlural =
  (forms: { one: string; few: string; many: string }) =>
  (count: number): string => {
    const rule = polishRules.select(count);
    return (rule === "one" ? forms.one : rule === "few" ? forms.few : forms.many).replace("#", number("pl-PL", count));
  };

const polish: MailTexts = {
  heading: {
    waiting: polishPlural({
      one: "# zgłoszenie czeka na decyzję",
      few: "# zgłoszenia czekają na decyzję",
      many: "# zgłoszeń czeka na decyzję",
    }),
    changes: polishPlural({
      one: "# Twoje zgłoszenie czeka na zmiany",
      few: "# Twoje zgłoszenia czekają na zmiany",
      many: "# Twoich zgłoszeń czeka na zmiany",
    }),
    cancelled: polishPlural({
      one: "# zgłoszenie nie wymaga już decyzji",
      few: "# zgłoszenia nie wymagają już decyzji",
      many: "# zgłoszeń nie wymaga już decyzji",
    }),
    accepted: polishPlural({
      one: "Zaakceptowano # Twoje zgłoszenie",
      few: "Zaakceptowano # Twoje zgłoszenia",
      many: "Zaakceptowano # Twoich zgłoszeń",
    }),
    rejected: polishPlural({
      one: "Odrzucono # Twoje zgłoszenie",
      few: "Odrzucono # Twoje zgłoszenia",
      many: "Odrzucono # Twoich zgłoszeń",
    }),
    ended: polishPlural({
      one: "Anulowano # Twoje zgłoszenie",
      few: "Anulowano # Twoje zgłoszenia",
      many: "Anulowano # Twoich zgłoszeń",
    }),
    comment: polishPlural({
      one: "# zgłoszenie ma nowy komentarz",
      few: "# zgłoszenia mają nowe komentarze",
      many: "# zgłoszeń ma nowe komentarze",
    }),
    token: polishPlural({
      one: "# Twój token dostępu wkrótce wygaśnie",
      few: "# Twoje tokeny dostępu wkrótce wygasną",
      many: "# Twoich tokenów dostępu wkrótce wygaśnie",
    }),
    mirror: polishPlural({
      one: "# serwer lustrzany nie działa",
      few: "# serwery lustrzane nie działają",
      many: "# serwerów lustrzanych nie działa",
    }),
  },
  line: {
    waiting: ({ who, what, repository }) => `Nowe zgłoszenie w ${repository}: ${what} (zgłasza ${who})`,
    changes: ({ who, what, repository }) => `Potrzebne zmiany w ${repository}: ${what} (prosi ${who})`,
    cancelled: ({ who, what, repository }) => `Anulowane zgłoszenie w ${repository}: ${what} (anuluje ${who})`,
    accepted: ({ who, what, repository }) => `Zaakceptowane zgłoszenie w ${repository}: ${what} (decyzja: ${who})`,
    rejected: ({ who, what, repository }) => `Odrzucone zgłoszenie w ${repository}: ${what} (decyzja: ${who})`,
    ended: ({ who, what, repository }) => `Anulowane zgłoszenie w ${repository}: ${what} (decyzja: ${who})`,
    comment: ({ who, what, repository }) => `Nowy komentarz w ${repository}: ${what} (pisze ${who})`,
    token: ({ what, date }) => `Token dostępu ${what} wygasa ${day("pl-PL", date)}`,
    mirror: ({ what, repository }) => `Serwer lustrzany ${what} w ${repository} nie działa`,
  },
  more: (count) => `i jeszcze ${number("pl-PL", count)}`,
  why: (title) => `Otrzymujesz tę wiadomość zgodnie ze swoimi ustawieniami w ${title}.`,
  settings: "Wybierz, jakie wiadomości otrzymujesz",
  stop: "Nie wysyłaj takich wiadomości",
  kinds: {
    reviews: "zgłoszenia, które czekają na Twoją decyzję",
    otherReviews: "inne zgłoszenia, o których możesz zdecydować",
    decisions: "decyzje o Twoich zgłoszeniach",
    comments: "komentarze do zgłoszeń, które Cię dotyczą",
    tokens: "tokeny dostępu, które wkrótce wygasną",
    mirrors: "serwery lustrzane, które nie działają",
  },
  stopQuestion: "Nie wysyłać wiadomości na te tematy?",
  stopButton: "Nie wysyłaj",
  stopped: "Nie będziemy już wysyłać wiadomości na te tematy.",
  stoppedHint: "Możesz to w każdej chwili zmienić w ustawieniach.",
  wrongLink: "Ten link nie działa",
  wrongLinkHint: "Jest niepełny lub zbyt stary. Zaloguj się, aby wybrać, jakie wiadomości otrzymujesz.",
};

const byLanguage: Record<Language, MailTexts> = { "en-US": english, "pl-PL": polish };

/** The texts of a user's language; of an unknown one, the English texts. */
export function textsIn(language: string): { code: string; texts: MailTexts } {
  const known = Object.entries(byLanguage).find(([code]) => code === language);
  const [code, texts] = known ?? ["en-US", english];
  return { code: code.slice(0, 2), texts };
}
