import { bulkTexts } from "./bulk-texts.ts";
import { calendarTexts } from "./calendar-texts.ts";
import { codeTexts } from "./code-texts.ts";
import { en } from "./en.ts";
import { eventTexts } from "./event-texts.ts";
import { mailTexts } from "./mail-texts.ts";
import { packageTexts } from "./package-texts.ts";
import { repositoryTexts } from "./repository-texts.ts";
import { resetSignInTexts } from "./reset-sign-in-texts.ts";
import { reviewTexts } from "./review/review-texts.ts";
import { securityTexts } from "./security-texts.ts";
import { sessionTexts } from "./session-texts.ts";
import { settingsTexts } from "./shell/settings-texts.ts";
import { shellTexts } from "./shell/shell-texts.ts";
import { tokenTexts } from "./token-texts.ts";
import { uploadTexts } from "./upload-texts.ts";

/** Every English text, including those that load with their screens. */
export const allTexts = {
  ...en,
  ...bulkTexts,
  ...calendarTexts,
  ...codeTexts,
  ...mailTexts,
  ...packageTexts,
  ...repositoryTexts,
  ...resetSignInTexts,
  ...eventTexts,
  ...reviewTexts,
  ...securityTexts,
  ...sessionTexts,
  ...settingsTexts,
  ...shellTexts,
  ...tokenTexts,
  ...uploadTexts,
};
