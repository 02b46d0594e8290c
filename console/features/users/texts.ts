import { addTexts } from "../../language/i18n.ts";
import { resetSignInTexts } from "../../language/reset-sign-in-texts.ts";
import { roleTexts } from "../../language/role-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(resetSignInTexts);
addTexts(roleTexts);
