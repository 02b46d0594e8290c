import { addTexts } from "../../language/i18n.ts";
import { resetSignInTexts } from "../../language/reset-sign-in-texts.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(resetSignInTexts);
