import { addTexts } from "../../language/i18n.ts";
import { packageTexts } from "../../language/package-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(packageTexts);
