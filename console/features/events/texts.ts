import { addTexts } from "../../language/i18n.ts";
import { securityEventTexts } from "../../language/security-event-texts.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(securityEventTexts);
