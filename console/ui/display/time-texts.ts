import { addTexts } from "../../language/i18n.ts";
import { timeTexts } from "../../language/time-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(timeTexts);
