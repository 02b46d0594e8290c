import { addTexts } from "../../language/i18n.ts";
import { sessionTexts } from "../../language/session-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(sessionTexts);
