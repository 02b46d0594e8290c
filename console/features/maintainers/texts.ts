import { addTexts } from "../../language/i18n.ts";
import { resetSignInTexts } from "../../language/reset-sign-in-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(resetSignInTexts);
