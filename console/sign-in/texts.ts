import { addTexts } from "../language/i18n.ts";
import { securityTexts } from "../language/security-texts.ts";

// Imported by every module that shows these texts, before it renders; the sign-in page itself does without them.
addTexts(securityTexts);
