import { addTexts } from "../../language/i18n.ts";
import { tokenTexts } from "../../language/token-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(tokenTexts);
