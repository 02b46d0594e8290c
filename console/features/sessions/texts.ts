import { addTexts } from "../../language/i18n.ts";
import { sessionTexts } from "../../language/session-texts.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(sessionTexts);
