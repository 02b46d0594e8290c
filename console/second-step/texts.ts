import { addTexts } from "../language/i18n.ts";
import { securityTexts } from "../language/security-texts.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(securityTexts);
