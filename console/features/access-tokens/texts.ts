import { addTexts } from "../../language/i18n.ts";
import { tokenTexts } from "../../language/token-texts.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(tokenTexts);
